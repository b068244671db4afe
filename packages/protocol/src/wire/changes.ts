import { CHANGE_BASES, CHANGE_KINDS } from '@yarnboard/transcript';
import * as z from 'zod';
import { page } from './schemas.ts';

const instant = z.string().describe('ISO 8601, UTC').nullable();
const count = z.number().int();

const hunk = z.strictObject({
  old_start: count,
  old_lines: count,
  new_start: count,
  new_lines: count,
  lines: z.array(z.string()).describe('" " stayed, "-" was removed, "+" was added'),
});

const edit = z.strictObject({
  uuid: z.string().describe('of the call; several edits share it where one call changes several files'),
  part: count.describe('which of these files, from 0'),
  ref: z.string().nullable(),
  session_id: z.string(),
  session_title: z.string().nullable(),
  agent_id: z.string().nullable().describe('the sub-agent that made it; null for the main thread'),
  tool: z.string(),
  path: z.string(),
  kind: z.enum(CHANGE_KINDS),
  outcome: z.enum(['done', 'failed', 'rejected', 'open']).describe('failed and rejected edits changed nothing; open ones have no answer'),
  at: instant,
  basis: z
    .enum(CHANGE_BASES)
    .describe(
      'patch: as the record has it, with line numbers of the file; texts: what was replaced and by what, numbered from 1; after: only what was written; none: not known',
    ),
  everywhere: z.boolean().describe('every occurrence was replaced, and the record does not say how many; one is shown'),
  added: count.describe('lines'),
  removed: count.describe('lines that are known to be removed'),
  lines_from: count.describe('how many lines of the diff come before those told'),
  lines_total: count,
  hunks: z.array(hunk),
});

export const editPage = page(edit);

const changedFile = z.strictObject({
  path: z.string(),
  edits: count.describe('edits that were made, the others not among them'),
  failed: count.describe('edits that failed or were rejected'),
  open: count.describe('edits without an answer'),
  added: count.describe('lines'),
  removed: count.describe('lines that are known to be removed'),
  is_partial: z.boolean().describe('of some edits the record does not say what was there before, so more lines may be removed'),
  created: z.boolean().describe('an edit of this session made the file'),
  agents: count.describe('how many sub-agents changed it'),
  first_at: instant,
  last_at: instant,
});

export const changedFiles = z.strictObject({
  items: z.array(changedFile),
  files: count,
  edits: count,
  failed: count,
  open: count,
  added: count,
  removed: count,
  copied: count.describe('edits repeated from the session that this one continues; they are listed there'),
  unknown_calls: count.describe('shell commands, which may have changed files as well'),
  next_cursor: z.string().nullable(),
});

const made = {
  uuid: z.string().describe('of the call that made it'),
  ref: z.string().nullable(),
  agent_id: z.string().nullable().describe('the sub-agent that made it; null for the main thread'),
  at: instant,
};

export const sessionGit = z.strictObject({
  session_id: z.string(),
  branches: z.array(z.string()).describe('branches of the working copy while shell commands ran, in order; at most 100'),
  commits: z
    .array(z.strictObject({ ...made, hash: z.string(), branch: z.string().nullable(), subject: z.string() }))
    .describe('the latest 500, in order'),
  pull_requests: z.array(z.strictObject({ ...made, url: z.string(), number: count })).describe('the latest 500, in order'),
});
