import { Hono, type Context } from 'hono';
import { maskJson, maskSecrets } from '@yarnboard/domain';
import {
  openapiDocument,
  problemOf,
  REGISTRY,
  toWire,
  type InputOf,
  type Operation,
  type OperationName,
  type ProblemCode,
} from '@yarnboard/protocol';
import { StoreFault } from '@yarnboard/store';
import { readBody } from './body.ts';
import * as commands from './commands.ts';
import type { Asker, Desk } from './desk.ts';
import { search } from './find.ts';
import { frontPage } from './front.ts';
import { identify, type Door } from './identity.ts';
import { checkIntegrity, listLog, showStats, showStatus } from './log.ts';
import { listMessages, listTree } from './messages.ts';
import { createMeters, metricsText, type Meters } from './metrics.ts';
import { listOperations } from './operations.ts';
import { showMessage, showReference } from './references.ts';
import { Refused } from './refusal.ts';
import { listBranches, listProjects, listSessions, listSidechains, showSession } from './sessions.ts';

type Handlers = { readonly [N in OperationName]: (input: InputOf<N>) => Promise<unknown> };

export type AppOptions = { readonly desk: Desk; readonly door: Door; readonly onFault: (cause: unknown) => void; readonly meters?: Meters };

/** API-1: every route comes from the registry; nothing is served that it does not list. */
export const createApp = ({ desk, door, onFault, meters = createMeters() }: AppOptions): Hono => {
  const app = new Hono();
  const handlers = handlersFor(desk);
  const askerOf = ({ req }: Context): Asker =>
    identify(door, {
      host: req.header('host'),
      origin: req.header('origin'),
      authorization: req.header('authorization'),
      fetchSite: req.header('sec-fetch-site'),
      fetchMode: req.header('sec-fetch-mode'),
    });

  app.use('*', async (context, next) => {
    const started = performance.now();
    await next();
    meters.requests(context.req.method, context.res.status, performance.now() - started);
    for (const [name, value] of HEADERS) context.res.headers.set(name, value);
  });
  // Before anything else, also before saying that there is nothing.
  app.use('*', async (context, next) => {
    askerOf(context);
    await next();
  });
  app.onError((cause) => {
    const { code, detail } = problemFrom(cause);
    if (code === 'internal') onFault(cause);
    return problem(code, detail);
  });
  app.notFound((context) => {
    const allowed = ROUTES.filter(({ pattern }) => pattern.test(context.req.path)).map(({ method }) => method);
    if (allowed.length === 0) return problem('not-found', `there is nothing at ${context.req.path}; /api/openapi.json lists everything`);
    const response = problem('wrong-method', `${context.req.method} is not allowed for ${context.req.path}, ${allowed.join(', ')} is`);
    response.headers.set('allow', allowed.join(', '));
    return response;
  });

  app.get('/', async (context) => context.html(frontPage(shown(await showStatus(desk)))));
  app.get('/healthz', async (context) => {
    const head = await desk.store.log.head();
    const { live } = desk.state();
    const isWell = live.kind !== 'stopped' && live.kind !== 'stuck';
    const why = 'why' in live ? { why: maskSecrets(live.why).text } : {};
    return context.json({ status: isWell ? 'ok' : live.kind, entries: head.count, ...why }, isWell ? 200 : 503);
  });
  app.get('/metrics', async (context) =>
    context.text(await metricsText(desk, meters), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  );
  app.get('/api/openapi.json', (context) => context.json(openapiDocument(desk.state().version)));

  for (const operation of Object.values<Operation>(REGISTRY)) {
    const route = `/api/v1${operation.path.replaceAll(/\{(\w+)\}/gu, ':$1')}`;
    app.on(operation.method, route, async (context) => {
      const { isOperator } = askerOf(context);
      if (operation.who === 'operator' && !isOperator) {
        throw new Refused(
          'token-needed',
          `${operation.method} ${operation.path} needs the operator's token: send "Authorization: Bearer …" with what is in operator.token of the Yarnboard home`,
        );
      }
      const input = await inputOf(operation, context);
      const isRevealed = input['reveal'] === true;
      if (isRevealed && !isOperator) {
        throw new Refused('operator-only', 'only the human operator may see masked secrets; leave out reveal, or send the operator token');
      }
      const handle = handlers[operation.name as OperationName] as (input: unknown) => Promise<unknown>; // the registry's names are the handlers'
      const answer = await handle(input);
      meters.answered(() => operation.output.safeParse(answer).success);
      return context.json((isRevealed ? answer : shown(answer)) as object);
    });
  }
  return app;
};

/** SEC-11: every answer goes out through here, so that no route can forget it. Only a cursor must come back as it was. */
const shown = <T>(answer: T): T => {
  const masked = maskJson(answer) as T; // same shape, other texts
  const isPage = typeof answer === 'object' && answer !== null && 'next_cursor' in answer;
  return isPage ? { ...masked, next_cursor: answer.next_cursor } : masked;
};

const inputOf = async (operation: Operation, { req }: Context): Promise<Readonly<Record<string, unknown>>> => {
  const { shape } = operation.input;
  const inPath = req.param();
  const given = operation.method === 'GET' ? req.query() : await readBody(req.raw);
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(shape, key) || Object.hasOwn(inPath, key));
  if (unknown !== undefined) {
    const known = Object.keys(shape).filter((key) => !Object.hasOwn(inPath, key));
    throw new Refused('bad-request', `there is no parameter "${unknown}"; there are ${known.join(', ') || 'none'}`);
  }
  const input = operation.input.safeParse({ ...given, ...inPath });
  if (input.success) return input.data;
  throw new Refused('bad-request', input.error.issues.map(({ path, message }) => `${path.join('.') || 'the request'}: ${message}`).join('; '));
};

