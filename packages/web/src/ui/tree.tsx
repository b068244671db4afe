import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react';
import './tree.css';
import { familyOf } from './tree-family.ts';

export type TreeRow = {
  readonly id: string;
  /** From 1. */
  readonly level: number;
  /** Null without children. */
  readonly isOpen: boolean | null;
};

export type TreeProps<R extends TreeRow> = {
  readonly label: string;
  readonly rows: readonly R[];
  readonly current: string | null;
  /** The row is selected here: another view scrolls it into view. */
  readonly onVisit: (id: string) => void;
  readonly onToggle: (id: string, isOpen: boolean) => void;
  /** Enter, or a double click. */
  readonly onOpen: (row: R) => void;
  /** Additional keys; true if it handled the key. */
  readonly onOwnKey?: (row: R, key: string) => boolean;
  readonly classOf: (row: R) => string;
  /** The indentation of its text. */
  readonly indentOf: (row: R) => number;
  readonly children: (row: R, index: number) => ReactNode;
};

/** A tree of any length with keyboard navigation: arrows move, expand and collapse, Enter opens. Only the visible rows are in the page. */
export const Tree = <R extends TreeRow>({
  label,
  rows: items,
  current,
  onVisit,
  onToggle,
  onOpen,
  onOwnKey,
  classOf,
  indentOf,
  children,
}: TreeProps<R>) => {
  const place = useRef<HTMLDivElement>(null);
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
    // Scrolled rows may render a moment later; synchronous rendering would block.
    useFlushSync: false,
    // The focused row must stay mounted when it is scrolled away.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => [...new Set([...defaultRangeExtractor(range), at])].sort((a, b) => a - b),
      [at],
    ),
  });
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
        onOpen(item);
        break;
      case ' ':
        if (item.isOpen !== null) onToggle(item.id, !item.isOpen);
        break;
      default:
        if (onOwnKey?.(item, event.key) !== true) return;
    }
    event.preventDefault();
  };

  return (
    <div
      ref={place}
      className="tree"
      role="tree"
      tabIndex={-1}
      aria-label={label}
      onFocus={() => {
        isHere.current = true;
      }}
      onBlur={() => {
        isHere.current = false;
      }}
    >
      <div className="tree-all" role="presentation" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <div
              key={item.id}
              role="treeitem"
              className={`tree-row ${classOf(item)}`}
              style={{
                transform: `translateY(${start}px)`,
                height: ROW,
                paddingLeft: `calc(var(--space-2) + ${Math.min(indentOf(item), MOST_INDENTED)} * var(--space-3))`,
              }}
              aria-level={item.level}
              aria-posinset={family[index]?.position ?? 1}
              aria-setsize={family[index]?.setSize ?? 1}
              aria-selected={index === at && current !== null}
              {...(item.isOpen === null ? {} : { 'aria-expanded': item.isOpen })}
              tabIndex={index === at ? 0 : -1}
              data-row={index}
              onKeyDown={onKeyDown}
              onClick={({ target }) => {
                if (item.isOpen !== null && target instanceof Element && target.closest('[data-fold]') !== null) onToggle(item.id, !item.isOpen);
                else onVisit(item.id);
              }}
              onDoubleClick={() => onOpen(item)}
            >
              <span className="tree-fold" data-fold>
                {item.isOpen === null ? null : item.isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
              </span>
              {children(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
};

const ROW = 32;
const MOST_INDENTED = 8;
