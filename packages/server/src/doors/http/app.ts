import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Hono, type Context } from 'hono';
import { maskJson, maskSecrets } from '@yarnboard/domain';
import { openapiDocument, problemOf, REGISTRY, type Operation, type OperationName } from '@yarnboard/protocol';
import { StoreFault } from '@yarnboard/store';
import { MOST_BODY, readBody } from './body.ts';
import type { Asker } from '../../operations/request/asker.ts';
import { keptLater } from '../../operations/request/kept.ts';
import { writtenInPieces } from '../../operations/request/pieces.ts';
import { downloadOf } from './download.ts';
import { frontPage } from './front.ts';
import { CLIENT_HEADER, clientNameOf, type ClientName } from '../client-name.ts';
import { identify, refuseSeat, type Door } from '../identity.ts';
import type { Download, DownloadWish } from '../../operations/download.ts';
import { failingAmong } from '../../operations/failing.ts';
import { showStatus, type ServerState, type StatusNeeds } from '../../operations/log.ts';
import { mediaOf } from './media.ts';
import type { MediaFile } from '../../operations/board/media-file.ts';
import type { Uploaded } from '../../operations/board/media.ts';
import { metricsText, type Meters, type MetricsNeeds } from './metrics.ts';
import { isOfPage, type Page } from './page.ts';
import { isQueued, problemFrom, refuseStranger, type Perform, type Refusal } from '../../operations/perform.ts';
import { Refused, refusedFor } from '../../operations/request/refusal.ts';

export type AppNeeds = StatusNeeds & MetricsNeeds & { readonly state: () => ServerState };

export type AppOptions = {
  /** For requests outside the registry: health and metrics. */
  readonly needs: AppNeeds;
  readonly door: Door;
  readonly onFault: (cause: unknown) => void;
  readonly meters: Meters;
  readonly perform: Perform;
  /** The files for browsers; null if the page isn't built. */
  readonly page?: Page | null;
  /** Sessions as files; null without that feature. */
  readonly download?: ((wish: DownloadWish) => Promise<Download>) | null;
  readonly media?: MediaDoor | null;
};

/** Bytes of media, which don't fit into JSON. */
export type MediaDoor = {
  readonly take: (asker: Asker, bytes: AsyncIterable<Uint8Array>, announced: number | null) => Promise<Uploaded>;
  readonly open: (id: string, isRevealed: boolean) => Promise<MediaFile>;
};

/** Serialized answers, shared by concurrent requests. */
const WRITTEN = new WeakMap<object, string>();

/** What the HTTP server passes along with a request; nothing within the process. */
type Bound = { readonly Bindings: { readonly incoming?: IncomingMessage } };

export type App = Hono<Bound>;

