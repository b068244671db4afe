import { useEffect, useState } from 'react';
import type { FlowAddress } from './flow-pages.ts';
import { keepSeen, lastSeen } from './last-seen.ts';

/**
 * PAGE-613: the step to draw the line after: the last one that had been read when the conversation was opened. `atEnd` is the last step while the
 * reader is there, else null.
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

/** Part of the row itself, as the day line is. */
export const SeenLine = () => (
  <p className="flow-day flow-seen">
    <span>New since your last visit</span>
  </p>
);
