import type { InsideOutput } from '@yarnboard/protocol';
import { countOf, counted } from '../../ui/wording.ts';

export type State = InsideOutput<'recovery'>;
export type CacheRow = State['caches'][number];
export type Cache = InsideOutput<'recovery_cache'>;
export type Write = Cache['pendingWrites'][number];
export type Done = InsideOutput<'recovery_replay'>;

/** Why commands were queued, in plain words. */
export const reasonText = (reason: string): string => REASONS.get(reason) ?? reason.replaceAll('_', ' ');

const REASONS: ReadonlyMap<string, string> = new Map([
  ['working_memory_down', 'The log was unavailable'],
  ['episodic_memory_down', 'Search and the library were unavailable'],
  ['websocket_lost', 'Live connections were down'],
  ['redis_lost', 'Redis was unavailable'],
  ['all_services_down', 'Everything was unavailable'],
  ['system_shutdown', 'The server stopped with items queued'],
  ['log_went_back', 'The log went back to an older state'],
]);

export const SERVICE_WORDS: ReadonlyMap<string, string> = new Map([
  ['working_memory', 'log'],
  ['episodic_memory', 'search and library'],
  ['websocket', 'live connections'],
  ['redis', 'Redis'],
]);

export const STEP_WORDS: ReadonlyMap<string, string> = new Map([
  ['resolve_conflicts', 'Resolve conflicts'],
  ['replay_pending_writes', 'Replay queued items'],
  ['resume_sidebars', 'Resume sidebars'],
]);

/** The kind of a queued item: "Message", "Finding". */
export const kindOf = ({ command }: Pick<Write, 'command'>): string => {
  const type = typeIn(command);
  return KINDS.get(type) ?? (type === '' ? 'Command' : sentenceCase(type.replaceAll(/[._-]/gu, ' ')));
};

const typeIn = (command: string): string => {
  try {
    const read: unknown = JSON.parse(command);
    return typeof read === 'object' && read !== null && 'type' in read && typeof read.type === 'string' ? read.type : '';
  } catch {
    return ''; // another version wrote it; show it as a plain command
  }
};

const sentenceCase = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const KINDS: ReadonlyMap<string, string> = new Map([
  ['chat.say', 'Message'],
  ['finding.submit', 'Finding'],
  ['finding.validate', 'Review of a finding'],
  ['finding.annotate', 'Note on a finding'],
  ['checkpoint.create', 'Checkpoint'],
  ['citation.create', 'Citation'],
  ['gold.create', 'GOLD'],
  ['gold.validate', 'Review of GOLD'],
  ['media.upload', 'File'],
  ['sidebar.pause', 'Pause'],
  ['sidebar.resume', 'Resume'],
]);

export const isOpenWrite = ({ outcome }: Pick<Write, 'outcome'>): boolean => outcome === 'pending' || outcome === 'conflict';

export const openCount = ({ writes }: Pick<CacheRow, 'writes'>): number => writes.pending + writes.conflict;

/** For example "3 to replay, 1 conflict, 2 saved". */
export const countsText = ({ writes }: Pick<CacheRow, 'writes'>): string => {
  const parts = [
    writes.pending === 0 ? null : `${countOf(writes.pending)} to replay`,
    writes.conflict === 0 ? null : counted(writes.conflict, 'conflict'),
    writes.replayed + writes.known === 0 ? null : `${countOf(writes.replayed + writes.known)} saved`,
    writes.discarded === 0 ? null : `${countOf(writes.discarded)} discarded`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'Nothing queued' : parts.join(', ');
};
