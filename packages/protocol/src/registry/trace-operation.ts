import * as z from 'zod';
import type { Operation } from '../operation.ts';
import { cursor, several } from '../parameters.ts';
import { stringKind, traceAnswer } from '../wire/trace.ts';
import { DAILY_ROUTES } from './daily-routes.ts';

const instant = z.iso.datetime({ offset: true }).or(z.iso.date());

export const TRACE_OPERATION = {
  trace: {
    name: 'trace',
    ...DAILY_ROUTES.trace,
    who: 'anyone',
    help: 'Where something comes from, and what it led to.',
    input: z.object({
      ref: z.string().min(1).max(4096).describe('a reference, path, session id or MSG-1..MSG-9'),
      direction: z.enum(['both', 'back', 'forward']).default('both').describe('back: where it comes from; forward: what it led to'),
      depth: z.coerce.number().int().min(1).max(6).default(2).describe('how far, from 1 to 6'),
      kinds: several(stringKind).describe('only strings of these kinds, such as cites'),
      since: instant.optional().describe('only strings made since: 2026-01-31 or 2026-01-31T12:00:00Z'),
      until: instant.optional().describe('the same; a day counts whole'),
      limit: z.coerce.number().int().min(1).max(500).default(100).describe('how many nodes, at most 500'),
      to: z.string().min(1).max(4096).optional().describe('another reference: the shortest paths to it'),
      cursor,
    }),
    output: traceAnswer,
  },
} as const satisfies Readonly<Record<string, Operation>>;
