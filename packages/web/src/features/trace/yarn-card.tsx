import { type Node, type NodeProps } from '@xyflow/react';
import { ChevronsDownUp, ChevronsUpDown, Layers, PanelRightOpen, Route, Waypoints } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useBeside } from '../../shared/beside.ts';
import { nameOf } from '../../shared/names.ts';
import { tracePath } from '../../shared/trace-link.tsx';
import { useNow } from '../../ui/now.tsx';
import { agoText, countOf } from '../../ui/wording.ts';
import { MARK_LOOKS } from '../../shared/mark-looks.ts';
import { KIND_LOOKS, nameOfCard, placeOfCard, spokenCard, titleOfCard, wordOfBundle } from './card-words.ts';
import type { HangingBundle, TraceNode, YarnCard } from './yarn-board.ts';
import { Ports } from '../graph/ports.tsx';
import './yarn-card.css';
import { useSightOf, useYarnActions } from './yarn-context.ts';

/** A card, or the stack of a bundle's remaining cards. */
export type YarnItem = {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly isCard: true;
  readonly card: YarnCard;
  readonly stack: HangingBundle | null;
};

export type YarnNode = Node<{ readonly item: YarnItem; readonly isRoot: boolean }, 'yarn'>;

/** When zoomed out, a card shows only what it is. */
export const YarnNodeView = memo(({ data: { item, isRoot } }: NodeProps<YarnNode>) => {
  const { isNear } = useYarnActions();
  if (item.stack !== null) return <StackCard item={item} stack={item.stack} />;
  return isNear ? <NearCard item={item} isRoot={isRoot} /> : <FarCard item={item} isRoot={isRoot} />;
});

type CardProps = { readonly item: YarnItem; readonly isRoot: boolean };

const FarCard = ({ item: { card }, isRoot }: CardProps) => {
  const { icon: Icon } = KIND_LOOKS[card.node.kind];
  return (
    <div className={classOf(card.node, 'yarn-card-far')} data-root={isRoot || undefined}>
      <Ports />
      <Icon className="yarn-card-icon" aria-hidden />
      <span className="one-line">{nameOfCard(card.node)}</span>
    </div>
  );
};

const NearCard = ({ item, isRoot }: CardProps) => {
  const { card } = item;
  const { node } = card;
  const { take, point, onKey } = useYarnActions();
  const { current, stop, wanted, lit, chosen } = useSightOf(item.id);
  const when = useWhen(node);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (wanted) link.current?.focus({ preventScroll: true });
  }, [wanted]);
  const { icon: Icon, name } = KIND_LOOKS[node.kind];
  return (
    <div
      className={classOf(node)}
      data-root={isRoot || undefined}
      data-current={current || undefined}
      data-lit={lit || undefined}
      data-chosen={chosen || undefined}
      onPointerEnter={() => point(item.id)}
      onPointerLeave={() => point(null)}
    >
      <Ports />
      <Link
        ref={link}
        href={placeOfCard(node) ?? tracePath(node.ref)}
        className="yarn-card-link"
        tabIndex={stop ? 0 : -1}
        draggable={false}
        onFocus={() => take(item.id)}
        onKeyDown={(event) => onKey(item.id, event)}
      >
        <span className="visually-hidden">{spokenCard(node, when)}</span>
        <span className="yarn-card-head" aria-hidden>
          <Icon className="yarn-card-icon" />
          <span className="one-line" title={node.ref}>
            {name} <span className="yarn-card-ref">{nameOfCard(node)}</span>
          </span>
          <Marks node={node} />
        </span>
        <span className="yarn-card-title" aria-hidden>
          {titleOfCard(node)}
        </span>
        <span className="yarn-card-about one-line" aria-hidden>
          {[...(node.by === null ? [] : [nameOf(node.by)]), ...(when === '' ? [] : [when])].join(' · ')}
        </span>
      </Link>
      <CardFoot card={card} isChosen={chosen} />
    </div>
  );
};

