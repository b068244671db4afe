import * as z from 'zod';
import type { Operation } from '../operation.ts';
import * as wire from '../wire/recovery.ts';

const cacheId = z.string().min(1).max(100).describe('the cache_id of an emergency cache');
const writes = z.array(z.coerce.number().int().positive()).max(10_000).optional().describe('numbers of pending writes; all unless given');

/** REC-17: reviewing and settling what an outage left behind. */
export const RECOVERY_OPERATIONS = {
  servers: {
    name: 'servers',
    method: 'GET',
    path: '/servers',
    who: 'anyone',
    help: 'The servers of this board, who is connected to each of them, and whether Redis answers.',
    input: z.object({}),
    output: wire.servers,
    terminal: { words: ['servers', 'list'], given: [] },
  },
  recovery: {
    name: 'recovery',
    method: 'GET',
    path: '/recovery',
    who: 'operator',
    help: 'How the last session ended, and which emergency caches there are.',
    input: z.object({}),
    output: wire.recoveryState,
    terminal: { words: ['recover', 'list'], given: [] },
  },
  recovery_audit: {
    name: 'recovery_audit',
    method: 'GET',
    path: '/recovery/audit',
    who: 'operator',
    help: 'Checks the log against its signed checkpoints after a bad stop, and acknowledges the alert.',
    input: z.object({}),
    output: wire.recoveryAudit,
    terminal: { words: ['recover', 'audit'], given: [] },
  },
  recovery_cache: {
    name: 'recovery_cache',
    method: 'GET',
    path: '/recovery/{cache_id}',
    who: 'operator',
    help: 'An emergency cache: each pending write, and what a replay would make of it now.',
    input: z.object({ cache_id: cacheId }),
    output: wire.recoveryCache,
    terminal: { words: ['recover', 'show'], given: ['cache_id'] },
  },
  recovery_replay: {
    name: 'recovery_replay',
    method: 'POST',
    path: '/recovery/{cache_id}/replay',
    who: 'operator',
    help: 'Decides pending writes again and puts them on the log, each once. What is refused now stays as a conflict.',
    input: z.object({
      cache_id: cacheId,
      writes,
      other_home: z.boolean().optional().describe('true: also a cache that another home wrote'),
      words: z
        .string()
        .min(1)
        .max(100_000)
        .optional()
        .describe('replays the one conflict in writes with these words; the log names its sender and you'),
    }),
    output: wire.recoveryDone,
    terminal: { words: ['recover', 'replay'], given: ['cache_id'] },
  },
  recovery_discard: {
    name: 'recovery_discard',
    method: 'POST',
    path: '/recovery/{cache_id}/discard',
    who: 'operator',
    help: 'Discards pending writes for good, after writing an export. The log says so.',
    input: z.object({
      cache_id: cacheId,
      writes,
      yes: z.string().max(100).describe('the cache_id once more, so that nothing is discarded by mistake'),
    }),
    output: wire.recoveryDone,
    terminal: { words: ['recover', 'discard'], given: ['cache_id'] },
  },
  recovery_export: {
    name: 'recovery_export',
    method: 'POST',
    path: '/recovery/{cache_id}/export',
    who: 'operator',
    help: 'An emergency cache as JSON and as Markdown, to read elsewhere.',
    input: z.object({ cache_id: cacheId, reveal: z.boolean().optional().describe('true: without masking secrets') }),
    output: wire.recoveryExport,
    terminal: { words: ['recover', 'export'], given: ['cache_id'] },
  },
  recovery_resolve: {
    name: 'recovery_resolve',
    method: 'POST',
    path: '/recovery/{cache_id}/resolve',
    who: 'operator',
    help: 'Marks an emergency cache as resolved. What still waits in it is discarded.',
    input: z.object({ cache_id: cacheId, notes: z.string().min(1).max(10_000).optional().describe('why') }),
    output: wire.recoveryDone,
    terminal: { words: ['recover', 'resolve'], given: ['cache_id'] },
  },
} as const satisfies Readonly<Record<string, Operation>>;
