import { isUtf8 } from 'node:buffer';
import { genesisOf, isDecided, parseRef, UNTOLD_HASH, type Entry } from '@yarnboard/domain';
import { sha256, maskedText, type SpendingRow, type Store, StoreFault } from '@yarnboard/store';
import { TURNS } from '../sessions/turns.ts';
import type { PendingSession, Progress, Trouble } from '../ingest/ingest.ts';
import type { LiveState } from '../ingest/live.ts';
import type { InputOf } from '@yarnboard/protocol';
import { spendingView, timeOf } from '../sessions/session-view.ts';
import { shownBytes } from './board/masked-media.ts';
import { mimeOf } from './board/mime.ts';
import { namesOf } from './board/names.ts';
import type { Answer } from './request/answer.ts';
import { instantOf, readCursor, writeCursor } from './request/cursor.ts';
import { findSession, sessionIdOf, type SessionNames } from './request/find-session.ts';
import { kept } from './request/kept.ts';
import type { Count } from './request/questions.ts';
import type { Stored } from './storage.ts';
import type { Engine } from '../engine/engine.ts';
import type { AnswerTo, Question } from '../threads/counter.ts';
import { epochOf } from '../threads/epoch.ts';
import type { OutageWatch } from '../recovery/outage-watch.ts';
import type { FollowerState } from '../followers/runner.ts';
import type { Recovery } from '../recovery/recovery.ts';
import { failingAmong, uncoveredBy } from './failing.ts';

/** What a server reports about itself. */
export type ServerState = {
  readonly live: LiveState;
  readonly progress: Progress | null;
  readonly troubles: readonly Trouble[];
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly home: string;
  readonly database: string;
  readonly roots: readonly string[];
};

/** The connection to the log; null if nothing monitors it. */
export type OutageView = Pick<OutageWatch, 'news' | 'figures' | 'asOf' | 'state' | 'isAllDown'>;

export type StatusNeeds = {
  readonly outage?: OutageView | null;
  readonly engine: Pick<Engine, 'readOnly'> & Partial<Pick<Engine, 'position'>>;
  readonly store: Pick<Store, 'log' | 'search'>;
  readonly pending: () => readonly PendingSession[];
  /** How much the database holds. */
  readonly storage: () => Promise<Stored>;
  readonly state: () => ServerState;
  readonly followers: () => readonly FollowerState[];
  readonly recovery: Pick<Recovery, 'startup' | 'news'>;
};

type LogNeeds = { readonly store: Pick<Store, 'log'>; readonly engine: Pick<Engine, 'board'> };
type CountNeeds = { readonly count: Count };
type IntegrityNeeds = SessionNames & CountNeeds;

type LogCursor = { readonly after: number };

export const listLog = async (needs: LogNeeds, input: InputOf<'log'>): Answer<'log'> => {
  const { log } = needs.store;
  const after = readCursor<LogCursor>(input.cursor, ({ after }) => Number.isSafeInteger(after) && Number(after) >= 0)?.after ?? input.after;
  const entries = await log.entriesAfter(after, input.limit + 1);
  const page = entries.slice(0, input.limit);
  const payloads = await log.payloadsOf(page.map((entry) => entry.position));
  const before = after === 0 ? null : await log.entryAt(after);
  let previous = before?.checksum ?? Buffer.from(genesisOf(log.boardId, sha256).checksum).toString('hex');
  const parents = await parentsIn(needs, page);
  const { context } = namesOf(needs.engine.board());
  const files = input.reveal ? NO_FILES : await filesIn(page, payloads);
  const items: Awaited<Answer<'log'>>['items'][number][] = [];
  for (const entry of page) {
    await TURNS.go();
    const { position, refs, payloadHash, timestamp, recordedAt, contextId, parentMsgId, ...rest } = entry;
    const bytes = files.get(position) ?? payloads.get(position);
    items.push({
      ...rest,
      position,
      entryId: refs[0] ?? null,
      contextId: context(contextId),
      parentMsgId: parentMsgId === null ? null : (parents.get(parentMsgId) ?? parentMsgId),
      chainedContextId: contextId,
      chainedParentMsgId: parentMsgId,
      refs,
      timestamp: timeOf(timestamp),
      recordedAt: timeOf(recordedAt),
      payloadHash,
      rawContent: bytes === undefined ? null : contentOf(untold(entry.type, bytes), input.reveal),
      previousEntryChecksum: previous,
    });
    previous = entry.checksum;
  }
  const last = page.at(-1);
  return { items, nextCursor: entries.length > input.limit && last !== undefined ? writeCursor({ after: last.position }) : null };
};