/** PAGE-230: how much more hangs on a card, per bundle, and the actions on it. */
const CardFoot = ({ card, isChosen }: { readonly card: YarnCard; readonly isChosen: boolean }) => {
  const { toggle, choose } = useYarnActions();
  const { node, bundles, isUnfolded: isOpen } = card;
  const name = nameOfCard(node);
  const beside = useBeside();
  const sidebar = node.kind === 'sidebar' ? node.ref : /^SB-\d+$/u.test(node.context ?? '') ? node.context : null;
  const hidden = bundles.filter(({ more, isStacked }) => more > 0 && !isStacked);
  const [first, ...others] = hidden;
  const left = others.reduce((sum, { more }) => sum + more, 0);
  return (
    <span className="yarn-card-foot nodrag">
      {first === undefined ? null : (
        <button type="button" className="yarn-card-more one-line" tabIndex={-1} onClick={() => toggle(card, first)} title={titleOfBundles(hidden)}>
          +{countOf(first.more)} {wordOfBundle(first)}
        </button>
      )}
      {left === 0 ? null : (
        <button
          type="button"
          className="yarn-card-more"
          tabIndex={-1}
          aria-label={`Unfold ${countOf(left)} more of ${name}`}
          title={titleOfBundles(hidden)}
          onClick={() => toggle(card, null)}
        >
          +{countOf(left)}
        </button>
      )}
      <span className="yarn-card-tools">
        {beside === null || sidebar === null ? null : (
          <button
            type="button"
            className="yarn-card-tool"
            tabIndex={-1}
            aria-label={`Open ${sidebar} beside this`}
            title={`Open ${sidebar} beside this`}
            onClick={() => beside.open(sidebar)}
          >
            <PanelRightOpen aria-hidden />
          </button>
        )}
        <button
          type="button"
          className="yarn-card-tool"
          tabIndex={-1}
          aria-pressed={isChosen}
          aria-label={`Choose ${name} for a way`}
          title="Choose two cards to see the ways between them"
          onClick={() => choose(node.ref)}
        >
          <Route aria-hidden />
        </button>
        <Link
          href={tracePath(node.ref)}
          className="yarn-card-tool"
          tabIndex={-1}
          aria-label={`Trace from ${name}`}
          title="Trace from here"
          draggable={false}
        >
          <Waypoints aria-hidden />
        </Link>
        {bundles.length === 0 ? null : (
          <button
            type="button"
            className="yarn-card-tool"
            tabIndex={-1}
            aria-label={`${isOpen ? 'Fold' : 'Unfold'} ${name}`}
            onClick={() => toggle(card, null)}
          >
            {isOpen ? <ChevronsDownUp aria-hidden /> : <ChevronsUpDown aria-hidden />}
          </button>
        )}
      </span>
    </span>
  );
};

const StackCard = ({ item, stack }: { readonly item: YarnItem; readonly stack: HangingBundle }) => {
  const { lift, take, onKey } = useYarnActions();
  const { current, stop, wanted } = useSightOf(item.id);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (wanted) button.current?.focus({ preventScroll: true });
  }, [wanted]);
  return (
    <button
      ref={button}
      type="button"
      className="yarn-card yarn-stack"
      data-current={current || undefined}
      tabIndex={stop ? 0 : -1}
      onFocus={() => take(item.id)}
      onKeyDown={(event) => onKey(item.id, event)}
      onClick={() => lift(item.card, stack)}
    >
      <Layers className="yarn-card-icon" aria-hidden />
      <span>
        {countOf(stack.more)} more, {wordOfBundle(stack)} {nameOfCard(item.card.node)}
      </span>
      <span className="yarn-card-about">Lay out the next 60</span>
    </button>
  );
};

const Marks = ({ node: { marks } }: { readonly node: TraceNode }) =>
  marks.map((mark) => {
    const { icon: Icon, word, tone } = MARK_LOOKS[mark];
    return (
      <span key={mark} className={`yarn-mark yarn-mark-${tone}`}>
        <Icon aria-hidden />
        {word}
      </span>
    );
  });

const useWhen = ({ at }: TraceNode): string => {
  const now = useNow();
  const ms = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(ms) ? '' : agoText(ms, now);
};

const titleOfBundles = (bundles: readonly HangingBundle[]): string => bundles.map((one) => `${countOf(one.more)} ${wordOfBundle(one)}`).join(', ');

const classOf = ({ kind, marks }: TraceNode, ...more: readonly string[]): string =>
  ['yarn-card', `yarn-card-${kind}`, ...marks.map((mark) => `yarn-card-${mark}`), ...more].join(' ');
