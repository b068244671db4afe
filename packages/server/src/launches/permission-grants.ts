import { isObject, type Json, type JsonObject } from '@yarnboard/transcript';

/** For how long nobody asks again: while the session lasts, or for good in this project, where Claude Code keeps it in its local settings. */
export type GrantScope = 'session' | 'project';

/** What need not be asked for again. */
export type Grant =
  | { readonly kind: 'tool'; readonly tool: string; readonly pattern: string | null }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'edits' };

/** RUN-40: what the SDK suggests to allow for good, as far as it is understood; whatever would deny, replace or never ask is left out. */
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

/** Edits are allowed in one session at a time. */
export const scopesOf = (grants: readonly Grant[]): readonly GrantScope[] =>
  grants.length === 0 ? [] : grants.every(({ kind }) => kind === 'edits') ? ['session'] : ['session', 'project'];

/** The rules, made anew: nothing of what was suggested is passed on as it stood. */
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
