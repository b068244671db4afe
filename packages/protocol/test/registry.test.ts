import { expect, test } from 'vitest';
import { openapiDocument, problemOf, PROBLEMS, REGISTRY, type Operation, type ProblemCode } from '../src/index.ts';

const operations = Object.entries<Operation>(REGISTRY);

type Parameter = { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Readonly<Record<string, unknown>> };
type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly type: string; readonly properties?: object } }>> };
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { readonly schema: { readonly type?: string } }>> }>>;
};
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

const openapi = openapiDocument('1.2.3') as unknown as Document; // written as unknown on purpose: it is data for others
const described = ({ path, method }: Operation): Described => {
  const found = openapi.paths[`/api/v1${path}`]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found;
};

test('[API-1] every route has a name, a sentence and a place of its own', () => {
  expect(operations.length).toBeGreaterThan(20);
  for (const [key, { name, help, path }] of operations) {
    expect(name).toBe(key);
    expect(help).toMatch(/^[A-Z].*\.$/su);
    expect(path).toMatch(/^(?:\/(?:[a-z]+(?:_[a-z]+)*|\{[a-z_]+\}))+$/u);
  }
  expect(new Set(operations.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(operations.length);
});

test('[API-1] whoever changes something needs a token; whoever reads does not, but for what is one’s own; who enters is given one', () => {
  const open = operations.filter(([, { who }]) => who === 'anyone').map(([name]) => name);
  expect(open).toEqual(
    operations
      .filter(
        ([name, { method }]) =>
          name === 'enter' ||
          (method === 'GET' &&
            name !== 'inbox' &&
            name !== 'onboarding' &&
            name !== 'directory_files' &&
            name !== 'session_rules' &&
            !name.startsWith('recovery')),
      )
      .map(([name]) => name),
  );
});

test('[API-1] tokens, runs and the safety of data are the operator’s; all else that changes something is everybody’s who has a token', () => {
  const theirs = operations.filter(([, { who }]) => who === 'operator').map(([name]) => name);
  expect(theirs.sort().join(' ')).toBe(
    'abort_run agent_limits agent_register agent_retire agent_runtime agent_token agent_try agents_rest answer_permission auto_merge_config backup budget_grant change_message demo_link directory_files end_run forget import interrupt_run page_link permission_answer permission_revoke permission_rule rebuild recovery recovery_audit recovery_cache recovery_discard recovery_export recovery_replay recovery_resolve repair send_message session_label session_rule_revoke session_rules sidebar_reopen start_run stop switch_session unsend_message validation_config validation_overrule',
  );
});

test('[API-4] the OpenAPI document describes every route and nothing else', () => {
  const there = Object.entries(openapi.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  expect(there.sort()).toEqual(operations.map(([, { method, path }]) => `${method} /api/v1${path}`).sort());
});

test.each(operations)('[API-4] the OpenAPI document tells the parameters and the answer of %s', (name, operation) => {
  const { operationId, summary, security, parameters, requestBody, responses } = described(operation);
  expect({ operationId, summary }).toEqual({ operationId: name, summary: operation.help });
  expect(security).toEqual(operation.who === 'anyone' ? [{}, { operator: [] }] : [{ operator: [] }]);
  const isRead = operation.method === 'GET';
  const inPath = Object.keys(operation.input.shape).filter((key) => operation.path.includes(`{${key}}`));
  expect(parameters?.map((parameter) => parameter.name) ?? []).toEqual(isRead ? Object.keys(operation.input.shape) : inPath);
  const body = requestBody?.content['application/json']?.schema;
  expect(body?.type).toBe(isRead ? undefined : 'object');
  for (const key of inPath) expect(Object.keys(body?.properties ?? {})).not.toContain(key);
  for (const parameter of parameters ?? []) {
    const isInPath = operation.path.includes(`{${parameter.name}}`);
    expect(parameter.in).toBe(isInPath ? 'path' : 'query');
    expect(parameter.required || !isInPath).toBe(true);
    // Whoever makes a client from it must know what to send.
    expect(parameter.schema['type'] ?? parameter.schema['anyOf']).toBeDefined();
  }
  expect(responses['200']?.content['application/json']?.schema.type).toBe('object');
  expect(Object.keys(responses['default']?.content ?? {})).toEqual(['application/problem+json']);
});

test('[API-4] the OpenAPI document is JSON and refers to nothing that it lacks', () => {
  const text = JSON.stringify(openapi);
  expect(JSON.parse(text)).toEqual(openapi);
  for (const [, ref = ''] of text.matchAll(/"\$ref":"([^"]+)"/gu)) {
    const found = ref
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], openapi);
    expect(found, `for ${ref}`).toBeDefined();
  }
});

test('[API-5] every list takes a limit of 1 to 500 and a cursor, and answers with the next one', () => {
  // Of the board as much comes at once as fits, whatever that is.
  const lists = operations.filter(([name, { output }]) => name !== 'board' && 'next_cursor' in ((output as { shape?: object }).shape ?? {}));
  expect(lists.map(([name]) => name)).toEqual([
    'projects',
    'sessions',
    'messages',
    'tree',
    'merges',
    'operations',
    'sidechains',
    'branches',
    'envelopes',
    'outline',
    'changed_files',
    'changes',
    'file_history',
    'trace',
    'search',
    'log',
    'launches',
    'runs',
    'sidebars',
    'sidebar_memory',
    'archive_search',
    'episodes',
    'citations',
    'golds',
    'claims',
    'auto_merge_history',
    'validation_history',
    'agents',
    'recruitments',
    'load',
    'seats',
    'briefing',
  ]);
  for (const [, { input }] of lists) {
    const { limit, cursor } = input.shape;
    expect(cursor?.safeParse(undefined).success).toBe(true);
    for (const good of ['1', '2', '500']) expect(limit?.safeParse(good).success, `for ${good}`).toBe(true);
    for (const bad of ['0', '501', '-1', 'x', '1.5', '', '1e9', 'Infinity', 'NaN', '\0'])
      expect(limit?.safeParse(bad).success, `for ${bad}`).toBe(false);
  }
});

test('[API-7] a problem has a stable code, its status and a sentence', () => {
  for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
    const { status, title } = PROBLEMS[code];
    expect(problemOf(code, 'what, where, what to do')).toEqual({
      type: `urn:yarnboard:problem:${code}`,
      title,
      status,
      code,
      detail: 'what, where, what to do',
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  }
});
