import { ARCHIVE_REASONS, STATUSES } from '@yarnboard/domain';
import * as z from 'zod';
import { cursor, several } from '../parameters.ts';
import * as wire from '../wire/archive.ts';
import type { OperationsOf } from './definition.ts';
import { sidebarId, word } from './parameters.ts';

const upperCase = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);

/** ARCHIVE-3: the status a sidebar may have had before it was archived. */
const FINAL_STATUSES = STATUSES.filter((status) => status !== 'ARCHIVED' && status !== 'SPAWNING_CHILD' && status !== 'CONSOLIDATING');

const share = z.coerce.number().min(0).max(1);

/** Finds archived work again. */
export const ARCHIVE_QUERIES = {
  archive_search: {
    name: 'archive_search',
    method: 'GET',
    path: '/archive',
    who: 'anyone',
    help: 'Archived sidebars by any combination of time, type, outcome, people, origin, misspelled words and meaning. Every hit says why it was found.',
    input: z.object({
      sidebar_id: sidebarId.optional().describe('this one: SB-n, or its uuid'),
      from_date: z.string().max(100).optional().describe('archived on this day or later'),
      to_date: z.string().max(100).optional().describe('archived on this day or earlier'),
      task_types: several(word).describe('any of these task types'),
      statuses: several(z.preprocess(upperCase, z.enum(FINAL_STATUSES))).describe('any of these final statuses, such as MERGED or FAILED'),
      participants: several(word).describe('any of these took part, coordinated or curated: AGENT-name'),
      parent_id: z.string().min(1).max(4096).optional().describe('where it branched off: SB-n, the id of a session, or MSG-n'),
      forked_from: sidebarId.optional().describe('forks of this sidebar'),
      fuzzy_text: z.string().max(10_000).optional().describe('words of its texts, misspelled or cut short'),
      fuzzy_threshold: share.default(0.8).describe('how alike words must be, from 0 to 1'),
      query_text: z.string().max(10_000).optional().describe('what it is about, in your own words'),
      similarity_threshold: share.default(0.7).describe('how near its meaning must be, from 0 to 1'),
      archive_reasons: several(z.enum(ARCHIVE_REASONS)).describe('any of these reasons for archiving'),
      tags: several(word).describe('any of these tags'),
      archived_by: word.optional().describe('who archived it: AGENT-name'),
      child_of: sidebarId.optional().describe('children of this sidebar'),
      forked_into: sidebarId.optional().describe('the sidebar that this one was forked from'),
      has_gold: z.stringbool().optional().describe('true: only those with GOLD; false: none of them'),
      project: z.string().min(1).max(4096).optional().describe('branched off a session of this project'),
      full: z.stringbool().default(false).describe('also the sidebar and its scratchpad as they stood'),
      facets: z.stringbool().default(false).describe('also what there is to filter by: types, people, tags, projects'),
      limit: z.coerce.number().int().min(1).max(500).default(20).describe('at most 500'),
      offset: z.coerce.number().int().min(0).max(1_000_000).optional().describe('how many to pass over; not with a cursor'),
      cursor,
    }),
    output: wire.archivePage,
    terminal: { words: ['sidebar', 'search'], given: ['fuzzy_text'] },
  },
} as const satisfies OperationsOf<'sidebar'>;
