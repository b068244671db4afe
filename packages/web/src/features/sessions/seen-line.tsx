import { useEffect, useState } from 'react';
import type { FlowAddress } from './flow-pages.ts';
import { keepSeen, lastSeen } from './last-seen.ts';

/**
 * PAGE-613: the step behind which the line is drawn: the last one that was read when the conversation was opened. `atEnd` is the last step while whoever
 * reads is there.
 */
export const useSeenLine = ({ sessionId, thread }: FlowAddress, atEnd: string | null): string | null => {
  const conversation = `${sessionId} ${thread}`;
  const [{ of, seen }, setSeen] = useState(() => ({ of: conversation, seen: lastSeen(conversation) }));
  if (of !== conversation) setSeen({ of: conversation, seen: lastSeen(conversation) });
  useEffect(() => {
    if (atEnd !== null && document.visibilityState === 'visible') keepSeen(conversation, atEnd);
  }, [conversation, atEnd]);
  return seen;
};

/** A part of the row it stands in, as the line of a day is. */
export const SeenLine = () => (
  <p className="flow-day flow-seen">
    <span>New since your last visit</span>
  </p>
);