/** REF-14: the MSG-n that entries reply to. Records name it by uuid, and it usually comes just before them. */
const parentsIn = async ({ store: { log } }: LogNeeds, page: readonly Entry[]): Promise<ReadonlyMap<string, string>> => {
  const named = new Map(page.flatMap(({ uuid, refs }) => messageIn(refs).map((ref) => [uuid, ref] as const)));
  for (const uuid of new Set(page.flatMap(({ parentMsgId }) => parentMsgId ?? []))) {
    if (named.has(uuid) || parseRef(uuid).ok) continue;
    const [ref] = messageIn((await log.entryByUuid(uuid))?.refs ?? []);
    if (ref !== undefined) named.set(uuid, ref);
  }
  return named;
};

const messageIn = (refs: readonly string[]): readonly string[] => refs.filter((ref) => ref.startsWith('MSG-')).slice(0, 1);

/** SEC-15: a token can be recognized by its hash, so nobody sees the hash, not even the operator. */
const untold = (type: string, bytes: Uint8Array): Uint8Array => {
  const kept = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isDecided(type) || !kept.includes('tokenHash')) return bytes;
  return Buffer.from(kept.toString('utf8').replaceAll(/("tokenHash":")[0-9a-f]{64}"/gu, `$1${UNTOLD_HASH}"`));
};

/** SEC-29: small files are stored in their entries as base64. Text files with secrets are written again, masked. */
const filesIn = async (page: readonly Entry[], payloads: ReadonlyMap<number, Uint8Array>): Promise<ReadonlyMap<number, Uint8Array>> => {
  const files = new Map<number, Uint8Array>();
  for (const { type, position } of page) {
    const payload = isDecided(type) ? fileIn(payloads.get(position) ?? null) : null;
    if (payload !== null) files.set(position, await withoutSecrets(payload));
  }
  return files;
};

const NO_FILES: ReadonlyMap<number, Uint8Array> = new Map();

const fileIn = (bytes: Uint8Array | null): MediaPayload | null => {
  const kept = bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kept === null || !kept.includes('"filePath":"')) return null;
  const payload = JSON.parse(kept.toString('utf8')) as Partial<MediaPayload>; // our own entry
  return typeof payload.content === 'string' && typeof payload.filePath === 'string' ? (payload as MediaPayload) : null;
};

const withoutSecrets = async (payload: MediaPayload): Promise<Uint8Array> => {
  const file = Buffer.from(payload.content, 'base64');
  const shown = await shownBytes(file, mimeOf(file, payload.filePath));
  return Buffer.from(JSON.stringify(shown === file ? payload : { ...payload, content: shown.toString('base64') }));
};

type MediaPayload = { readonly content: string; readonly filePath: string };

// Binary data goes out as base64 and marked as such, because JSON has no other way.
const contentOf = (bytes: Uint8Array, reveal: boolean): string => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  const isText = isUtf8(buffer);
  const shown = reveal ? text : maskedText(text);
  // In base64 nobody would notice a secret, yet anybody could decode it.
  return isText || shown !== text ? shown : `base64:${buffer.toString('base64')}`;
};

export const showStats = async ({ count }: CountNeeds, input: InputOf<'stats'>, signal: AbortSignal): Answer<'stats'> => {
  const filter = {
    ...(input.since === undefined ? {} : { since: instantOf(input.since) }),
    ...(input.until === undefined ? {} : { until: instantOf(input.until, true) }),
  };
  const figures = await count({ kind: 'figures', filter, split: input.split ?? null }, signal);
  return kept(TOLD, figures, () => statsOf(figures));
};

