import * as z from 'zod';
import { event, FORGOTTEN, inContext, type WhileAway } from './definition.ts';
import { nobody } from './telling.ts';
import { maybe, text, texts } from './values.ts';

/** What the operator keeps about a session beside what was said in it. What is left out stays as it is. */
const changes = {
  isPinned: z.boolean().optional(),
  isHidden: z.boolean().optional(),
  /** Null: it has the title that its transcript gives it. */
  name: maybe.optional(),
  note: maybe.optional(),
  tags: texts.optional(),
};

/** LABEL-1: pins, names, notes and tags of sessions. The transcript is never touched. */
export const LABEL_EVENTS = {
  'session.labelled': event(z.strictObject({ sessionId: text, ...changes }))({
    tells: nobody,
    remains: () => ({ sessionId: '', note: FORGOTTEN }),
    concerns: ({ sessionId }) => inContext(sessionId),
  }),
} as const;

export const LABEL_COMMANDS = {
  'session.label': z.strictObject({ session: text, ...changes }),
} as const;

/** REC-54: what becomes of them while the log cannot be written. */
export const LABEL_WHILE_AWAY = {
  'session.label': 'queued',
} as const satisfies Readonly<Record<keyof typeof LABEL_COMMANDS, WhileAway>>;
