import { measureElement, observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { DayLine, dayBegun } from './day-line.tsx';
import { branchBy } from './branch-switch.tsx';
import { useFlowDeeds } from './flow-context.ts';
import { usePromptRows } from './prompts.ts';
import { SeenLine, useSeenLine } from './seen-line.tsx';
import { useFoundWords } from './found-words.ts';
import { isOpener, NEAR_END, useFollowing } from './flow-following.ts';
import './flow-list.css';
import { stepMove, useKeysFromAnywhere } from './flow-keys.ts';
import { useBroughtIntoSight, useScrolled } from './flow-sight.ts';
import type { ShownPart } from './shown-part.ts';
import { StepView, stepName } from './step.tsx';
import type { Flow } from './use-flow.ts';

export type FlowListProps = {
  readonly flow: Flow;
  readonly label: string;
  /** Whether this conversation gets the keys. */
  readonly isFront: boolean;
  /** Whether to mark the requested step. */
  readonly isMarking: boolean;
  /** The part of the requested step to show. */
  readonly part: ShownPart | null;
  /** The words searched for in it. */
  readonly words: readonly string[];
  /** Reports the step the reader is at; null at the end. */
  readonly onPlace: (uuid: string | null) => void;
};

/** PAGE-10: a conversation of any length, of which only the visible steps are drawn. It opens at its end, or at the requested step. */
export const FlowList = ({ flow, label, isFront, isMarking, part, words, onPlace }: FlowListProps) => {
  const { address, shape, stepAt, target, onRange } = flow;
  const { count, firstPlace, isSettled, hasEnd } = shape;
  const scroll = useRef<HTMLDivElement>(null);
  const hadEnd = useRef(hasEnd);
  const isFollowing = useRef(false);
  const mayFollow = useRef(false);
  const heldPlace = useRef<number | null>(null);
  const { isHeld, isEndSeen, hold, release } = useFollowing(scroll);
  const [current, setCurrent] = useState<number | null>(null);
  const currentRow = current === null ? null : current - firstPlace;

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => GUESSED,
    getItemKey: useCallback((row: number) => firstPlace + row, [firstPlace]),
    overscan: 4,
    anchorTo: 'end',
    // A reader at the end of a partial conversation isn't taken to the end of the whole when that loads.
    followOnAppend: hadEnd.current && !isHeld,
    // PAGE-150: for a reader who has opened something, no distance counts as near the end.
    scrollEndThreshold: isHeld ? -1 : NEAR_END,
    paddingEnd: 24,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    // Keeps the focused step mounted when it scrolls out of view.
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
    // Without layout, as in tests outside a browser, the estimates hold.
    observeElementRect: (instance, tell) =>
      observeElementRect(instance, (rect) => {
        // A reader at the end stays there when the viewport shrinks. The old height decides who is at the end: a scroll alone causes no render.
        const room = instance.scrollRect?.height ?? 0;
        const wasAtEnd = mayFollow.current && instance.getTotalSize() - room - (instance.scrollOffset ?? 0) <= NEAR_END;
        tell(rect.height === 0 ? UNSEEN : rect);
        if (isFollowing.current || wasAtEnd) instance.scrollToEnd();
      }),
    measureElement: (element, entry, instance) => measureElement(element, entry, instance) || GUESSED,
  });

  // A row above the viewport that changes size moves nothing below it, in either scroll direction. For a row across the upper edge that holds only
  // while scrolling up: there the row is formatted as it comes into view; otherwise it grows because somebody opened something.
  useLayoutEffect(() => {
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start, end, key }, _, { scrollOffset, scrollDirection }) =>
      (scrollDirection === 'backward' && key !== heldPlace.current ? start : end - 1) < (scrollOffset ?? 0);
  }, [virtualizer]);

  const rows = virtualizer.getVirtualItems();
  const from = virtualizer.range?.startIndex ?? Math.max(0, count - 1);
  const to = virtualizer.range?.endIndex ?? Math.max(0, count - 1);
  useEffect(() => onRange(from, to), [onRange, from, to]);

  // Opens at the end; the requested step is shown once its place is known.
  useLayoutEffect(() => {
    if (target === null) virtualizer.scrollToEnd();
    // Only once: from then on the reader scrolls.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  useLayoutEffect(() => {
    const row = target === null ? -1 : target.place - firstPlace;
    if (target === null || row < 0 || row >= count) return;
    if (isMarking) setCurrent(target.place);
    virtualizer.scrollToIndex(row, { align: 'start' });
    // oxlint-disable-next-line react/exhaustive-deps -- only when something is asked for
  }, [target]);
  // The row numbers may shift while the scroll is still under way: continue to the same step, not to the row that now has its number.
  useLayoutEffect(() => {
    if (target !== null && virtualizer['scrollState'] !== null) virtualizer.scrollToIndex(target.place - firstPlace, { align: 'start' });
    // oxlint-disable-next-line react/exhaustive-deps -- only when they are
  }, [firstPlace]);

  // The requested part opens by itself, and holds its place as if the reader had opened it.
  useEffect(() => {
    if (part === null || target === null) return;
    heldPlace.current = target.place;
    hold();
  }, [part, target, hold]);
  useBroughtIntoSight(scroll, part, (by) => virtualizer.scrollToOffset((virtualizer.scrollOffset ?? 0) + by));
  useFoundWords(scroll, target === null ? null : `[data-place="${target.place}"] .step`, words);

  const goTo = useCallback(
    (row: number, align: 'auto' | 'start' = 'auto') => {
      if (row === count - 1) release();
      setCurrent(firstPlace + row);
      virtualizer.scrollToIndex(row, { align });
      // The row may have to be drawn first.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => scroll.current?.querySelector<HTMLElement>(`[data-index="${row}"]`)?.focus({ preventScroll: true })),
      );
    },
    [firstPlace, count, release, virtualizer],
  );

  const promptRows = usePromptRows(address);
  const goToPrompt = async ({ by, row }: { readonly by: 1 | -1; readonly row: number }): Promise<void> => {
    const prompts = await promptRows().catch(() => []); // the keys do nothing while the server is unreachable
    const next = by === 1 ? prompts.find((one) => one > row) : prompts.findLast((one) => one < row);
    if (isSettled && next !== undefined && next < count) goTo(next, 'start');
  };

  const { takeBranch } = useFlowDeeds();
  const goToBranch = (by: 1 | -1): void => {
    const branch = currentRow === null ? null : (stepAt(currentRow)?.branch ?? null);
    const wanted = branch === null ? null : branchBy(branch, by);
    if (wanted !== null) takeBranch(wanted);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const article = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-index]') : null;
    const move = stepMove(event, { isOnStep: article !== null && article === event.target, row: currentRow ?? to, count });
    if (move === null) return;
    event.preventDefault();
    if (move.kind === 'go') goTo(move.row);
    else if (move.kind === 'prompt') void goToPrompt(move);
    else if (move.kind === 'branch') goToBranch(move.by);
    else if (move.kind === 'open') article?.querySelector<HTMLElement>('.operation-line, .agent-card-open, .operations button')?.focus();
    else article?.focus();
  };

  // A reader who isn't in the conversation yet enters it at what they are looking at.
  useKeysFromAnywhere(isFront, (event) => {
    const move = stepMove(event, { isOnStep: true, row: currentRow ?? to, count });
    if (move?.kind === 'prompt') void goToPrompt(move);
    if (move?.kind === 'branch') goToBranch(move.by);
    if (move?.kind !== 'go') return move?.kind === 'prompt' || move?.kind === 'branch';
    goTo(currentRow === null && (event.key === 'j' || event.key === 'k') ? to : move.row);
    return true;
  });

  const onClickCapture = ({ target: clicked }: MouseEvent): void => {
    const row = rowOf(clicked);
    if (row === null || !isOpener(clicked)) return;
    heldPlace.current = firstPlace + row;
    hold();
  };

  const onFocus = (event: FocusEvent<HTMLElement>): void => {
    const row = rowOf(event.target);
    if (row !== null) setCurrent(firstPlace + row);
  };

  const isAtEnd = hasEnd && !isHeld && (!isSettled || virtualizer.isAtEnd(NEAR_END));
  useEffect(() => {
    isFollowing.current = isAtEnd;
    mayFollow.current = hasEnd && !isHeld;
    hadEnd.current = hasEnd;
  });
  const seen = useSeenLine(address, isAtEnd && isSettled ? (stepAt(count - 1)?.uuid ?? null) : null);
  useScrolled(scroll, () => {
    if (!isSettled) return;
    const row = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + PADDING * 2)?.index ?? null;
    onPlace(row === null || isFollowing.current ? null : (stepAt(row)?.uuid ?? null));
  });
  const isBusy = rows.some(({ index }) => stepAt(index) === null);
  return (
    <div className="flow">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that move between the steps of a feed */}
      <div
        ref={scroll}
        className="flow-scroll"
        role="feed"
        aria-label={label}
        aria-busy={isBusy}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onClickCapture={onClickCapture}
      >
        <div ref={virtualizer.containerRef} className="flow-steps">
          {rows.map(({ key, index }) => {
            const step = stepAt(index);
            const day = step === null ? null : dayBegun(step, index === 0 ? null : stepAt(index - 1), isSettled && index === 0);
            return (
              <article
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                data-place={key}
                id={step === null ? undefined : `message-${step.uuid}`}
                className={`flow-step${Number(key) === current ? ' flow-step-current' : ''}`}
                aria-label={step === null ? 'Loading' : stepName(step)}
                aria-posinset={isSettled ? index + 1 : undefined}
                aria-setsize={isSettled ? count : -1}
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the steps of a feed take the focus, one after the other
                tabIndex={index === (currentRow ?? to) ? 0 : -1}
              >
                {day === null ? null : <DayLine day={day} />}
                {step === null ? <Coming /> : <StepView step={step} isNear={Number(key) === current} />}
                {step !== null && step.uuid === seen && index < count - 1 ? <SeenLine /> : null}
              </article>
            );
          })}
        </div>
      </div>
      <NewSteps
        count={count}
        isFollowing={isAtEnd || !hasEnd}
        isEndSeen={isHeld && isEndSeen}
        isSettled={isSettled}
        onGo={() => {
          release();
          virtualizer.scrollToEnd();
        }}
      />
    </div>
  );
};

