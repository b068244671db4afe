import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { formatRef, isDecided, parseRef, type Entry } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import { heldIn } from '../engine/stored-events.ts';
import { claimsIn, episodesIn } from '../engine/claim-quotes.ts';
import { quotesOf } from '../engine/quotes.ts';
import { keptMedia } from './board/media.ts';
import type { Answer } from './request/answer.ts';
import { findSession, type SessionNames } from './request/find-session.ts';
import { Refused } from './request/refusal.ts';
import type { Store } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import type { ImportCounts } from '../ingest/ingest.ts';
import type { SessionLoader } from '../sessions/session-loader.ts';
import type { Repaired } from '../threads/writer.ts';
import type { PageLink, PageLinks } from './page-links.ts';

export type DataNeeds = SessionNames & {
  readonly store: Pick<Store, 'log'>;
  readonly sessions: Pick<SessionLoader, 'drop'>;
  readonly engine: Pick<Engine, 'board' | 'follow'>;
  readonly links: PageLinks;
  /** Opens the demo board and creates a link to its page; null if this server has no demo. */
  readonly openDemo: (() => Promise<PageLink>) | null;
  readonly importPaths: (paths: readonly string[]) => Promise<ImportCounts>;
  readonly forget: (hash: string) => Promise<{ readonly isDropped: boolean; readonly position: number | null }>;
  readonly media: { readonly dropMedia: (sha256: string) => Promise<boolean> };
  readonly rebuild: (sessionId: string | null) => Promise<{ readonly entries: number }>;
  readonly repair: (sessionId: string) => Promise<Repaired>;
  readonly backup: (path: string) => Promise<{ readonly path: string; readonly bytes: number }>;
};

export const importPaths = async (needs: DataNeeds, { paths }: InputOf<'import'>): Answer<'import'> => {
  for (const path of paths) {
    if (!isAbsolute(path)) throw new Refused('bad-request', `"${path}" is not an absolute path; the server does not know your working directory`);
    if (!existsSync(path)) throw new Refused('not-found', `there is no file or folder "${path}" on the server's machine`);
  }
  return needs.importPaths(paths);
};

export const forget = async (needs: DataNeeds, { ref }: InputOf<'forget'>): Answer<'forget'> => {
  const hash = await hashFor(needs, ref);
  const said = await entriesWith(needs, hash);
  refuseDecided(said);
  // Do this first: finding the summaries that quote it needs its text.
  for (const quote of await quotesIn(needs, said, hash)) await needs.forget(quote);
  for (const claim of await claimsIn(needs.store.log, said)) await needs.forget(claim);
  for (const episode of await episodesIn(needs.store.log, said)) await needs.forget(episode);
  const attached = mediaAmong(needs, said);
  const { isDropped, position } = await needs.forget(hash);
  // Another medium may use the same file.
  const kept = new Set(keptMedia(needs.engine.board()));
  for (const sha256 of attached) if (!kept.has(sha256)) await needs.media.dropMedia(sha256);
  const entries = [...(await entriesWith(needs, hash))];
  // A fork repeats earlier messages in bytes of its own; forgetting a text includes those copies.
  const copies = await hashesOfCopies(needs, new Set(entries.map((entry) => entry.position)));
  for (const copy of copies) {
    await needs.forget(copy);
    entries.push(...(await entriesWith(needs, copy)));
  }
  for (const { sessionId } of entries) needs.sessions.drop(sessionId);
  if (!isDropped || position === null)
    throw new Refused('already-forgotten', `the payload of ${ref} was already dropped; its hash ${hash} is on the log`);
  return { payloadHash: hash, position };
};

/** The hashes of the files attached by these entries. */
const mediaAmong = ({ engine }: DataNeeds, entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ type, uuid }) => (type === 'media.uploaded' ? (engine.board().media.get(uuid)?.sha256 ?? []) : []));

const entriesWith = async ({ store: { log } }: DataNeeds, hash: string): Promise<readonly Entry[]> => log.entriesAt(await log.positionsWith(hash));

/** ENGINE-13: what people wrote can be forgotten. Decisions can't be, because later events depend on them. */
const refuseDecided = (entries: readonly Entry[]): void => {
  const fixed = entries.find(({ type }) => isDecided(type) && !FORGETTABLE.has(type));
  if (fixed === undefined) return;
  throw new Refused(
    'bad-request',
    `${fixed.type} cannot be forgotten, because later events depend on it; messages, findings, citations, media and GOLD can`,
  );
};

/** ENGINE-36: the payloads that quote the same text. */
const quotesIn = async ({ store: { log }, engine }: DataNeeds, entries: readonly Entry[], hash: string): Promise<ReadonlySet<string>> => {
  const decided = entries.filter(({ type }) => isDecided(type));
  const bytes = decided.length === 0 ? null : await log.payloadByHash(hash);
  const content = bytes === null ? null : heldIn(bytes)?.['content'];
  const quotes = new Set<string>();
  // Another server may have decided it a moment ago.
  if (decided.length > 0) await engine.follow();
  for (const entry of decided)
    for (const quote of await quotesOf(log, engine.board(), entry, typeof content === 'string' ? content : null)) quotes.add(quote);
  quotes.delete(hash);
  return quotes;
};

