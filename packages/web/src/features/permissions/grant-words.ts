import { assertNever } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import type { Permission } from './permissions.ts';
import { toolWords } from './questions.ts';

type Always = NonNullable<Permission['always']>;
type Grant = Always['grants'][number];
export type Scope = Always['scopes'][number];

/** PAGE-427: what an agent would no longer ask for, and in what scope. */
export const alwaysText = ({ grants }: Always, scope: Scope): string => {
  const lasting = grants.filter(({ kind }) => kind !== 'edits');
  const edits = grants.length === lasting.length ? [] : ['all edits, in this session'];
  if (scope === 'session') return `${wordsOf(grants)}, in this session`;
  return [`${wordsOf(lasting)}, in this project`, ...edits].join('; ');
};

const wordsOf = (grants: readonly Grant[]): string => capitalised(grants.map(grantText).join(' and '));

const grantText = (grant: Grant): string => {
  switch (grant.kind) {
    case 'tool':
      return grant.pattern === null ? `any use of ${printableLine(toolWords(grant.tool))}` : patternText(grant.tool, grant.pattern);
    case 'directory':
      return `files in ${printableLine(grant.path)}`;
    case 'edits':
      return 'all edits';
    default:
      return assertNever(grant);
  }
};

/** Claude Code writes `npm test:*` for every command that begins with `npm test`. */
const patternText = (tool: string, pattern: string): string => {
  const line = lineOf(pattern);
  return tool === 'Bash' ? `“${line}”` : `${printableLine(toolWords(tool))} of ${line}`;
};

const lineOf = (pattern: string): string => printableLine(pattern).replace(/:\*$/u, ' *');

/** PAGE-642: the same in a list of what Claude may do. */
export const ruleText = (grant: Grant): string => {
  switch (grant.kind) {
    case 'tool': {
      const tool = printableLine(toolWords(grant.tool));
      if (grant.pattern === null) return `Use ${tool}`;
      return grant.tool === 'Bash' ? `Run ${patternText(grant.tool, grant.pattern)}` : `${tool} ${lineOf(grant.pattern)}`;
    }
    case 'directory':
      return `Use files in ${printableLine(grant.path)}`;
    case 'edits':
      return 'Edit any file';
    default:
      return assertNever(grant);
  }
};

const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase('en') + text.slice(1);

/** How long a grant lasts, if longer than once. */
export const SCOPE_WORDS = { session: 'for this session', project: 'for this project' } as const satisfies Record<Scope, string>;
