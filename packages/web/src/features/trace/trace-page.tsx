import { assertNever } from '@yarnboard/domain';
import { dotOf, mermaidOf } from '@yarnboard/protocol';
import { Copy, ListTree, SearchX, Undo2 } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { useToast } from '../../ui/toast.tsx';
import { counted } from '../../ui/wording.ts';
import '../graph/graph-page.css';
import { KIND_LOOKS, nameOfCard, placeOfCard, sentenceOf, titleOfCard } from './card-words.ts';
import { outlineOf, type OutlineRow } from './outline-rows.ts';
import './trace-page.css';
import { usePins, type PinnedBoard } from './use-pins.ts';
import { useTrace, type Traced } from './use-trace.ts';
import { yarnAddressOf, yarnWishIn, type YarnWish } from './yarn-address.ts';
import { keyOfString, lifted, toggled, type Bundle, type TraceString, type YarnBoard, type YarnCard } from './yarn-board.ts';
import { YarnCanvas } from './yarn-canvas.tsx';
import { startPinWorker, type StartPinner } from './yarn-desk.ts';
import { YarnFilters } from './yarn-filters.tsx';
import { YarnOutline } from './yarn-outline.tsx';
import { svgOf } from './yarn-picture.ts';
import { YarnWays } from './yarn-ways.tsx';

export type TracePageProps = {
  /** A reference, the id of a session, a path or an address. */
  readonly reference: string;
  /** Starts the pinner; the worker, unless a test passes its own. */
  readonly start?: StartPinner;
};

/** PAGE-230: where something comes from and what came of it, as cards and strings on a board, with an outline next to it. */
export const TracePage = ({ reference: ref, start = startPinWorker }: TracePageProps) => {
  const [params, setParams] = useSearchParams();
  const query = params.toString();
  const wish = useMemo(() => yarnWishIn(new URLSearchParams(query)), [query]);
  const traced = useTrace(ref, wish);
  const change = useCallback(
    (part: (now: YarnWish) => Partial<YarnWish>) =>
      setParams(
        (now) => {
          const before = yarnWishIn(now);
          return yarnAddressOf({ ...before, ...part(before) });
        },
        { replace: true },
      ),
    [setParams],
  );
  const { board, error, retry } = traced;
  if (board !== null) return <Board traced={traced} board={board} wish={wish} change={change} start={start} />;
  if (error === null) {
    return (
      <Page title={`Trace of ${ref}`}>
        <Skeleton lines={6} label={`Tracing ${ref}`} />
      </Page>
    );
  }
  return (
    <Page title={`Trace of ${ref}`}>
      {'code' in error && error.code === 'not-found' ? (
        <Empty icon={SearchX} title={`${ref} not found`}>
          {error.message} <Link href={`/search?${new URLSearchParams({ q: ref }).toString()}`}>Search for it as text</Link>
        </Empty>
      ) : (
        <Failure title={`Couldn’t trace ${ref}`} error={error} onRetry={retry} />
      )}
    </Page>
  );
};

type BoardProps = {
  readonly traced: Traced;
  readonly board: YarnBoard;
  readonly wish: YarnWish;
  readonly change: (part: (now: YarnWish) => Partial<YarnWish>) => void;
  readonly start: StartPinner;
};