const rowOf = (target: EventTarget): number | null => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]')?.dataset['index'] : undefined;
  return row === undefined ? null : Number(row);
};

/** PAGE-11: counts the steps that arrived while the reader was elsewhere; they move nothing. */
const NewSteps = ({
  count,
  isFollowing,
  isEndSeen,
  isSettled,
  onGo,
}: {
  readonly count: number;
  readonly isFollowing: boolean;
  readonly isEndSeen: boolean;
  readonly isSettled: boolean;
  readonly onGo: () => void;
}) => {
  const [seen, setSeen] = useState<number | null>(null);
  if (isSettled && seen !== count && (isFollowing || seen === null || seen > count)) setSeen(count);
  const fresh = seen === null ? 0 : count - seen;
  return (
    <div className="flow-end" aria-live="polite">
      {isFollowing ? null : fresh > 0 ? (
        <Button variant="primary" icon={ArrowDown} onClick={onGo}>
          {fresh} new
        </Button>
      ) : isEndSeen ? null : (
        <IconButton variant="plain" icon={ArrowDown} label="Go to latest" onClick={onGo} />
      )}
    </div>
  );
};

/** A loading row keeps its estimated height, so that nothing has to be measured while scrolling past it. */
const Coming = () => (
  <div className="flow-coming" style={{ height: GUESSED - PADDING }}>
    <Skeleton lines={3} />
  </div>
);

const GUESSED = 112;
const PADDING = 16;
const UNSEEN = { width: 720, height: 900 };
