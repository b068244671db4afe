import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLive } from '../../live/hooks.tsx';
import { useReadAhead } from '../../ui/text-reading.tsx';
import { useLatest } from './latest.ts';
import { dropOldest, keyFor, takeEnd } from './flow-cache.ts';
import { useCalm, useNewEnd } from './flow-news.ts';
import {
  firstInput,
  formattedIn,
  hasOpenEnds,
  isPart,
  pageInput,
  pagesFor,
  placeOf,
  shapeOf,
  shapeWith,
  stepAt,
  tailInput,
  type FlowAddress,
  type FlowShape,
  type PageItems,
  type Step,
  type Told,
} from './flow-pages.ts';

export type Flow = {
  /** The branch that the rows belong to. */
  readonly address: FlowAddress;
  readonly shape: FlowShape;
  /** Null while it loads. */
  readonly stepAt: (row: number) => Step | null;
  /** The requested place; a new object for every request. */
  readonly target: { readonly place: number } | null;
  readonly isActive: boolean;
  /** Reports which rows are visible. */
  readonly onRange: (from: number, to: number) => void;
};

export type FlowState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: Error; readonly retry: () => void }
  /** The requested message is in another conversation of the session. */
  | { readonly kind: 'elsewhere'; readonly thread: string }
  | { readonly kind: 'ready'; readonly flow: Flow; /** Why the latest request failed. */ readonly error: Error | null };

/** The branch that the shown rows belong to. */
type Ground = { readonly address: FlowAddress; readonly leafUuid: string | null; readonly isActive: boolean };
type Shown = Ground & { readonly shape: FlowShape };

/** A conversation by pages: keeps the visible pages and a few more loaded, and reloads the end when something is added. */
export const useFlow = (asked: FlowAddress, at: string | null): FlowState => {
  const { ask, queries, newId } = useLive();
  const [opening] = useState(newId);
  const [shown, setShown] = useState<Shown | null>(null);
  const [target, setTarget] = useState<Flow['target']>(null);
  const [range, setRange] = useState({ from: 0, to: 0 });

  const aimed = useRef<string | null>(null);

  // Loading just a part first only pays off on opening: later the whole is loaded or on its way.
  const [openedAt] = useState(at);
  const wish = firstInput(asked, at, at === null || at === openedAt);
  const once = { staleTime: Infinity, gcTime: KEPT_MS, refetchOnReconnect: false } as const;
  const first = useQuery({ queryKey: keyFor(wish, opening), queryFn: () => ask('conversation', wish), ...once });
  const isFirstPart = first.data !== undefined && isPart(first.data);
  const whole = firstInput(asked, at, false);
  const rest = useQuery({ queryKey: keyFor(whole, opening), queryFn: () => ask('conversation', whole), enabled: isFirstPart, ...once });
  const told = (isFirstPart ? rest.data : undefined) ?? first.data;
  const isElsewhere = told !== undefined && told.thread !== asked.thread;

  const latest = useLatest(shown);
  useEffect(() => {
    if (told === undefined || isElsewhere) return;
    const next = shownWith(latest.current, asked, at, told);
    const place = placeOf(next.shape, told);
    // A refetch after a lost connection must not take the reader back to where they came from.
    if (aimed.current !== at && place !== null) setTarget({ place });
    aimed.current = at;
    setShown(next);
    // The answer identifies its request.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [told, isElsewhere]);

  const shape = shown?.shape ?? null;
  const address = shown?.address ?? asked;
  const tailKey = keyFor(tailInput(address), opening);
  const tail = useQuery({
    queryKey: tailKey,
    queryFn: () => ask('conversation', tailInput(address)),
    enabled: shape?.hasEnd === true,
    staleTime: Infinity,
    gcTime: KEPT_MS,
    // Reuses a known end instead of requesting it again.
    ...(told !== undefined && !isElsewhere && at === null && told.total !== null ? { initialData: told } : {}),
  });

  const wanted = useCalm(shape === null ? NO_PAGES : pagesFor(shape, range.from, range.to));
  const pages = useQueries({
    queries: wanted.map((page) => ({
      queryKey: keyFor(pageInput(address, page), opening),
      queryFn: () => ask('conversation', pageInput(address, page)),
      staleTime: Infinity,
      gcTime: KEPT_MS,
    })),
    combine: useCallback(
      (answers: readonly { readonly data: Told | undefined }[]): PageItems =>
        new Map(answers.flatMap(({ data }, n) => (data === undefined ? [] : [[wanted[n] ?? 0, data.items] as const]))),
      [wanted],
    ),
  });
  useEffect(() => dropOldest(queries, opening), [queries, opening, wanted]);

  const seen = useRef({ shape, pages });
  useEffect(() => {
    seen.current = { shape, pages };
  });
  const end = tail.data;
  useEffect(() => {
    if (end === undefined) return;
    takeEnd(queries, opening, address, seen.current, end);
    setShown((known) => (known === null ? null : { ...known, shape: shapeWith(known.shape, end) }));
    // The end identifies its conversation.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [queries, opening, end]);

  useNewEnd(asked, async () => {
    if (shape?.hasEnd !== true) return;
    await queries.refetchQueries({ queryKey: tailKey, exact: true });
    for (const [page, items] of seen.current.pages) {
      if (hasOpenEnds(items)) void queries.invalidateQueries({ queryKey: keyFor(pageInput(address, page), opening), exact: true });
    }
  });

  const onRange = useCallback((from: number, to: number) => {
    setRange((known) => (known.from === from && known.to === to ? known : { from, to }));
  }, []);
  const isActive = shown?.isActive ?? true;
  const middle = useLatest((range.from + range.to) / 2);
  useReadAhead(useMemo(() => formattedIn([...pages.values()].flat(), middle.current), [pages, middle]));
  const flow = useMemo(
    (): Flow | null => (shape === null ? null : { address, shape, stepAt: (row) => stepAt(shape, pages, row), target, isActive, onRange }),
    [address, shape, pages, target, isActive, onRange],
  );
  if (isElsewhere) return { kind: 'elsewhere', thread: told.thread };
  if (flow !== null) return { kind: 'ready', flow, error: first.error ?? rest.error };
  const error = first.error ?? tail.error;
  return error === null ? { kind: 'loading' } : { kind: 'failed', error, retry: () => void first.refetch() };
};

/** The shown branch stays; if only a part of it was known, this adds the rest. */
const shownWith = (known: Shown | null, asked: FlowAddress, at: string | null, told: Told): Shown => {
  if (known !== null && known.shape.hasEnd && isSameBranch(known, told))
    return known.shape.isSettled ? known : { ...known, shape: shapeWith(known.shape, told) };
  const isRest = known !== null && !known.shape.hasEnd && !isPart(told);
  return { ...groundOf(asked, at, told), shape: isRest ? shapeWith(known.shape, told) : shapeOf(told) };
};

const isSameBranch = (ground: Ground, told: Told): boolean => (ground.isActive && told.isActive) || ground.leafUuid === told.leafUuid;

/** A message that is not on the active branch is shown on its own branch. */
const groundOf = (asked: FlowAddress, at: string | null, told: Told): Ground => {
  const record = told.items.find(({ index }) => index === told.at)?.uuid ?? at;
  const through = told.isActive ? null : (record ?? asked.through);
  return { address: { ...asked, through }, leafUuid: told.leafUuid, isActive: told.isActive };
};

const NO_PAGES: readonly number[] = [];
const KEPT_MS = 60_000;