/** API-1: every route comes from the registry; except for the page, nothing else is served. */
export const createApp = ({ needs, door, onFault, meters, perform, page = null, download = null, media = null }: AppOptions): App => {
  const app = new Hono<Bound>();
  const askerOf = ({ req, env }: Context<Bound>): Asker =>
    identify(door, {
      path: req.path,
      ends: (env as Bound['Bindings'] | undefined)?.incoming?.socket ?? null, // calls within the process pass nothing
      host: req.header('host'),
      origin: req.header('origin'),
      authorization: req.header('authorization'),
      fetchSite: req.header('sec-fetch-site'),
      fetchMode: req.header('sec-fetch-mode'),
    });

  const clientOf = ({ req }: Context): ClientName =>
    clientNameOf(req.header(CLIENT_HEADER), { origin: req.header('origin'), door: 'api', version: needs.state().version });

  app.use('*', async (context, next) => {
    const started = performance.now();
    await next();
    meters.requests(context.req.method, context.res.status, performance.now() - started);
    const { headers } = context.res;
    for (const [name, value] of HEADERS) headers.set(name, value);
    for (const [name, value] of STANDARD) if (!headers.has(name)) headers.set(name, value);
  });
  // Before anything else, even before "not found".
  app.use('*', async (context, next) => {
    const asker = askerOf(context);
    if (!/^\/(?:api\/v1\/|mcp$)/u.test(context.req.path)) refuseSeat(asker);
    await next();
  });
  app.onError((cause) => {
    const refusal = problemFrom(cause, 'http');
    if (refusal.code === 'internal') onFault(cause);
    return problem(refusal);
  });
  app.notFound((context) => {
    const allowed = [...new Set(ROUTES.filter(({ pattern }) => pattern.test(context.req.path)).map(({ method }) => method))];
    if (allowed.length === 0)
      return problem({ code: 'not-found', detail: `there is nothing at ${context.req.path}; /api/openapi.json lists everything` });
    const response = problem({
      code: 'wrong-method',
      detail: `${context.req.method} is not allowed for ${context.req.path}; use ${allowed.join(' or ')}`,
    });
    response.headers.set('allow', allowed.join(', '));
    return response;
  });

  app.get('/healthz', async (context) => {
    const emergency = needs.outage?.news() ?? null;
    const entries = await entriesNow(needs);
    const { live } = needs.state();
    const isAway = emergency !== null && emergency.state !== 'degraded';
    const isWell = live.kind !== 'stopped' && live.kind !== 'stuck' && !isAway;
    const why = isAway ? { why: maskSecrets(emergency.message).text } : 'why' in live ? { why: maskSecrets(live.why).text } : {};
    // FOLLOW-7: they are retried, and readers still get answers: the server counts as healthy.
    const failing = failingAmong(needs.followers()).map(({ name, effect, why, since }) => ({
      name,
      effect,
      why,
      since: new Date(since).toISOString(),
    }));
    const behind = failing.length === 0 ? {} : { failing };
    const queue = isAway ? { emergency: { state: emergency.state, since: emergency.since, pending_writes: emergency.pendingWrites } } : {};
    return context.json({ status: isAway ? 'emergency' : isWell ? 'ok' : live.kind, entries, ...why, ...queue, ...behind }, isWell ? 200 : 503);
  });
  app.get('/metrics', async (context) => {
    refuseStranger(askerOf(context), 'status');
    return context.text(await metricsText(needs, meters), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  app.get('/ws', () => {
    throw new Refused('upgrade-needed', '/ws is for WebSockets; connect with one, and send hello first (docs/spec/wire.md lists the frames)');
  });
  app.get('/api/openapi.json', (context) => context.json(openapiDocument(needs.state().version)));
  app.post('/mcp', async (context) => {
    // Loaded on demand: most commands open a board without any MCP client.
    const { answerMcp } = await import('../mcp/http.ts');
    const response = await answerMcp({ version: needs.state().version, perform, mostBody: MOST_BODY, onFault }, context.req.raw, askerOf(context));
    response.headers.set('cache-control', 'no-store');
    return response;
  });

  for (const operation of Object.values<Operation>(REGISTRY)) {
    const route = `/api/v1${operation.path.replaceAll(/\{(\w+)\}/gu, ':$1')}`;
    app.on(operation.method, route, async (context) => {
      const answer = await perform(operation.name as OperationName, askerOf(context), async () => ({
        given: operation.method === 'GET' ? context.req.query() : await readBody(context.req.raw),
        inPath: context.req.param(),
        client: clientOf(context),
        signal: context.req.raw.signal,
      }));
      // A record may be nested deeper than JSON.stringify can go.
      return context.body(await keptLater(WRITTEN, answer, () => writtenInPieces(answer, context.req.raw.signal)), isQueued(answer) ? 202 : 200, {
        'content-type': 'application/json',
      });
    });
  }
  if (download !== null) {
    app.get('/downloads/sessions/:id', async (context) => {
      refuseStranger(askerOf(context), 'session');
      const { req } = context;
      return downloadOf(await download({ id: req.param('id'), format: req.query('format'), through: req.query('through') }), onFault);
    });
  }
  if (media !== null) {
    app.post('/uploads/media', async (context) => {
      const announced = context.req.header('content-length');
      const body: AsyncIterable<Uint8Array> = context.req.raw.body ?? nothing();
      return context.json(await media.take(askerOf(context), body, announced === undefined ? null : Number(announced)), 201);
    });
    app.get('/downloads/media/:id', async (context) => {
      const asker = askerOf(context);
      refuseStranger(asker, 'media');
      const { req } = context;
      const isRevealed = req.query('reveal') === 'true';
      if (isRevealed && !asker.isOperator) throw refusedFor('secrets-for-operator', {});
      return mediaOf(await media.open(req.param('id'), isRevealed), req.raw.headers, onFault);
    });
  }
  app.get('*', async (context, next) => {
    const { path } = context.req;
    if (page === null) {
      if (path !== '/') return next();
      refuseStranger(askerOf(context), 'status');
      const status = await showStatus(needs);
      return context.html(frontPage(maskJson(status) as typeof status)); // the same shape, other texts
    }
    // The caller was checked before: the host is one of ours.
    if (isOfPage(path, context.req.header('accept')))
      return page.document({ host: (context.req.header('host') ?? '').toLowerCase(), nonce: randomBytes(16).toString('base64') });
    return page.file(path, context.req.header('accept-encoding')) ?? next();
  });
  return app;
};

/** REC-66: a query for the server's health is answered even if the store is away. */
const entriesNow = async ({ store, engine }: AppNeeds): Promise<number> => {
  try {
    return (await store.log.head()).count;
  } catch (cause) {
    if (!(cause instanceof StoreFault)) throw cause;
    return engine.position?.() ?? 0;
  }
};

// A request without a body has an empty file.
async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}

const problem = ({ code, detail, ...told }: Refusal): Response => {
  const body = problemOf(code, maskSecrets(detail).text, told);
  return new Response(JSON.stringify(body), { status: body.status, headers: { 'content-type': 'application/problem+json' } });
};

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u');

const ROUTES = [
  ...Object.values<Operation>(REGISTRY).map(({ method, path }) => ({ method, pattern: patternOf(`/api/v1${path}`) })),
  ...['/', '/healthz', '/metrics', '/ws', '/api/openapi.json'].map((path) => ({ method: 'GET', pattern: patternOf(path) })),
  { method: 'GET', pattern: patternOf('/downloads/sessions/{id}') },
  { method: 'GET', pattern: patternOf('/downloads/media/{id}') },
  { method: 'POST', pattern: patternOf('/uploads/media') },
  { method: 'POST', pattern: patternOf('/mcp') },
];

const HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
] as const;

/** Defaults where the page doesn't override them. */
const STANDARD = [
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"],
] as const;
