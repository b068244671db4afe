import type { OperationName } from '@yarnboard/protocol';
import { useCallback, useEffect, useRef } from 'react';
import { useAskAgain, useLive } from '../live/hooks.tsx';

type Listen = (listener: () => void) => () => void;

/** PAGE-41: repeats these queries when something happens among people and agents. */
export const useFreshBoard = (...names: readonly OperationName[]): void => {
  const { onEvent } = useLive();
  useFreshness(onEvent, names);
};

/** PAGE-41: repeats these queries when something is said in one of these sessions. */
export const useFreshSessions = (sessionIds: readonly string[], ...names: readonly OperationName[]): void => {
  const { watchSession } = useLive();
  // The order of running sessions changes all the time; the set to listen to does not.
  const listed = sessionIds.toSorted().join('\n');
  const listen = useCallback<Listen>(
    (listener) => {
      const stops = listed === '' ? [] : listed.split('\n').map((id) => watchSession(id, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [listed, watchSession],
  );
  useFreshness(listen, names);
};

const useFreshness = (listen: Listen, names: readonly OperationName[]): void => {
  const askAgain = useAskAgain();
  const { now, queries } = useLive();
  const wanted = useRef(names);
  useEffect(() => {
    wanted.current = names;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    // At once, then at most once per pause, however much happens and whoever else asks; the last change is never missed.
    const ask = (): void => {
      const shown = queries
        .getQueryCache()
        .findAll({ type: 'active', predicate: ({ queryKey: [name] }) => wanted.current.some((one) => one === name) });
      const isAsking = shown.some(({ state }) => state.fetchStatus === 'fetching');
      const wait = isAsking ? PAUSE / 4 : Math.max(...shown.map(({ state }) => state.dataUpdatedAt)) + PAUSE - now();
      timer = wait > 0 ? setTimeout(ask, wait) : null;
      if (timer === null) askAgain(...wanted.current);
    };
    const stop = listen(() => {
      timer ??= setTimeout(ask, 0);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [listen, askAgain, now, queries]);
};

const PAUSE = 1000;
