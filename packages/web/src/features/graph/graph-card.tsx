import type { Node, NodeProps } from '@xyflow/react';
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { DrawnItem } from './drawing-desk.ts';
import { placeOf, useGist } from './gist.ts';
import { useFocusOf, useGraphActions } from './graph-context.ts';
import './graph-card.css';
import { lookOf, marksOf, sizeText, spoken, type Mark } from './item-words.ts';
import { Ports } from './ports.tsx';

export type CardNode = Node<{ readonly item: DrawnItem }, 'card'>;

/** Zoomed out, a card shows only its type: there may be hundreds. */
export const GraphCard = memo(({ data: { item } }: NodeProps<CardNode>) =>
  useGraphActions().isNear ? <NearCard item={item} /> : <FarCard item={item} />,
);

const FarCard = ({ item }: { readonly item: DrawnItem }) => {
  const { icon: Icon, name } = lookOf(item);
  return (
    <div className={`${classOf(item)} graph-card-far`}>
      <Ports />
      <Icon className="graph-card-icon" aria-hidden />
      <span className="graph-card-title one-line">{name}</span>
    </div>
  );
};

/** A link to the message, and a button that unfolds the card. */
const NearCard = ({ item }: { readonly item: DrawnItem }) => {
  const { sessionId, toggle, take, onKey } = useGraphActions();
  const { current, stop, wanted } = useFocusOf(item.id);
  const gist = useGist(sessionId, item);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (wanted) link.current?.focus({ preventScroll: true });
  }, [wanted]);
  const { icon: Icon, name } = lookOf(item);
  const marks = marksOf(item);
  const fold = item.isOpen === true ? item.id : item.folds[0];
  return (
    <div className={classOf(item)} data-current={current || undefined}>
      <Ports />
      <Link
        ref={link}
        href={placeOf(sessionId, item)}
        className="graph-card-link"
        tabIndex={stop ? 0 : -1}
        draggable={false}
        onFocus={() => take(item.id)}
        onKeyDown={(event) => onKey(item, event)}
      >
        <span className="visually-hidden">{spoken(item, gist)}</span>
        <Icon className="graph-card-icon" aria-hidden />
        <span className="graph-card-words" aria-hidden>
          <span className="graph-card-title one-line">{gist ?? name}</span>
          <span className="graph-card-more">
            {marks.filter(isInside).map((mark) => (
              <MarkTag key={mark.kind} mark={mark} />
            ))}
            <span className="one-line">{gist !== null && item.kind === 'message' ? `${name} · ${sizeText(item)}` : sizeText(item)}</span>
          </span>
        </span>
      </Link>
      <span className="graph-card-tags" aria-hidden>
        {marks
          .filter((mark) => !isInside(mark))
          .map((mark) => (
            <MarkTag key={mark.kind} mark={mark} />
          ))}
      </span>
      {item.isOpen === false ? (
        <button type="button" className="graph-card-fold" tabIndex={-1} aria-label={`Expand ${name}`} onClick={() => toggle(item.id, true)}>
          <ChevronsUpDown aria-hidden />
        </button>
      ) : fold === undefined ? null : (
        <button type="button" className="graph-card-fold" tabIndex={-1} aria-label={`Collapse ${name}`} onClick={() => toggle(fold, false)}>
          <ChevronsDownUp aria-hidden />
        </button>
      )}
    </div>
  );
};

const classOf = ({ kind, isActive, isLost }: DrawnItem): string =>
  ['graph-card', `graph-card-${kind}`, ...(isActive ? ['graph-card-active'] : []), ...(isLost ? ['graph-card-lost'] : [])].join(' ');

const MarkTag = ({ mark: { kind, text, icon: Icon } }: { readonly mark: Mark }) => (
  <span className={`graph-mark graph-mark-${kind}`}>
    <Icon aria-hidden />
    {text}
  </span>
);

const isInside = ({ kind }: Mark): boolean => kind === 'error' || kind === 'state';
