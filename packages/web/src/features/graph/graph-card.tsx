import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { DrawnItem } from './drawing-desk.ts';
import { placeOf, useGist } from './gist.ts';
import { useGraphActions } from './graph-context.ts';
import './graph-card.css';
import { lookOf, marksOf, sizeText, spoken, type Mark } from './item-words.ts';

export type CardNode = Node<{ readonly item: DrawnItem }, 'card'>;

/** A card on the canvas: a link to the message, and a button that opens what is folded in it. */
export const GraphCard = memo(({ data: { item } }: NodeProps<CardNode>) => {
  const { sessionId, current, stop, wanted, isNear, toggle, take, onKey } = useGraphActions();
  const gist = useGist(sessionId, item, isNear);
  const link = useRef<HTMLAnchorElement>(null);
  const isWanted = wanted === item.id;
  useEffect(() => {
    if (isWanted) link.current?.focus({ preventScroll: true });
  }, [isWanted]);
  const { icon: Icon, name } = lookOf(item);
  const marks = marksOf(item);
  const fold = item.isOpen === true ? item.id : item.folds[0];
  return (
    <div
      className={[
        'graph-card',
        `graph-card-${item.kind}`,
        ...(item.isActive ? ['graph-card-active'] : []),
        ...(item.isLost ? ['graph-card-lost'] : []),
      ].join(' ')}
      data-current={current === item.id || undefined}
    >
      {PORTS.map(({ id, type, position }) => (
        <Handle key={id} id={id} type={type} position={position} isConnectable={false} className="graph-card-port" />
      ))}
      <Link
        ref={link}
        href={placeOf(sessionId, item)}
        className="graph-card-link"
        tabIndex={stop === item.id ? 0 : -1}
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
        <button type="button" className="graph-card-fold" tabIndex={-1} aria-label={`Open ${name}`} onClick={() => toggle(item.id, true)}>
          <ChevronsUpDown aria-hidden />
        </button>
      ) : fold === undefined ? null : (
        <button
          type="button"
          className="graph-card-fold"
          tabIndex={-1}
          aria-label={`Fold what begins with ${name}`}
          onClick={() => toggle(fold, false)}
        >
          <ChevronsDownUp aria-hidden />
        </button>
      )}
    </div>
  );
});

const MarkTag = ({ mark: { kind, text, icon: Icon } }: { readonly mark: Mark }) => (
  <span className={`graph-mark graph-mark-${kind}`}>
    <Icon aria-hidden />
    {text}
  </span>
);

const isInside = ({ kind }: Mark): boolean => kind === 'error' || kind === 'state';

/** What goes on leaves at the bottom and arrives at the top; what stands beside is reached from the side. */
export const PORTS = [
  { id: 'in', type: 'target', position: Position.Top },
  { id: 'out', type: 'source', position: Position.Bottom },
  { id: 'beside', type: 'target', position: Position.Left },
  { id: 'aside', type: 'source', position: Position.Right },
] as const;
