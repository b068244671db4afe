import { HOW_KNOWN, KINDS_OF_STRINGS, NODE_KINDS, NODE_MARKS } from '@yarnboard/domain';
import * as z from 'zod';

export const stringKind = z.enum(KINDS_OF_STRINGS);
const counts = z.partialRecord(stringKind, z.number().int());
const time = z.string().nullable();

const traceNode = z.strictObject({
  ref: z.string().describe('a reference, the id of a session, a path or an address; trace it to go on from here'),
  uuid: z.string().nullable(),
  kind: z.enum(NODE_KINDS),
  title: z.string().nullable().describe('null for what was forgotten'),
  at: time,
  by: z.string().nullable(),
  context: z.string().nullable().describe('the conversation it belongs to'),
  marks: z.array(z.enum(NODE_MARKS)),
  in: counts.describe('how many strings of which kind end here'),
  out: counts.describe('how many begin here'),
});

const traceEdge = z.strictObject({
  from: z.string(),
  to: z.string(),
  kind: stringKind,
  at: time,
  by: z.string().nullable(),
  entry: z.number().int().describe('the position on the log of the entry that proves it'),
  how: z.enum(HOW_KNOWN).describe('someone said so, it follows from the log, or rules found it likely'),
  note: z.string().nullable().describe('which lines, which condition, which verdict'),
});

export const traceAnswer = z.strictObject({
  root: z.string().describe('the ref of the node that was asked for, or the stretch A..B'),
  nodes: z.array(traceNode).describe('nearest first; of a stretch, in order of the log'),
  edges: z.array(traceEdge),
  cut: z.array(z.strictObject({ ref: z.string(), more: counts })).describe('how many more strings of which kind each node has'),
  ways: z
    .array(z.array(z.string()))
    .nullable()
    .describe('with to: the shortest ways there, each as refs in order; none within 12 steps gives an empty list'),
  unknown_calls: z.number().int().describe('calls among the nodes, such as shell commands, whose files are unknown'),
  next_cursor: z.string().nullable().describe('for more strings of the root'),
});
