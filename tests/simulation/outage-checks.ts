import { openWrites, WHILE_AWAY, type ChainedEntry, type EmergencyDocument, type PendingWrite } from '@yarnboard/domain';
import { verifyRange } from '@yarnboard/store';
import { lastPlaceIn, resolvedId } from '../../packages/server/src/recovery/emergency-entry.ts';
import { dumpOf, foldOf } from '../../packages/server/test/engine/bench.ts';
import type { OutageHistory, Said } from './outages.ts';

/** Everything that is wrong about such a history; nothing, when all is well. */
export const complaintsAboutOutages = async (history: OutageHistory): Promise<readonly string[]> => {
  const { log } = history.store;
  const { count } = await log.head();
  const { broken } = await verifyRange(log, 1, count, { forgotten: new Set() });
  const entries = await log.entriesAfter(0, 100_000);
  const places = new Map(entries.map((entry) => [entry.uuid, entry]));
  return [
    ...(broken === null ? [] : [`the chain is broken at ${broken.position}: ${broken.why}`]),
    ...history.said.flatMap((one) => wrongAnswers(history, places, one)),
    ...(await repeatedWords(history, entries)),
    ...history.documents.flatMap((document) => wrongDocument(history, places, document)),
    ...(await wrongBoards(history)),
  ];
};

const nameOf = ({ asked: { command, messageId, actor } }: Said): string => `${command.type} ${messageId.slice(0, 8)} of ${actor.id}`;

type Places = ReadonlyMap<string, ChainedEntry>;

const wrongAnswers = ({ documents, left, discarded }: OutageHistory, places: Places, one: Said): readonly string[] => {
  const { outcomes, uuid, asked, sent } = one;
  const complaints: string[] = [];
  const entry = places.get(uuid);
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  if ((kinds.has('done') || kinds.has('duplicate')) && entry === undefined) complaints.push(`${nameOf(one)} was done, and is not on the log`);
  if (kinds.has('queued')) {
    if (WHILE_AWAY[asked.command.type] === 'blocked') complaints.push(`${nameOf(one)} was queued, and may not wait`);
    const waited = documents.flatMap((document) =>
      document.pendingWrites.filter((write) => write.uuid === uuid).map((write) => ({ document, write })),
    );
    const isKnown = waited.some(({ document, write }) => write.outcome.kind !== 'pending' || left.has(document.cacheId) || discarded.has(uuid));
    if (entry === undefined && !isKnown) complaints.push(`${nameOf(one)} was queued, and is nowhere`);
    if (waited.length === 0) complaints.push(`${nameOf(one)} was queued, and no cache has it`);
    for (const { write } of waited)
      if (isPut(write) && entry === undefined) complaints.push(`${nameOf(one)} was ${write.outcome.kind}, and is not on the log`);
  }
  // Nobody knows what became of it where nobody was told.
  const isRefused = outcomes.length === sent && outcomes.every(({ kind }) => kind === 'rejected');
  if (isRefused && entry !== undefined) complaints.push(`${nameOf(one)} was refused, and is on the log`);
  return complaints;
};

const isPut = ({ outcome: { kind } }: PendingWrite): boolean => kind === 'replayed' || kind === 'known';

/** Whatever was said has a word of its own. */
const repeatedWords = async ({ store }: OutageHistory, entries: readonly ChainedEntry[]): Promise<readonly string[]> => {
  const said = entries.filter(({ type }) => type === 'chat.message' || type === 'finding.submitted').map(({ position }) => position);
  const times = new Map<string, number>();
  for (const bytes of (await store.log.payloadsOf(said)).values())
    for (const [word] of Buffer.from(bytes)
      .toString()
      .matchAll(/\(n\d+\)/gu))
      times.set(word, (times.get(word) ?? 0) + 1);
  return [...times].filter(([, count]) => count > 1).map(([word, count]) => `${word} was said ${count} times`);
};

const wrongDocument = ({ chosen, left, discarded, settled }: OutageHistory, places: Places, document: EmergencyDocument): readonly string[] => {
  const { cacheId, pendingWrites, resolvedAt } = document;
  const complaints: string[] = [];
  const numbers = pendingWrites.map(({ n }) => n);
  if (new Set(numbers).size < numbers.length) complaints.push(`${cacheId} has two writes with one number: ${numbers.join(' ')}`);
  // A copy from before it was settled may be all that is left: then the log has it.
  const hasOpen = openWrites(document).some(({ uuid }) => !places.has(uuid) && !discarded.has(uuid));
  const isOver = resolvedAt !== null || places.has(resolvedId(cacheId, lastPlaceIn(document)));
  if (hasOpen && isOver && !left.has(cacheId)) complaints.push(`${cacheId} is resolved, and something in it is open`);
  if (openWrites(document).length === 0 && !isOver) complaints.push(`${cacheId} is not resolved, and nothing in it is open`);
  if (resolvedAt !== null && pendingWrites.length > 0 && !places.has(resolvedId(cacheId, lastPlaceIn(document))))
    complaints.push(`${cacheId} is resolved, and the log does not say so`);
  // What the operator picked, or set aside while its server was still at work, comes in no order that was promised.
  if (chosen.has(cacheId) || left.has(cacheId)) return complaints;
  const disputed = new Set(settled.filter(({ outcome }) => outcome === 'conflict').map(({ uuid }) => uuid));
  const last = new Map<string, number>();
  for (const { uuid, sender, outcome, n } of pendingWrites) {
    const entry = places.get(uuid);
    if (outcome.kind !== 'replayed' || entry === undefined || disputed.has(uuid)) continue;
    if (entry.position < (last.get(sender.id) ?? 0)) complaints.push(`${cacheId}: write ${n} of ${sender.id} overtook the one before`);
    last.set(sender.id, entry.position);
  }
  return complaints;
};

const wrongBoards = async ({ lives, store }: OutageHistory): Promise<readonly string[]> => {
  const told = JSON.stringify(dumpOf(await foldOf(store)));
  return lives
    .filter(({ isDead }) => !isDead)
    .filter(({ engine }) => JSON.stringify(dumpOf(engine.board())) !== told)
    .map(({ home }) => `the board of ${home.name} is another than the log tells`);
};
