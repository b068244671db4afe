import * as z from 'zod';
import { event, FORGOTTEN, inContext, type WhileAway } from './definition.ts';
import { nobody } from './telling.ts';
import { maybe, text, texts } from './values.ts';

/** The operator's labels of a session, beside its transcript. Missing fields stay as they are. */
const changes = {
  isPinned: z.boolean().optional(),
  isHidden: z.boolean().optional(),
  /** Null: it has the title from its transcript. */
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

/** REC-54: what happens to these commands while the log can't be written. */
export const LABEL_WHILE_AWAY = {
  'session.label': 'queued',
} as const satisfies Readonly<Record<keyof typeof LABEL_COMMANDS, WhileAway>>;
