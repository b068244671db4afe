import { measureElement, observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/state.tsx';
import './flow-list.css';
import { stepMove } from './flow-keys.ts';
import { StepView, stepName } from './step.tsx';
import type { Flow } from './use-flow.ts';

/** PAGE-10: a conversation of any length, of which only what is in sight is drawn. It opens at its end, or where it was asked to. */
export const FlowList = ({ flow, label }: { readonly flow: Flow; readonly label: string }) => {
  const { shape, stepAt, target, onRange } = flow;
  const { count, firstPlace, isSettled } = shape;
  const scroll = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(false);
  const [current, setCurrent] = useState<number | null>(null);
  const currentRow = current === null ? null : current - firstPlace;

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => GUESSED,
    getItemKey: useCallback((row: number) => firstPlace + row, [firstPlace]),
    overscan: 4,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
    paddingEnd: 24,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    // Whoever is on a step by keyboard stays on it when it is scrolled out of sight.
    rangeExtractor: useCallback(
      ({ startIndex, endIndex, overscan, count: all }: { startIndex: number; endIndex: number; overscan: number; count: number }) => {
        const from = Math.max(0, startIndex - overscan);
        const to = Math.min(all - 1, endIndex + overscan);
        const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
        if (currentRow === null || currentRow < 0 || currentRow >= all) return rows;
        return currentRow < from ? [currentRow, ...rows] : currentRow > to ? [...rows, currentRow] : rows;
      },
      [currentRow],
    ),
    // Where nothing is ever laid out, as in a test without a browser, what was guessed holds.
    observeElementRect: (instance, tell) =>
      observeElementRect(instance, (rect) => {
        tell(rect.height === 0 ? UNSEEN : rect);
        // Whoever reads the end goes on reading it when there is less room.
        if (isFollowing.current) instance.scrollToEnd();
      }),
    measureElement: (element, entry, instance) => measureElement(element, entry, instance) || GUESSED,
  });

  // What changes its size above the fold moves nothing below it, whichever way one scrolls. Of a row across the fold that holds on the way up only: there it
  // is formatted as it comes into sight, else it grows where somebody opens something.
  useLayoutEffect(() => {
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start, end }, _, { scrollOffset, scrollDirection }) =>
      (scrollDirection === 'backward' ? start : end - 1) < (scrollOffset ?? 0);
  }, [virtualizer]);

  const rows = virtualizer.getVirtualItems();
  const from = virtualizer.range?.startIndex ?? Math.max(0, count - 1);
  const to = virtualizer.range?.endIndex ?? Math.max(0, count - 1);
  useEffect(() => onRange(from, to), [onRange, from, to]);

  // Opens at the end; what was asked for is shown once it is known where it is.
  useLayoutEffect(() => {
    if (target === null) virtualizer.scrollToEnd();
    // Once: later it is the reader who scrolls.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  useLayoutEffect(() => {
    if (target === null || !isSettled) return;
    setCurrent(firstPlace + target.row);
    virtualizer.scrollToIndex(target.row, { align: 'start' });
    // oxlint-disable-next-line react/exhaustive-deps -- only when something is asked for
  }, [target, isSettled]);

  const goTo = useCallback(
    (row: number) => {
      setCurrent(firstPlace + row);
      virtualizer.scrollToIndex(row, { align: 'auto' });
      // It may have to be drawn first.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => scroll.current?.querySelector<HTMLElement>(`[data-index="${row}"]`)?.focus({ preventScroll: true })),
      );
    },
    [firstPlace, virtualizer],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const article = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-index]') : null;
    const move = stepMove(event, { isOnStep: article !== null && article === event.target, row: currentRow ?? to, count });
    if (move === null) return;
    event.preventDefault();
    if (move.kind === 'go') goTo(move.row);
    else if (move.kind === 'open') article?.querySelector<HTMLElement>('.operation-line, .agent-card-open, .operations button')?.focus();
    else article?.focus();
  };

  const onFocus = (event: FocusEvent<HTMLElement>): void => {
    const row = Number(event.target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? Number.NaN);
    if (Number.isInteger(row)) setCurrent(firstPlace + row);
  };

  const isAtEnd = !isSettled || virtualizer.isAtEnd(NEAR_END);
  useEffect(() => {
    isFollowing.current = isAtEnd;
  });
  const isBusy = rows.some(({ index }) => stepAt(index) === null);
  return (
    <div className="flow">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that move between the steps of a feed */}
      <div ref={scroll} className="flow-scroll" role="feed" aria-label={label} aria-busy={isBusy} onKeyDown={onKeyDown} onFocus={onFocus}>
        <div ref={virtualizer.containerRef} className="flow-steps">
          {rows.map(({ key, index }) => {
            const step = stepAt(index);
            return (
              <article
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                id={step === null ? undefined : `message-${step.uuid}`}
                className={`flow-step${Number(key) === current ? ' flow-step-current' : ''}`}
                aria-label={step === null ? 'Loading' : stepName(step)}
                aria-posinset={isSettled ? index + 1 : undefined}
                aria-setsize={isSettled ? count : -1}
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the steps of a feed take the focus, one after the other
                tabIndex={index === (currentRow ?? to) ? 0 : -1}
              >
                {step === null ? <Coming /> : <StepView step={step} isNear={Number(key) === current} />}
              </article>
            );
          })}
        </div>
      </div>
      <NewSteps count={count} isAtEnd={isAtEnd} isSettled={isSettled} onGo={() => virtualizer.scrollToEnd()} />
    </div>
  );
};

/** PAGE-11: what came while the reader was elsewhere is counted; it moves nothing. */
const NewSteps = ({
  count,
  isAtEnd,
  isSettled,
  onGo,
}: {
  readonly count: number;
  readonly isAtEnd: boolean;
  readonly isSettled: boolean;
  readonly onGo: () => void;
}) => {
  const [seen, setSeen] = useState<number | null>(null);
  if (isSettled && seen !== count && (isAtEnd || seen === null || seen > count)) setSeen(count);
  const fresh = seen === null ? 0 : count - seen;
  return (
    <div className="flow-end" aria-live="polite">
      {isAtEnd ? null : fresh > 0 ? (
        <Button variant="primary" icon={ArrowDown} onClick={onGo}>
          {fresh} new
        </Button>
      ) : (
        <IconButton variant="plain" icon={ArrowDown} label="To the end" onClick={onGo} />
      )}
    </div>
  );
};

/** What is on its way is as high as was guessed: nothing has to be measured while somebody scrolls past it. */
const Coming = () => (
  <div className="flow-coming" style={{ height: GUESSED - PADDING }}>
    <Skeleton lines={3} />
  </div>
);

const GUESSED = 112;
const PADDING = 16;
const NEAR_END = 60;
const UNSEEN = { width: 720, height: 900 };
