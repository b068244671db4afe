import { isObject, type Json, type JsonObject } from '@yarnboard/transcript';

/** How long a grant lasts: for the session, or for good in this project, stored in Claude Code's local settings. */
export type GrantScope = 'session' | 'project';

/** Something Claude Code no longer needs to ask for. */
export type Grant =
  | { readonly kind: 'tool'; readonly tool: string; readonly pattern: string | null }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'edits' };

/** RUN-40: the lasting grants among the SDK's suggestions, as far as we understand them. Leaves out any that would deny, replace or never ask. */
export const grantsIn = (suggestions: readonly Json[]): readonly Grant[] => {
  const known = new Map(suggestions.flatMap(grantsOf).map((grant) => [JSON.stringify(grant), grant]));
  return [...known.values()].slice(0, MOST_GRANTS);
};

const grantsOf = (suggestion: Json): readonly Grant[] => {
  if (!isObject(suggestion)) return [];
  const { type, behavior, rules, directories, mode } = suggestion;
  if (type === 'addRules' && behavior === 'allow' && Array.isArray(rules)) return rules.flatMap(toolIn);
  if (type === 'addDirectories' && Array.isArray(directories))
    return directories.flatMap((path): readonly Grant[] => (isText(path) && path.startsWith('/') ? [{ kind: 'directory', path }] : []));
  return type === 'setMode' && mode === 'acceptEdits' ? [{ kind: 'edits' }] : [];
};

const toolIn = (rule: Json): readonly Grant[] => {
  if (!isObject(rule)) return [];
  const { toolName: tool, ruleContent: pattern } = rule;
  if (!isText(tool) || !(pattern === undefined || pattern === null || isText(pattern))) return [];
  return [{ kind: 'tool', tool, pattern: pattern ?? null }];
};

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS;

/** Edits are allowed per session only. */
export const scopesOf = (grants: readonly Grant[]): readonly GrantScope[] =>
  grants.length === 0 ? [] : grants.every(({ kind }) => kind === 'edits') ? ['session'] : ['session', 'project'];

/** Builds the rules from scratch: no suggestion is passed on as it came. */
export const updatesOf = (grants: readonly Grant[], scope: GrantScope): readonly JsonObject[] => {
  const destination = scope === 'session' ? 'session' : 'localSettings';
  const rules = grants.flatMap((grant) =>
    grant.kind === 'tool' ? [{ toolName: grant.tool, ...(grant.pattern === null ? {} : { ruleContent: grant.pattern }) }] : [],
  );
  const directories = grants.flatMap((grant) => (grant.kind === 'directory' ? [grant.path] : []));
  return [
    ...(rules.length === 0 ? [] : [{ type: 'addRules', rules, behavior: 'allow', destination }]),
    ...(directories.length === 0 ? [] : [{ type: 'addDirectories', directories, destination }]),
    ...(grants.some(({ kind }) => kind === 'edits') ? [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] : []),
  ];
};

const MOST_GRANTS = 20;
const MOST_CHARACTERS = 2000;
