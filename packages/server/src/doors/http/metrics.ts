import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Store, SweptMedia } from '@yarnboard/store';
import type { Count } from '../../operations/request/questions.ts';
import type { Stored } from '../../operations/storage.ts';
import type { ServersView } from '../../operations/servers.ts';
import { indexedTo, type OutageView, type ServerState } from '../../operations/log.ts';
import type { OutageFigures } from '../../recovery/outage-watch.ts';
import type { FollowerState } from '../../followers/runner.ts';
import type { ClientCounts } from '../client-counts.ts';

export type MetricsNeeds = {
  readonly outage?: OutageView | null;
  readonly store: Pick<Store, 'log' | 'search'>;
  readonly servers: () => ServersView;
  readonly count: Count;
  readonly storage: () => Promise<Stored>;
  readonly sweptMedia: () => SweptMedia;
  readonly state: () => Pick<ServerState, 'live' | 'progress' | 'troubles'>;
  /** The clients connected to /ws. */
  readonly clients: () => ClientCounts;
  /** The state of all followers of the log. */
  readonly followers: () => readonly FollowerState[];
};

/** Counters kept while the server runs. */
export type Meters = {
  readonly requests: (method: string, status: number, ms: number) => void;
  readonly requestTotals: () => ReadonlyMap<string, { readonly count: number; readonly seconds: number }>;
  /** Now and then validates an answer with its schema: fields that lost their names would show up here first. */
  readonly answered: (isWellFormed: () => boolean) => void;
  readonly formats: () => { readonly checked: number; readonly wrong: number };
  /** The longest block of the main thread since the last call, in seconds. */
  readonly longestBlock: () => number;
  /** API-53: checking integrity is expensive: it is done now and then, and the last result is reported in the meantime. */
  readonly integrity: (count: Count) => Promise<ReadonlyMap<string, number>>;
};

export const createMeters = (now: () => number = () => performance.now()): Meters => {
  const totals = new Map<string, { count: number; seconds: number }>();
  let answers = 0;
  let delays: ReturnType<typeof monitorEventLoopDelay> | null = null;
  const formats = { checked: 0, wrong: 0 };
  let checked: { readonly at: number; readonly findings: Promise<ReadonlyMap<string, number>> } | null = null;
  let isChecking = false;
  const check = (count: Count): Promise<ReadonlyMap<string, number>> => {
    const at = now();
    isChecking = true;
    const findings = count({ kind: 'integrity', sessionId: null }).then(
      (report) => new Map(report.findings.map((finding) => [finding.rule, finding.count])),
    );
    findings.then(
      () => {
        checked = { at, findings };
        isChecking = false;
      },
      () => {
        isChecking = false; // the next caller starts another check
      },
    );
    return findings;
  };
  return {
    requests: (method, status, ms) => {
      const key = `method="${method}",status="${status}"`;
      const known = totals.get(key) ?? { count: 0, seconds: 0 };
      totals.set(key, { count: known.count + 1, seconds: known.seconds + ms / 1000 });
    },
    requestTotals: () => totals,
    answered: (isWellFormed) => {
      if (answers % SAMPLED === 0) {
        formats.checked += 1;
        if (!isWellFormed()) formats.wrong += 1;
      }
      answers += 1;
    },
    formats: () => formats,
    longestBlock: () => {
      // Only on demand: most boards are opened for a single command.
      if (delays === null) {
        delays = monitorEventLoopDelay({ resolution: DELAY_STEP });
        delays.enable();
      }
      const longest = delays.max > 0 ? Math.max(0, delays.max / 1e9 - DELAY_STEP / 1000) : 0;
      delays.reset();
      return longest;
    },
    integrity: (count) => {
      if (checked === null) return check(count);
      if (now() - checked.at >= CHECK_EVERY && !isChecking) void check(count);
      return checked.findings;
    },
  };
};

