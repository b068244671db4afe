import { useEffect, useRef, useState } from 'react';
import { counted } from '../../ui/wording.ts';
import type { Said } from './talk.ts';

export type SaidNewsProps = {
  /** In log order, with unconfirmed messages last. */
  readonly said: readonly Said[];
  /** Whether the earlier messages have loaded: none of them is news. */
  readonly isReady: boolean;
  /** The current user, whose own messages are not announced. */
  readonly actorId: string | null;
};

/** PAGE-131: announces the number of new messages to screen readers at intervals, without reading them out. */
export const SaidNews = ({ said, isReady, actorId }: SaidNewsProps) => {
  const seen = useRef<number | null>(null);
  const waiting = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const [told, setTold] = useState({ n: 0, text: '' });
  useEffect(() => {
    if (!isReady) return;
    const last = lastSeq(said);
    if (seen.current !== null) waiting.current += newsAfter(said, seen.current, actorId);
    seen.current = Math.max(seen.current ?? 0, last);
    const tell = (): void => {
      timer.current = null;
      if (waiting.current === 0) return;
      const text = counted(waiting.current, 'new message');
      waiting.current = 0;
      setTold(({ n }) => ({ n: n + 1, text }));
      timer.current = setTimeout(tell, PAUSE_MS);
    };
    if (timer.current === null) tell();
  }, [said, isReady, actorId]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return (
    <p className="visually-hidden" role="status" aria-label="New messages">
      {/* A new element each time: screen readers don't repeat unchanged text. */}
      {told.text === '' ? null : <span key={told.n}>{told.text}</span>}
    </p>
  );
};

const lastSeq = (said: readonly Said[]): number => said.findLast(({ isOnItsWay }) => !isOnItsWay)?.seq ?? 0;

/** Searches from the end, since a conversation may be long. */
const newsAfter = (said: readonly Said[], seq: number, actorId: string | null): number => {
  let news = 0;
  for (let at = said.length - 1; at >= 0; at -= 1) {
    const one = said[at];
    if (one === undefined || one.seq <= seq) break;
    if (!one.isOnItsWay && one.sender !== actorId) news += 1;
  }
  return news;
};

/** Long enough that a lively conversation doesn't talk over what the screen reader is reading. */
const PAUSE_MS = 5000;
