import type { StringKind } from '@yarnboard/domain';

/** How to read a string: `from` WORDS `to`, and from its other end `to` BACK `from`. */
export type StringWords = { readonly words: string; readonly back: string };

const reads = (words: string, back: string = words): StringWords => ({ words, back });

/** TRACE-1: the words of every kind, for every door. */
export const STRING_WORDS = {
  answers: reads('answers', 'answered by'),
  'part-of': reads('part of', 'holds'),
  opens: reads('opens', 'opened by'),
  resumes: reads('resumes', 'resumed in'),
  forks: reads('forks', 'forked into'),
  'copy-of': reads('copy of', 'copied as'),

  used: reads('used', 'used by'),
  'result-of': reads('result of', 'got result'),
  started: reads('started', 'started by'),
  'asked-leave': reads('asked permission for', 'permission asked in'),
  'run-of': reads('ran', 'run by'),

  wrote: reads('wrote', 'written by'),
  edited: reads('edited', 'edited by'),
  read: reads('read', 'read by'),
  'cites-lines': reads('cites lines of', 'lines cited by'),
  'content-of': reads('content of', 'seen as'),

  'branched-off': reads('branched off', 'branched into'),
  'child-of': reads('child of', 'parent of'),
  'forked-from': reads('forked from', 'forked into'),
  'merged-into': reads('merged into', 'merged from'),
  'merged-as': reads('merged as', 'merge of'),
  'waits-for': reads('waits for', 'awaited by'),
  resolves: reads('resolves', 'resolved in'),
  'compared-with': reads('compared with'),
  related: reads('related to'),

  'rests-on': reads('rests on', 'evidence for'),
  revises: reads('revises', 'revised by'),
  contradicts: reads('contradicts'),
  between: reads('is between', 'in conflict'),
  'in-checkpoint': reads('in checkpoint', 'checkpoint holds'),
  about: reads('is about', 'subject of'),

  cites: reads('cites', 'cited by'),
  mentions: reads('mentions', 'mentioned in'),
  'attached-to': reads('attached to', 'has attachment'),
  'in-response-to': reads('in response to', 'responded with'),
  'points-at': reads('points at', 'pointed at by'),

  'made-of': reads('made of', 'source of'),
  'shown-in': reads('shown in', 'was shown'),
  'superseded-by': reads('superseded by', 'supersedes'),

  'kept-as': reads('kept as', 'keeps'),
  'kept-at': reads('at checkpoint', 'checkpoint kept'),
  'inherited-by': reads('inherited by', 'inherits'),
  'merged-in': reads('merged in', 'brought'),

  said: reads('said', 'said by'),
  made: reads('made', 'made by'),
  spawned: reads('spawned', 'spawned by'),
  coordinates: reads('coordinates', 'coordinated by'),
  curates: reads('curates', 'curated by'),
  joined: reads('joined', 'joined by'),
  recruited: reads('recruited', 'recruited by'),
  validated: reads('validated', 'validated by'),
  annotated: reads('annotated', 'annotated by'),
  judged: reads('judged', 'judged by'),
  intervened: reads('intervened in', 'intervention by'),
  'escalated-to': reads('escalated to', 'escalation from'),
  'seat-of': reads('seat of', 'worked in'),
  'briefed-with': reads('briefed with', 'briefed'),
} as const satisfies Readonly<Record<StringKind, StringWords>>;

/** The word of a string, read from one of its ends. */
export const wordOfString = ({ from, kind }: { readonly from: string; readonly kind: StringKind }, node: string): string =>
  STRING_WORDS[kind][from === node ? 'words' : 'back'];
