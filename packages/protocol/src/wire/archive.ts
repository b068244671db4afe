import { ARCHIVE_FIELDS } from '@yarnboard/domain';
import * as z from 'zod';
import { coverage } from './schemas.ts';
import { archivedSidebar, scratchpad, sidebar } from './sidebars.ts';

const matched = z.strictObject({
  by: z.enum(['fuzzy_text', 'query_text']),
  field: z.enum(ARCHIVE_FIELDS).describe('which of its texts'),
  score: z.number().describe('from 0 to 1'),
  snippet: z.string(),
  highlights: z
    .array(z.strictObject({ from: z.number().int(), to: z.number().int() }))
    .describe('where in the snippet the words stand that fitted; none where it fits by meaning'),
});

/** Values in the archive with the number of sidebars that have them, most common first. */
const occurring = z.array(z.strictObject({ value: z.string(), sidebars: z.number().int() }));

const facets = z.strictObject({
  task_types: occurring,
  participants: occurring.describe('who took part, coordinated or curated'),
  tags: occurring,
  archived_by: occurring,
  projects: occurring,
});

const { sidebar_snapshot: _sidebar, scratchpad_snapshot: _scratchpad, ...row } = archivedSidebar.shape;

/** A hit: the seed's ArchivedSidebar, with why it was found. */
const archiveHit = z.strictObject({
  sidebar_id: z.string().describe('SB-n'),
  uuid: z.string(),
  task_description: z.string(),
  task_type: z.string().nullable(),
  participants: z.array(z.string()),
  ...row,
  sidebar_snapshot: sidebar.nullable().describe('only with full'),
  scratchpad_snapshot: scratchpad.nullable().describe('only with full'),
  score: z.number().nullable().describe('null where no text was asked for'),
  matched: z.array(matched),
});

export const archivePage = z.strictObject({
  items: z.array(archiveHit),
  next_cursor: z.string().nullable(),
  total: z.number().int().describe('how many there are on all pages'),
  order: z.enum(['newest', 'relevance']),
  coverage: coverage.nullable().describe('how much of the log is searched by meaning; null where nothing was asked by meaning'),
  facets: facets.nullable().describe('only with facets: what there is to filter by in the whole archive, at most 500 of each'),
});
