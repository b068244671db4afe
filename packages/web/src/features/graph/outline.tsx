import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import type { DrawnItem } from './drawing-desk.ts';
import { placeOf, useGist } from './gist.ts';
import { lookOf, marksOf, spoken } from './item-words.ts';
import './outline.css';
import { familyOf } from './outline-family.ts';

export type OutlineProps = {
  readonly sessionId: string;
  readonly items: readonly DrawnItem[];
  readonly current: string | null;
  /** The item is chosen here: whoever shows it elsewhere brings it into view. */
  readonly onVisit: (id: string) => void;
  readonly onToggle: (id: string, isOpen: boolean) => void;
};

/** The graph as a list: everything that can be seen or done on the canvas, for the keyboard and for whoever does not see it. */
export const Outline = ({ sessionId, items, current, onVisit, onToggle }: OutlineProps) => {
  const place = useRef<HTMLDivElement>(null);
  const [, navigate] = useLocation();
  const family = useMemo(() => familyOf(items), [items]);
  const at = Math.max(
    0,
    useMemo(() => items.findIndex(({ id }) => id === current), [items, current]),
  );
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW,
    overscan: 4,
    // What is scrolled to may come a moment later; a task that cannot be interrupted may not.
    useFlushSync: false,
    // The row that has the focus must not go when it is scrolled away.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => [...new Set([...defaultRangeExtractor(range), at])].sort((a, b) => a - b),
      [at],
    ),
  });
  const open = (item: DrawnItem): void => navigate(placeOf(sessionId, item));
  const isHere = useRef(false);
  useEffect(() => {
    rows.scrollToIndex(at);
    if (isHere.current) place.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus({ preventScroll: true });
  }, [at, rows]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const item = items[at];
    if (item === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const go = (index: number | undefined): void => {
      const next = items[Math.min(items.length - 1, Math.max(0, index ?? at))];
      if (next !== undefined) onVisit(next.id);
    };
    switch (event.key) {
      case 'ArrowDown':
        go(at + 1);
        break;
      case 'ArrowUp':
        go(at - 1);
        break;
      case 'ArrowRight':
        if (item.isOpen === false) onToggle(item.id, true);
        else if ((items[at + 1]?.level ?? 0) > item.level) go(at + 1);
        break;
      case 'ArrowLeft':
        if (item.isOpen === true) onToggle(item.id, false);
        else go(family[at]?.parent);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(items.length - 1);
        break;
      case 'PageDown':
        go(at + 12);
        break;
      case 'PageUp':
        go(at - 12);
        break;
      case 'Enter':
        open(item);
        break;
      case ' ':
        if (item.isOpen !== null) onToggle(item.id, !item.isOpen);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <div
      ref={place}
      className="graph-outline"
      role="tree"
      tabIndex={-1}
      aria-label="Outline of the graph"
      onFocus={() => {
        isHere.current = true;
      }}
      onBlur={() => {
        isHere.current = false;
      }}
    >
      <div className="graph-outline-all" role="presentation" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <Row
              key={item.id}
              sessionId={sessionId}
              item={item}
              index={index}
              top={start}
              isCurrent={index === at}
              isChosen={index === at && current !== null}
              position={family[index]?.position ?? 1}
              setSize={family[index]?.setSize ?? 1}
              onVisit={onVisit}
              onToggle={onToggle}
              onKeyDown={onKeyDown}
              onOpen={open}
              isRepeated={isRepeated(items[index - 1], item)}
            />
          );
        })}
      </div>
    </div>
  );
};

type RowProps = Pick<OutlineProps, 'sessionId' | 'onVisit' | 'onToggle'> & {
  readonly item: DrawnItem;
  readonly index: number;
  readonly top: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onOpen: (item: DrawnItem) => void;
  readonly isRepeated: boolean;
  readonly isCurrent: boolean;
  readonly isChosen: boolean;
  readonly position: number;
  readonly setSize: number;
};

const Row = ({ sessionId, item, index, top, isRepeated, isCurrent, isChosen, position, setSize, onVisit, onToggle, onKeyDown, onOpen }: RowProps) => {
  const gist = useGist(sessionId, item);
  const { icon: Icon, name } = lookOf(item);
  const Chevron = item.isOpen === true ? ChevronDown : ChevronRight;
  return (
    <div
      role="treeitem"
      className={`graph-row graph-row-${item.kind}${item.isActive ? ' graph-row-active' : ''}`}
      style={{
        transform: `translateY(${top}px)`,
        height: ROW,
        paddingLeft: `calc(var(--space-2) + ${Math.min(item.level - (item.kind === 'agent' ? 0 : 1), MOST_INDENTED)} * var(--space-3))`,
      }}
      aria-level={item.level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-selected={isChosen}
      {...(item.isOpen === null ? {} : { 'aria-expanded': item.isOpen })}
      tabIndex={isCurrent ? 0 : -1}
      data-row={index}
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        if (item.isOpen !== null && target instanceof Element && target.closest('[data-fold]') !== null) onToggle(item.id, !item.isOpen);
        else onVisit(item.id);
      }}
      onDoubleClick={() => onOpen(item)}
    >
      <span className="graph-row-fold" data-fold>
        {item.isOpen === null ? null : <Chevron aria-hidden />}
      </span>
      <Icon className="graph-row-icon" aria-hidden />
      <span className="visually-hidden">{spoken(item, gist)}</span>
      <span className="one-line" aria-hidden>
        {gist ?? name}
      </span>
      <span className="graph-row-end tiny faint numbers" aria-hidden>
        {marksOf(item).map(({ kind, text, icon: MarkIcon }) =>
          kind === 'branch' && isRepeated ? null : kind === 'branch' ? (
            <span key={kind} className="graph-mark graph-mark-branch">
              {text}
            </span>
          ) : (
            <MarkIcon key={kind} className={`graph-mark-${kind}`} aria-hidden>
              <title>{text}</title>
            </MarkIcon>
          ),
        )}
        {item.kind === 'message' ? null : item.messages}
      </span>
    </div>
  );
};

/** Whether the line above has said of this one which branch it is on. */
const isRepeated = (above: DrawnItem | undefined, { branch, level }: DrawnItem): boolean =>
  above?.isOpen === true && above.level < level && above.branch?.at === branch?.at && above.branch?.of === branch?.of;

const ROW = 32;
const MOST_INDENTED = 8;