const Board = ({ traced, board, wish, change, start }: BoardProps) => {
  const { unfolded, ways, offered, trouble } = traced;
  const { pinned, failure, move, putBack } = usePins(board, start);
  const [current, setCurrent] = useState<string | null>(null);
  const [visit, setVisit] = useState(0);
  const [isOutlined, setIsOutlined] = useState(true);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const rows = useMemo(() => outlineOf(board), [board]);
  const onVisit = useCallback((id: string) => {
    setCurrent(id);
    setVisit((n) => n + 1);
  }, []);
  const toggle = useCallback(
    (card: YarnCard, bundle: Bundle | null) => change((now) => ({ unfolded: toggled(now.unfolded ?? unfolded, card, bundle) })),
    [change, unfolded],
  );
  const lift = useCallback(
    ({ node }: YarnCard, bundle: Bundle) => change((now) => ({ unfolded: lifted(now.unfolded ?? unfolded, node.ref, bundle) })),
    [change, unfolded],
  );
  const choose = useCallback(
    (ref: string) => change(({ chosen }) => ({ chosen: chosen.includes(ref) ? chosen.filter((one) => one !== ref) : [...chosen, ref].slice(-2) })),
    [change],
  );
  const row = rows.find(({ id }) => id === current);
  const onPointCard = useCallback((id: string | null) => setPointed(id === null ? null : { kind: 'card', id }), []);
  const onPointString = useCallback((id: string | null) => setPointed(id === null ? null : { kind: 'string', id }), []);
  const lit = useMemo(() => litStrings(board, pointed, row, ways), [board, pointed, row, ways]);
  const said = useMemo(() => sentenceFor(board, pointed, row), [board, pointed, row]);
  const root = board.cards.get(board.root);
  const place = root === undefined ? null : placeOfCard(root.node);
  const deeds = { toggle, lift, choose };
  return (
    <Page
      layout="fill"
      title={root === undefined ? board.root : titleOfCard(root.node)}
      intro="trace"
      tabTitle={`Trace of ${root === undefined ? board.root : nameOfCard(root.node)}`}
      above={
        root === undefined ? undefined : (
          <>
            Trace of {KIND_LOOKS[root.node.kind].name.toLowerCase() === 'gold' ? 'GOLD' : KIND_LOOKS[root.node.kind].name.toLowerCase()}{' '}
            {place === null ? nameOfCard(root.node) : <Link href={place}>{nameOfCard(root.node)}</Link>}
          </>
        )
      }
      subtitle={
        <span role="status" className="visually-hidden">
          {counted(board.cards.size, 'card')}, {counted(board.strings.length, 'string')}
        </span>
      }
      actions={
        <>
          {putBack === null ? null : (
            <Button size="small" icon={Undo2} onClick={putBack}>
              Reset layout
            </Button>
          )}
          <CopyMenu pinned={pinned} />
          <IconButton icon={ListTree} label="Outline" isPressed={isOutlined} onClick={() => setIsOutlined((is) => !is)} />
        </>
      }
    >
      <YarnFilters filters={wish.filters} offered={offered} onChange={(part) => change((now) => ({ filters: { ...now.filters, ...part } }))} />
      {wish.chosen.length === 0 ? null : (
        <YarnWays board={board} chosen={wish.chosen} ways={ways} onVisit={onVisit} onClear={() => change(() => ({ chosen: [] }))} />
      )}
      {trouble === null ? null : <Notice tone="warn">{`Couldn’t load everything: ${trouble.message}`}</Notice>}
      {failure === null ? null : <Notice tone="warn">{`Couldn’t lay out the board: ${failure}`}</Notice>}
      <div className={`graph-body${isOutlined ? ' graph-body-outlined' : ''}`}>
        {isOutlined ? (
          <section className="graph-side" aria-label="Outline">
            <YarnOutline rows={rows} current={current} chosen={wish.chosen} onVisit={onVisit} {...deeds} />
          </section>
        ) : null}
        {pinned === null ? null : (
          <YarnCanvas
            pinned={pinned}
            current={row === undefined ? current : cardOfRow(row)}
            onCurrent={setCurrent}
            visit={visit}
            chosen={wish.chosen}
            lit={lit}
            onPointCard={onPointCard}
            onPointString={onPointString}
            onMove={move}
            {...deeds}
          />
        )}
      </div>
      <p className="yarn-said one-line" role="status">
        {said}
      </p>
    </Page>
  );
};