/** H11: metrics in the text format of Prometheus. */
export const metricsText = async (needs: MetricsNeeds, meters: Meters): Promise<string> => {
  const { store, count, storage, state, clients: countClients, followers, sweptMedia } = needs;
  const { live, progress, troubles } = state();
  const head = await store.log.head();
  const totals = await count({ kind: 'totals' });
  const size = await storage();
  const findings = await meters.integrity(count);
  const indexed = await indexedTo({ store });
  const left = progress === null || live.kind !== 'importing' ? 0 : progress.allBytes - progress.doneBytes;
  const lines: string[] = [];
  const gauge = (name: string, help: string, value: number): void => {
    lines.push(`# HELP yarnboard_${name} ${help}`, `# TYPE yarnboard_${name} gauge`, `yarnboard_${name} ${value}`);
  };
  gauge('log_entries', 'Entries on the log.', head.count);
  gauge('log_bytes', 'Size of the database.', size.bytes);
  gauge('payload_bytes', 'Bytes of payloads before compression.', size.payloadBytes);
  const media = await count({ kind: 'media' });
  gauge('media_files', 'Files that were uploaded whole.', media.files);
  gauge('media_bytes', 'Bytes of uploads.', media.bytes);
  gauge('media_unfinished', 'Uploads that are under way, or broke off.', media.unfinished);
  gauge('media_swept', 'Uploads and files that nobody referred to, taken away since the server started.', sweptMedia().uploads + sweptMedia().files);
  gauge('sessions', 'Sessions in the library.', totals.sessions);
  gauge('messages', 'Messages that have a number.', totals.messages);
  gauge('operations', 'Tool uses and tool results.', totals.operations);
  gauge('ingest_lag_bytes', 'Bytes of known files that are not on the log yet.', left);
  gauge('index_lag_entries', 'Entries that are not searchable yet.', Math.max(0, head.count - indexed));
  gauge('ingest_troubled_files', 'Files that could not be read when last tried.', troubles.length);
  gauge('ingest_stuck', '1 while the store refuses to be written to.', live.kind === 'stuck' || live.kind === 'stopped' ? 1 : 0);
  const { isActive, pendingWrites, conflicts, cacheBytes, placeFailures } = needs.outage?.figures() ?? NO_OUTAGE;
  gauge('emergency_active', '1 while the log is away, and commands are queued.', isActive ? 1 : 0);
  gauge('emergency_pending_writes', 'Commands that wait for the log.', pendingWrites);
  gauge('emergency_conflicts', 'Queued commands that were refused at the replay, since the server started.', conflicts);
  gauge('emergency_cache_bytes', 'Bytes of commands that wait for the log.', cacheBytes);
  gauge('emergency_place_failures', 'Writes to a place of the emergency cache that failed, since the server started.', placeFailures);
  const { servers, redis } = needs.servers();
  gauge('servers', 'Servers of this board that are up.', servers.filter((one) => one.state === 'up').length);
  if (redis !== null) gauge('redis_up', '1 while Redis answers.', redis.isUp ? 1 : 0);
  gauge('messages_without_parent', 'Replies and results that name no parent.', findings.get('message-without-parent') ?? 0);
  gauge('messages_parent_missing', 'Messages whose parent is nowhere.', findings.get('parent-not-found') ?? 0);
  gauge(
    'tool_messages_unflagged',
    'Tool messages without isSidechain; they are recognised by their type.',
    findings.get('tool-message-unflagged') ?? 0,
  );
  gauge('parent_cycles', 'Circles of parents.', findings.get('circular-parents') ?? 0);
  gauge('api_answers_checked', 'Answers that were held against their schema.', meters.formats().checked);
  gauge('api_answers_malformed', 'Answers among them whose fields were not as promised.', meters.formats().wrong);
  const { clients, frames, bytes, droppedSlow, dropped, refused, lag } = countClients();
  gauge('ws_clients', 'Clients that are connected to /ws.', clients);
  gauge('ws_lag_entries', 'Entries that the client furthest behind has not been told.', lag);
  const counter = (name: string, help: string, value: number): void => {
    lines.push(`# HELP yarnboard_${name} ${help}`, `# TYPE yarnboard_${name} counter`, `yarnboard_${name} ${value}`);
  };
  counter('ws_frames_total', 'Entries told to clients.', frames);
  counter('ws_bytes_total', 'Bytes of them.', bytes);
  counter('ws_slow_clients_total', 'Clients that were closed because they did not read.', droppedSlow);
  counter('ws_dead_clients_total', 'Clients that were left because they were gone.', dropped);
  counter('ws_refused_frames_total', 'Frames of clients that were refused.', refused);
  lines.push('# HELP yarnboard_follower_failing 1 while the last pass of what follows the log failed.', '# TYPE yarnboard_follower_failing gauge');
  for (const { name, failure } of followers()) lines.push(`yarnboard_follower_failing{follower="${name}"} ${failure === null ? 0 : 1}`);
  lines.push(
    '# HELP yarnboard_follower_passes_total Passes of what follows the log that succeeded.',
    '# TYPE yarnboard_follower_passes_total counter',
  );
  for (const { name, passes } of followers()) lines.push(`yarnboard_follower_passes_total{follower="${name}"} ${passes}`);
  gauge('main_thread_longest_block_seconds', 'The longest time nobody was answered in, since this was last asked.', meters.longestBlock());
  gauge('process_resident_bytes', 'Memory of the server.', process.memoryUsage.rss());
  lines.push('# HELP yarnboard_http_requests_total Requests answered.', '# TYPE yarnboard_http_requests_total counter');
  for (const [labels, { count }] of meters.requestTotals()) lines.push(`yarnboard_http_requests_total{${labels}} ${count}`);
  lines.push('# HELP yarnboard_http_request_seconds_total Time spent on requests.', '# TYPE yarnboard_http_request_seconds_total counter');
  for (const [labels, { seconds }] of meters.requestTotals()) lines.push(`yarnboard_http_request_seconds_total{${labels}} ${seconds.toFixed(6)}`);
  return `${lines.join('\n')}\n`;
};

const NO_OUTAGE: OutageFigures = { isActive: false, pendingWrites: 0, conflicts: 0, cacheBytes: 0, placeFailures: 0 };

/** In milliseconds. */
const DELAY_STEP = 5;
const CHECK_EVERY = 60_000;
const SAMPLED = 25;