const statsOf = ({ totals, by, daily }: AnswerTo<Extract<Question, { readonly kind: 'figures' }>>): Awaited<Answer<'stats'>> => {
  const told = (rows: readonly SpendingRow[]) => rows.map(({ key, spent }) => ({ key, ...spendingView(spent) }));
  return {
    totals: {
      entries: totals.entries,
      sessions: totals.sessions,
      messages: totals.messages,
      sidechains: totals.agents,
      operations: totals.operations,
      ...spendingView(totals.spent),
    },
    byDay: told(by.day),
    byModel: told(by.model),
    byProject: told(by.project),
    byAgent: told(by.agent),
    byTool: told(by.tool),
    byDaySplit: daily.map(({ day, key, spent }) => ({ day, key, ...spendingView(spent) })),
  };
};

/** API-52: callers that share figures also share the answer, which is built, masked and written once. */
const TOLD = new WeakMap<object, Awaited<Answer<'stats'>>>();

export const checkIntegrity = async (needs: IntegrityNeeds, input: InputOf<'integrity'>, signal: AbortSignal): Answer<'integrity'> => {
  const sessionId = input.session === undefined ? null : sessionIdOf(await findSession(needs, input.session));
  const { messages, operations, findings } = await needs.count({ kind: 'integrity', sessionId }, signal);
  return { isSound: findings.every((finding) => finding.severity !== 'error'), messages, operations, findings };
};

export const showStatus = async (needs: StatusNeeds): Answer<'status'> => {
  const { live, progress, troubles, startedAt, ...state } = needs.state();
  // REC-66: while the store is away, report what was last known of it.
  const head = await ofStore(() => needs.store.log.head(), { count: needs.engine.position?.() ?? 0 });
  const [indexed, epoch] = [await indexedTo(needs), await ofStore(() => epochOf(needs.store.log), NO_EPOCH)];
  const emergency = needs.outage?.news() ?? null;
  const failing = [
    ...alertIn(needs.recovery),
    ...failingAmong(needs.followers()).map(({ since, ...rest }) => ({ ...rest, since: timeOf(since) })),
    ...uncoveredBy(await ofIndex(() => needs.store.search.unindexed(), { count: 0, first: [] })),
  ];
  return {
    ...state,
    startedAt: timeOf(startedAt),
    board: needs.store.log.boardId,
    ...(epoch.position === 0 ? {} : { epoch: epoch.id }),
    state: live.kind,
    why: 'why' in live ? live.why : needs.engine.readOnly(),
    progress: progress === null ? null : { ...progress },
    pendingSessions: needs.pending().length,
    entries: head.count,
    indexed,
    storage: await ofStore(needs.storage, { bytes: 0, payloadBytes: 0 }),
    ...(emergency === null ? {} : { emergency }),
    ...recoveryIn(needs.recovery),
    troubles: troubles.map(({ path, why, since }) => ({ path, why, since: timeOf(since) })),
    ...(failing.length === 0 ? {} : { failing }),
  };
};

/** REC-71 */
const recoveryIn = (recovery: StatusNeeds['recovery']) => {
  const news = recovery.news();
  if (news === null) return {};
  const { state, message, recommendation, openWrites } = news;
  return { recovery: { state, message, recommendation, openWrites } };
};

/** REC-8: shown at every door until someone has dealt with it. */
const alertIn = (recovery: StatusNeeds['recovery']) => {
  const { alert, state } = recovery.startup();
  const remedy = state === 'RECOVERY_NEEDED' ? 'Run `yarnboard recover`' : 'Run `yarnboard recover audit`';
  return alert === null ? [] : [{ name: 'recovery', effect: alert.message, why: alert.recommendation, remedy, since: null }];
};

/** The index may still be building; a request shouldn't fail because of that. */
export const indexedTo = ({ store }: { readonly store: Pick<Store, 'search'> }): Promise<number> => ofIndex(() => store.search.position(), 0);

const NO_EPOCH = { id: '', position: 0 };

const ofStore = async <T, O>(ask: () => Promise<T>, otherwise: O): Promise<T | O> => {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof StoreFault)) throw cause;
    return otherwise;
  }
};

const ofIndex = async <T>(ask: () => Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await ask();
  } catch (cause) {
    if ((cause as Partial<StoreFault>).kind === undefined) throw cause;
    return otherwise;
  }
};