const CopyMenu = ({ pinned }: { readonly pinned: PinnedBoard | null }) => {
  const tell = useToast();
  const copy = (what: string, make: (of: PinnedBoard) => string) => (): void => {
    if (pinned === null) return;
    navigator.clipboard.writeText(make(pinned)).then(
      () => tell({ tone: 'good', title: `Copied as ${what}` }),
      () => tell({ tone: 'bad', title: 'Couldn’t copy', text: 'Your browser blocks copying here.' }),
    );
  };
  const drawn = ({ board }: PinnedBoard) => ({ nodes: [...board.cards.values()].map(({ node }) => node), edges: board.strings });
  return (
    <Menu
      items={[
        { label: 'Copy as Mermaid', icon: Copy, onSelect: copy('Mermaid', (of) => mermaidOf(drawn(of))) },
        { label: 'Copy as DOT', icon: Copy, onSelect: copy('DOT', (of) => dotOf(drawn(of))) },
        { label: 'Copy as SVG', icon: Copy, onSelect: copy('SVG', svgOf) },
      ]}
    >
      <button type="button" className="button button-plain button-normal button-icon" aria-label="Copy board" disabled={pinned === null}>
        <Copy aria-hidden />
      </button>
    </Menu>
  );
};

/** The card or string under the pointer. */
type Pointed = { readonly kind: 'card' | 'string'; readonly id: string };

/** PAGE-233: the strings to highlight: those at what is pointed at, else those of the current outline line, plus the ways between chosen cards. */
const litStrings = (
  { strings }: YarnBoard,
  pointed: Pointed | null,
  row: OutlineRow | undefined,
  ways: readonly (readonly string[])[] | null,
): ReadonlySet<string> => {
  const steps = new Set((ways ?? []).flatMap((way) => way.slice(1).flatMap((ref, n) => [`${way[n] ?? ''} ${ref}`, `${ref} ${way[n] ?? ''}`])));
  const isOnWay = ({ from, to }: TraceString): boolean => steps.has(`${from} ${to}`);
  const isPointed = (string: TraceString): boolean => {
    if (pointed?.kind === 'string') return keyOfString(string) === pointed.id;
    if (pointed?.kind === 'card') return string.from === pointed.id || string.to === pointed.id;
    return row !== undefined && isOfRow(string, row);
  };
  return new Set(strings.filter((string) => isOnWay(string) || isPointed(string)).map(keyOfString));
};

const isOfRow = (string: TraceString, row: OutlineRow): boolean => {
  const { node, from } = row.card;
  switch (row.kind) {
    case 'card':
      return from === null ? string.from === node.ref || string.to === node.ref : keyOfString(string) === keyOfString(from.string);
    case 'again':
      return string.kind === row.by.kind && [string.from, string.to].includes(node.ref) && [string.from, string.to].includes(row.at);
    case 'bundle':
    case 'stack':
      return string.kind === row.bundle.kind && (row.bundle.end === 'out' ? string.from : string.to) === node.ref;
    default:
      return assertNever(row);
  }
};

/** The sentence for the string that is pointed at, else for the string that a card hangs by. */
const sentenceFor = (board: YarnBoard, pointed: Pointed | null, row: OutlineRow | undefined): string => {
  const nameFor = (ref: string): string => {
    const card = board.cards.get(ref);
    return card === undefined ? ref : nameOfCard(card.node);
  };
  if (pointed?.kind === 'string') {
    const string = board.strings.find((one) => keyOfString(one) === pointed.id);
    return string === undefined ? '' : sentenceOf(string, string.from, nameFor);
  }
  const card = pointed?.kind === 'card' ? board.cards.get(pointed.id) : row?.kind === 'card' ? row.card : undefined;
  return card === undefined || card.from === null ? '' : sentenceOf(card.from.string, card.node.ref, nameFor);
};

const cardOfRow = (row: OutlineRow): string => (row.kind === 'stack' ? row.id : row.card.node.ref);
