/**
 * TRACE-1: every kind of string, and its direction: `back`, to where the thing at its beginning comes from; `forward`, to what came of it; `both`,
 * between equals. The words for a kind, from either end, are in `protocol/src/wording/strings.ts`.
 */
export const STRING_KINDS = {
  answers: 'back',
  'part-of': 'back',
  opens: 'back',
  resumes: 'back',
  forks: 'back',
  'copy-of': 'back',

  used: 'forward',
  'result-of': 'back',
  started: 'forward',
  'asked-leave': 'forward',
  'run-of': 'forward',

  wrote: 'forward',
  edited: 'forward',
  read: 'back',
  'cites-lines': 'back',
  'content-of': 'back',

  'branched-off': 'back',
  'child-of': 'back',
  'forked-from': 'back',
  'merged-into': 'forward',
  'merged-as': 'forward',
  'waits-for': 'back',
  resolves: 'back',
  'compared-with': 'both',
  related: 'both',

  'rests-on': 'back',
  revises: 'back',
  contradicts: 'both',
  between: 'back',
  'in-checkpoint': 'forward',
  about: 'back',

  cites: 'back',
  mentions: 'back',
  'attached-to': 'forward',
  'in-response-to': 'back',
  'points-at': 'back',

  'made-of': 'back',
  'shown-in': 'forward',
  'superseded-by': 'forward',

  'kept-as': 'forward',
  'kept-at': 'back',
  'inherited-by': 'forward',
  'merged-in': 'forward',

  said: 'forward',
  made: 'forward',
  spawned: 'forward',
  coordinates: 'forward',
  curates: 'forward',
  joined: 'forward',
  recruited: 'forward',
  validated: 'forward',
  annotated: 'forward',
  judged: 'forward',
  intervened: 'forward',
  'escalated-to': 'forward',
  'seat-of': 'back',
  'briefed-with': 'back',
} as const satisfies Readonly<Record<string, 'back' | 'forward' | 'both'>>;

export type StringKind = keyof typeof STRING_KINDS;

export const KINDS_OF_STRINGS = Object.keys(STRING_KINDS) as readonly StringKind[]; // its own keys

/** What can be traced: everything with a reference, and things with other names. */
export const NODE_KINDS = [
  'message',
  'record',
  'call',
  'exchange',
  'citation',
  'sidebar',
  'scratchpad',
  'finding',
  'gold',
  'media',
  'file',
  'content',
  'agent',
  'session',
  'sub-agent',
  'run',
  'launch',
  'permission',
  'checkpoint',
  'claim',
  'conflict',
  'episode',
  'address',
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** The status of a thing; without any of these, it stands. */
export const NODE_MARKS = ['provisional', 'pending', 'superseded', 'rejected', 'failed', 'archived', 'taken-back', 'forgotten', 'unknown'] as const;
export type NodeMark = (typeof NODE_MARKS)[number];

/** How a string is known: somebody stated it; it follows from the log; rules found it likely. */
export const HOW_KNOWN = ['said', 'derived', 'inferred'] as const;
export type HowKnown = (typeof HOW_KNOWN)[number];
