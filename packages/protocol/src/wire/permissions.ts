import { PERMISSION_DECISIONS, PERMISSION_MEANS } from '@yarnboard/domain';
import * as z from 'zod';

const instant = z.string().describe('ISO 8601, UTC');

/** Where a run no longer asks. */
export const GRANT_SCOPES = ['session', 'project'] as const;

/** What a run need not ask for again. */
const grant = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tool'), tool: z.string(), pattern: z.string().nullable().describe('as Claude Code writes it; null: any use') }),
  z.strictObject({ kind: z.literal('directory'), path: z.string() }),
  z.strictObject({ kind: z.literal('edits') }).describe('edits of files'),
]);

export const sessionRules = z.strictObject({
  directory: z.string().nullable().describe('the project'),
  problem: z.string().nullable().describe('why the rules of the project cannot be read'),
  items: z.array(
    z.strictObject({
      rule: z.string().describe('as Claude Code writes it'),
      scope: z.enum(GRANT_SCOPES).describe('session: until the run ends; project: kept in .claude/settings.local.json'),
      grant,
    }),
  ),
});

const permissionRule = z.strictObject({
  rule_id: z.string(),
  agent_id: z.string(),
  sidebar_id: z.string().nullable().describe('null: in all its sidebars'),
  tool: z.string(),
  pattern: z.string().describe('a text that has to be the same; with an ending of " *", "/**" or "/*" whatever begins like it'),
  directory: z.string().nullable().describe('only there and below; null: anywhere'),
  made_by: z.string(),
  made_at: instant,
  used_at: instant.nullable(),
  uses: z.number().int(),
});

const permission = z.strictObject({
  request_id: z.string(),
  run_id: z.string().nullable().describe('for a request of a run, which answer_permission answers'),
  agent_id: z.string().nullable(),
  sidebar_id: z.string().nullable(),
  session_id: z.string().nullable().describe('where it happens; for a seat, its transcript'),
  tool: z.string(),
  title: z.string().nullable().describe('the question, where the SDK words it'),
  summary: z.string().describe('what the tool would do, as one line'),
  input: z.record(z.string(), z.unknown()).describe('what the tool would be called with; empty once it was answered'),
  directory: z.string().nullable(),
  asked_at: instant,
  reminded_at: instant.nullable(),
  alike: z.string().nullable().describe('the pattern of a rule for everything like it; null where nothing is'),
  always: z
    .strictObject({ grants: z.array(grant), scopes: z.array(z.enum(GRANT_SCOPES)).describe('session: until it ends; project: for good') })
    .nullable()
    .describe('of a run: what answer_permission allows for good; null where nothing is'),
  scope: z.enum(GRANT_SCOPES).nullable().describe('of a run: for how long it was allowed; null: once'),
  decision: z.enum(PERMISSION_DECISIONS).nullable().describe('null as long as it is open'),
  means: z.enum(PERMISSION_MEANS).nullable(),
  answered_by: z.string().nullable(),
  answered_at: instant.nullable(),
  message: z.string().nullable(),
  is_changed: z.boolean().describe('whether it was allowed with another input than it asked for'),
});

export const permissions = z.strictObject({ items: z.array(permission), rules: z.array(permissionRule) });