const handlersFor = (desk: Desk): Handlers => ({
  projects: async (input) => toWire(await listProjects(desk, input)),
  sessions: async (input) => toWire(await listSessions(desk, input)),
  session: async (input) => toWire(await showSession(desk, input)),
  messages: async (input) => toWire(await listMessages(desk, input)),
  tree: async (input) => toWire(await listTree(desk, input)),
  operations: async (input) => toWire(await listOperations(desk, input)),
  sidechains: async (input) => toWire(await listSidechains(desk, input)),
  branches: async (input) => toWire(await listBranches(desk, input)),
  message: async (input) => toWire(await showMessage(desk, input)),
  reference: async (input) => toWire(await showReference(desk, input)),
  search: async (input) => toWire(await search(desk, input)),
  stats: async (input) => toWire(await showStats(desk, input)),
  integrity: async (input) => toWire(await checkIntegrity(desk, input)),
  log: async (input) => toWire(await listLog(desk, input)),
  verify: async () => toWire(await desk.verify()),
  status: async () => toWire(await showStatus(desk)),
  import: async (input) => toWire(await commands.importPaths(desk, input)),
  forget: async (input) => toWire(await commands.forget(desk, input)),
  rebuild: async (input) => toWire(await commands.rebuild(desk, input)),
  repair: async (input) => toWire(await commands.repair(desk, input)),
  backup: async (input) => toWire(await commands.backup(desk, input)),
  stop: async () => {
    desk.stop();
    return toWire({ stopping: true });
  },
});

const problem = (code: ProblemCode, detail: string): Response => {
  const body = problemOf(code, maskSecrets(detail).text);
  return new Response(JSON.stringify(body), { status: body.status, headers: { 'content-type': 'application/problem+json' } });
};

const problemFrom = (cause: unknown): { readonly code: ProblemCode; readonly detail: string } => {
  if (cause instanceof Refused) return { code: cause.code, detail: cause.message };
  if (cause instanceof StoreFault) {
    const code = {
      full: 'store-full',
      corrupt: 'store-damaged',
      locked: 'store-unavailable',
      unreachable: 'store-unavailable',
      'read-only': 'store-unavailable',
      failed: 'store-unavailable',
    } as const;
    return { code: code[cause.kind], detail: cause.message };
  }
  return { code: 'internal', detail: 'something went wrong here; the server wrote down what' };
};

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u');

const ROUTES = [
  ...Object.values<Operation>(REGISTRY).map(({ method, path }) => ({ method, pattern: patternOf(`/api/v1${path}`) })),
  ...['/', '/healthz', '/metrics', '/api/openapi.json'].map((path) => ({ method: 'GET', pattern: patternOf(path) })),
];

const HEADERS = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"],
] as const;
