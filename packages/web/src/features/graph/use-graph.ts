import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { useLive, useSessionNews } from '../../live/hooks.tsx';
import { createCollector, type Drawer, type Drawing, type StartDrawer } from './drawing.ts';
import { planParts } from './parts.ts';
import type { Detail } from './picture.ts';
import { readFacts, readNodes } from './session-source.ts';

export type Graph = {
  readonly drawing: Drawing | null;
  /** Number of records read so far; null once all are read. */
  readonly reading: number | null;
  readonly isDrawing: boolean;
  readonly failure: string | null;
  readonly detail: Detail | null;
  readonly choose: (detail: Detail) => void;
  readonly toggle: (id: string, isOpen: boolean) => void;
  readonly retry: () => void;
};

type Wish = { readonly detail: Detail | null; readonly toggled: ReadonlyMap<string, boolean> };

const NO_WISH: Wish = { detail: null, toggled: new Map() };

/** A session's graph, drawn by a worker and redrawn when the session grows. For a long session, the beginning is drawn while the rest is read. */
export const useGraph = (sessionId: string, entries: number | null, start: StartDrawer): Graph => {
  const { ask } = useLive();
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [reading, setReading] = useState<number | null>(0);
  const [failure, setFailure] = useState<string | null>(null);
  const [wish, setWish] = useState<Wish>(NO_WISH);
  const [isDrawing, setIsDrawing] = useState(true);
  const [attempt, setAttempt] = useState(0);
  const drawer = useRef<Drawer | null>(null);
  const number = useRef(0);
  const shown = useRef(wish);
  const refresh = useRef<() => void>(() => {});
  const length = useRef(entries);
  useEffect(() => {
    length.current = entries;
  }, [entries]);

  const draw = useCallback((isPart = false) => {
    number.current += 1;
    setIsDrawing(true);
    drawer.current?.order({ kind: 'draw', number: number.current, isPart, ...shown.current });
  }, []);

  useEffect(() => {
    const stop = new AbortController();
    const collect = createCollector((drawn) => {
      // From now on the detail level stays the same, no matter how long the session becomes.
      if (!drawn.isPart) shown.current = { ...shown.current, detail: drawn.detail };
      // In a transition: rendering thousands of cards must not block the page.
      startTransition(() => {
        setWish(shown.current);
        setDrawing(drawn);
        setIsDrawing(false);
      });
    }, setFailure);
    const mine = start(collect);
    drawer.current = mine;
    let cursor: string | undefined;
    let calls: ReadonlyMap<string, string> = new Map();
    let read = 0;
    const isPartDue = planParts(() => length.current);
    const readOn = async (isFirst: boolean): Promise<void> => {
      const [last, facts] = await Promise.all([
        readNodes(ask, sessionId, cursor, {
          signal: stop.signal,
          onPage: (nodes, isLast) => {
            mine.order({ kind: 'nodes', nodes });
            read += nodes.length;
            if (!isFirst) return;
            setReading(read);
            if (isPartDue(read) && !isLast) draw(true);
          },
        }),
        readFacts(ask, sessionId, calls),
      ]);
      cursor = last;
      if (stop.signal.aborted) return;
      ({ calls } = facts);
      mine.order({ kind: 'facts', ...facts });
      setReading(null);
      draw();
    };
    let work: Promise<void> = readOn(true);
    let isWaiting = false;
    const fail = (cause: unknown): void => {
      if (!stop.signal.aborted) setFailure(cause instanceof Error ? cause.message : String(cause));
    };
    work.catch(fail);
    // One round at a time: whatever arrives during a round is read in the next one.
    refresh.current = () => {
      if (isWaiting || stop.signal.aborted) return;
      isWaiting = true;
      work = work
        .catch(() => {})
        .then(() => {
          isWaiting = false;
          return stop.signal.aborted ? undefined : readOn(false);
        });
      work.catch(fail);
    };
    return () => {
      stop.abort();
      mine.close();
      drawer.current = null;
    };
  }, [ask, sessionId, start, draw, attempt]);

  useSessionNews(
    sessionId,
    useCallback(() => refresh.current(), []),
    NEWS_EVERY,
  );

  const apply = useCallback(
    (next: Wish) => {
      shown.current = next;
      setWish(next);
      draw();
    },
    [draw],
  );
  return {
    drawing,
    reading,
    isDrawing,
    failure,
    detail: wish.detail,
    // Forgets what was opened by hand: whoever chooses "overview" wants an overview.
    choose: useCallback((detail: Detail) => apply({ detail, toggled: new Map() }), [apply]),
    toggle: useCallback(
      (id: string, isOpen: boolean) => apply({ ...shown.current, toggled: new Map(shown.current.toggled).set(id, isOpen) }),
      [apply],
    ),
    retry: useCallback(() => {
      setFailure(null);
      setReading(0);
      setAttempt((n) => n + 1);
    }, []),
  };
};

// The redraw interval of a session that is written to constantly.
const NEWS_EVERY = 700;