const FORGETTABLE: ReadonlySet<string> = new Set([
  'chat.message',
  'memory.merged',
  'finding.submitted',
  'citation.created',
  'media.uploaded',
  'gold.created',
  'checkpoint.created',
  'sidebar.tested',
  'permission.requested',
]);

// Scans the log: forgetting is rare, and an index would slow down every append.
const hashesOfCopies = async ({ store: { log } }: DataNeeds, originals: ReadonlySet<number>): Promise<ReadonlySet<string>> => {
  const hashes = new Set<string>();
  for (let after = Math.min(...originals); ;) {
    const entries = await log.entriesAfter(after, STEP);
    for (const { copyOf, payloadHash } of entries) if (copyOf !== null && originals.has(copyOf) && payloadHash !== null) hashes.add(payloadHash);
    const last = entries.at(-1);
    if (last === undefined) return hashes;
    after = last.position;
  }
};

const hashFor = async (needs: DataNeeds, text: string): Promise<string> => {
  const { log } = needs.store;
  if (/^[0-9a-f]{64}$/u.test(text)) {
    if ((await log.positionsWith(text)).length > 0) return text;
    throw new Refused('not-found', `no entry has a payload with the hash ${text}`);
  }
  const ref = parseRef(text);
  // A forget is final, so only the canonical spelling counts as a reference; any other ("msg-3") is first tried as the uuid of a record.
  const named = ref.ok && formatRef(ref.value) === text ? null : await log.entryByUuid(text);
  // A record's bytes are kept or dropped as a whole, and only the prompt of an exchange carries its number.
  if (named === null && ref.ok && ref.value.kind === 'numbered' && (ref.value.part !== null || ref.value.type !== 'MSG')) {
    throw new Refused('bad-request', `${text} cannot be forgotten by itself; give the MSG-n of each message to forget`);
  }
  const position = named === null && ref.ok && ref.value.kind === 'numbered' ? await log.positionOfRef(ref.value.type, ref.value.number) : null;
  const entry = position === null ? named : await log.entryAt(position);
  if (entry === null) throw new Refused('not-found', `there is no ${text} on this board; give MSG-n, the UUID of an entry, or the hash of a payload`);
  if (entry.payloadHash === null) throw new Refused('not-found', `${text} has no payload`);
  return entry.payloadHash;
};

export const rebuild = async (needs: DataNeeds, { session }: InputOf<'rebuild'>): Answer<'rebuild'> => {
  if (session === undefined) return needs.rebuild(null);
  return needs.rebuild(await importedId(needs, session));
};

export const repair = async (needs: DataNeeds, { session }: InputOf<'repair'>): Answer<'repair'> => {
  const repaired = await needs.repair(await importedId(needs, session));
  const { integrity } = repaired;
  return { ...repaired, integrity: { ...integrity, isSound: integrity.findings.every((finding) => finding.severity !== 'error') } };
};

const importedId = async (needs: DataNeeds, session: string): Promise<string> => {
  const found = await findSession(needs, session);
  if (found.kind === 'imported') return found.row.sessionId;
  throw new Refused('not-found', 'this session is not on the log yet; wait for the import to finish');
};

export const backup = async (needs: DataNeeds, { path }: InputOf<'backup'>): Answer<'backup'> => {
  if (!isAbsolute(path)) throw new Refused('bad-request', `"${path}" is not an absolute path; the server does not know your working directory`);
  if (existsSync(path)) throw new Refused('already-there', `${path} already exists; a backup never overwrites anything`);
  if (!existsSync(dirname(path))) throw new Refused('not-found', `there is no folder "${dirname(path)}" on the server's machine; create it first`);
  return needs.backup(path);
};

export const makeLink = async ({ links }: DataNeeds): Answer<'page_link'> => linkOf(links.make());

export const makeDemoLink = async ({ openDemo }: Pick<DataNeeds, 'openDemo'>): Answer<'demo_link'> => {
  if (openDemo === null) throw new Refused('not-found', 'this server has no demo board; start one with `yarnboard start --demo`');
  return linkOf(await openDemo());
};

const linkOf = ({ url, expiresAt }: PageLink): Awaited<Answer<'page_link'>> => ({ url, expiresAt: new Date(expiresAt).toISOString() });

export const enter = async ({ links }: DataNeeds, { key }: InputOf<'enter'>): Answer<'enter'> => {
  const token = links.enter(key);
  if (token !== null) return { token };
  throw new Refused(
    'bad-key',
    'this link was already used, is older than ten minutes, or was made before a restart; run `yarnboard open` for a new one. If it was used and not by you, delete operator.token in the Yarnboard home and restart the server: that locks everybody else out',
  );
};

const STEP = 1000;
