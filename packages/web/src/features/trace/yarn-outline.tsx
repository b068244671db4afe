import { assertNever } from '@yarnboard/domain';
import { CornerUpLeft, Layers, Spline } from 'lucide-react';
import { useLocation } from 'wouter';
import { tracePath } from '../../shared/trace-link.tsx';
import { Tree } from '../../ui/tree.tsx';
import { useNow } from '../../ui/now.tsx';
import { agoText, countOf } from '../../ui/wording.ts';
import { MARK_LOOKS } from '../../shared/mark-looks.ts';
import { KIND_LOOKS, nameOfCard, placeOfCard, spokenCard, titleOfCard, wordOfBundle } from './card-words.ts';
import type { OutlineRow } from './outline-rows.ts';
import type { YarnDeeds } from './yarn-context.ts';
import './yarn-outline.css';

export type YarnOutlineProps = YarnDeeds & {
  readonly rows: readonly OutlineRow[];
  readonly current: string | null;
  readonly chosen: readonly string[];
  readonly onVisit: (id: string) => void;
};

/** PAGE-236: the whole board as an outline, for keyboards and screen readers. */
export const YarnOutline = ({ rows, current, chosen, onVisit, toggle, lift, choose }: YarnOutlineProps) => {
  const [, navigate] = useLocation();
  const rowOf = (id: string): OutlineRow | undefined => rows.find((row) => row.id === id);
  const onToggle = (row: OutlineRow | undefined): void => {
    if (row?.kind === 'card') toggle(row.card, null);
    else if (row?.kind === 'bundle') toggle(row.card, row.bundle);
  };
  const onOpen = (row: OutlineRow): void => {
    const { node } = row.card;
    if (row.kind === 'card') navigate(placeOfCard(node) ?? tracePath(node.ref));
    else if (row.kind === 'again') onVisit(node.ref);
    else if (row.kind === 'stack') lift(row.card, row.bundle);
    else toggle(row.card, row.bundle);
  };
  return (
    <Tree
      label="Outline of the yarn board"
      rows={rows}
      current={current}
      onVisit={onVisit}
      onToggle={(id) => onToggle(rowOf(id))}
      onOpen={onOpen}
      onOwnKey={(row, key) => {
        if (row.kind !== 'card' && row.kind !== 'again') return false;
        if (key === 'c') choose(row.card.node.ref);
        else if (key === 't') navigate(tracePath(row.card.node.ref));
        else return false;
        return true;
      }}
      classOf={(row) => `yarn-row yarn-row-${row.kind}${chosen.includes(row.card.node.ref) && row.kind === 'card' ? ' yarn-row-chosen' : ''}`}
      indentOf={({ level }) => level - 1}
    >
      {(row) => <RowWords row={row} isChosen={row.kind === 'card' && chosen.includes(row.card.node.ref)} />}
    </Tree>
  );
};

const RowWords = ({ row, isChosen }: { readonly row: OutlineRow; readonly isChosen: boolean }) => {
  const now = useNow();
  const { node } = row.card;
  switch (row.kind) {
    case 'bundle':
      return (
        <>
          <Spline aria-hidden />
          <span className="one-line">{wordOfBundle(row.bundle)}</span>
          <span className="yarn-row-end tiny faint numbers">
            {countOf(row.shown + row.more)}
            {row.more > 0 && row.shown > 0 ? <span className="visually-hidden"> of which {countOf(row.more)} not shown</span> : null}
          </span>
        </>
      );
    case 'stack':
      return (
        <>
          <Layers aria-hidden />
          <span className="one-line">{countOf(row.more)} more: lay out the next 60</span>
        </>
      );
    case 'again':
      return (
        <>
          <CornerUpLeft aria-hidden />
          <span className="one-line">
            {nameOfCard(node)} <span className="faint">shown {row.where}</span>
          </span>
        </>
      );
    case 'card': {
      const { icon: Icon } = KIND_LOOKS[node.kind];
      const ms = node.at === null ? Number.NaN : Date.parse(node.at);
      const when = Number.isNaN(ms) ? '' : agoText(ms, now);
      return (
        <>
          <Icon className="yarn-row-icon" aria-hidden />
          <span className="visually-hidden">
            {[...(row.by === null ? [] : [wordOfBundle(row.by)]), spokenCard(node, when), ...(isChosen ? ['chosen'] : [])].join(', ')}
          </span>
          <span className="one-line" aria-hidden>
            <span className="yarn-row-ref">{nameOfCard(node)}</span> {titleOfCard(node) === nameOfCard(node) ? '' : titleOfCard(node)}
          </span>
          <span className="yarn-row-end tiny faint" aria-hidden>
            {node.marks.map((mark) => {
              const { icon: MarkIcon, word } = MARK_LOOKS[mark];
              return (
                <span key={mark} className="yarn-row-mark">
                  <MarkIcon /> {word}
                </span>
              );
            })}
            {when}
          </span>
        </>
      );
    }
    default:
      return assertNever(row);
  }
};
