import { isDecided, NO_LANGUAGE, rowsOf, sidebarOf, type Board, type ChainedEntry, type Recorded, type Sidebar } from '@yarnboard/domain';
import { verifyRange } from '@yarnboard/store';
import { idOf, keyOf } from '../../packages/server/src/engine/command-ids.ts';
import { createEngine, type Engine } from '../../packages/server/src/engine/engine.ts';
import type { Outcome } from '../../packages/server/src/engine/outcomes.ts';
import { createMemory, readMemory, type MemoryCursor } from '../../packages/server/src/engine/memory.ts';
import type { History } from './history.ts';
import type { Sent, Server } from './servers.ts';
import { STRANGER } from './wishes.ts';
import { dumpOf, walkLog, type Said, type Walk } from './walk.ts';

/** Everything that is wrong about a history; nothing, when all is well. */
export const complaintsAbout = async (history: History): Promise<readonly string[]> => {
  const races = wrongRaces(history.sent);
  const walk = await walkLog(history.store, races);
  const { count } = await history.store.log.head();
  const { broken } = await verifyRange(history.store.log, 1, count, { forgotten: new Set() });
  return [
    ...(broken === null ? [] : [`the chain is broken at ${broken.position}: ${broken.why}`]),
    ...walk.complaints,
    ...wrongAnswers(history, walk),
    ...history.servers.flatMap((server) => wrongTelling(server, walk)),
    ...(await wrongBoards(history, walk)),
    ...(await wrongMemory(history, walk)),
  ];
};

/** A command that named what it knew is done only if nothing came since. */
const wrongRaces = (sent: readonly Sent[]): ((board: Board, event: Recorded) => string | null) => {
  const waiting = new Map<string, Sent>();
  for (const one of sent) {
    const { actor, messageId } = one.asked;
    if (one.attempts.every(({ asked }) => asked.ifSeq !== undefined))
      for (let n = 0; n < FEW_IDS; n += 1) waiting.set(idOf(keyOf(actor.id, messageId), n), one);
  }
  const begun = new Set<Sent>();
  return (board, { uuid, position }) => {
    const one = waiting.get(uuid);
    if (one === undefined || begun.has(one)) return null;
    begun.add(one);
    const { command } = one.asked;
    const named = 'sidebar' in command && command.sidebar !== undefined ? sidebarOf(board, command.sidebar) : null;
    const known = Math.max(...one.attempts.map(({ asked }) => asked.ifSeq ?? 0));
    const last = named?.lastPosition ?? 0;
    return last <= known ? null : `entry ${position} was decided upon ${known}, though ${last} had come`;
  };
};

const wrongAnswers = ({ sent, begun }: History, { entries, events }: Walk): readonly string[] => {
  const complaints: string[] = [];
  const owners = new Map<number, string>();
  const places = new Map(entries.map(({ uuid }, i) => [uuid, i]));
  for (const one of sent) {
    const name = `${one.asked.command.type} ${one.asked.messageId.slice(0, 8)} of ${one.asked.actor.id}`;
    const outcomes = one.attempts.flatMap(({ outcome }) => outcome ?? []);
    const done = outcomes.filter((outcome) => outcome.kind === 'done');
    const kept = outcomes.filter((outcome) => outcome.kind === 'done' || outcome.kind === 'duplicate');
    if (outcomes.length === 0) complaints.push(`${name} was never answered`);
    if (done.length > 1) complaints.push(`${name} was done ${done.length} times`);
    if (new Set(kept.map(({ seq, refs }) => `${seq} ${refs.join(' ')}`)).size > 1) complaints.push(`${name} was answered in several ways`);
    // A server that is alone knows all that it has acknowledged.
    for (const { outcome, owed, knew, server } of one.attempts)
      if (outcome?.kind === 'rejected' && knew < owed)
        complaints.push(`${name} was refused by ${server.name}, which knew ${knew} though ${owed} had been acknowledged`);
    const [answer] = kept;
    if (answer === undefined) continue;
    const own = entriesOf(one, done[0], entries, places);
    for (const { position } of own) {
      if (owners.has(position)) complaints.push(`entry ${position} is of ${name} and of ${owners.get(position) ?? ''}`);
      owners.set(position, name);
    }
    const told = [answer.seq, ...answer.refs].join(' ');
    const has = [own.at(-1)?.position, ...own.flatMap(({ refs }) => refs)].join(' ');
    if (told !== has) complaints.push(`${name} was told ${told}, the log has ${has}`);
    if (own.length !== (own.at(-1)?.position ?? 0) - (own[0]?.position ?? 0) + 1) complaints.push(`${name} is scattered over the log`);
    for (const event of done[0]?.events ?? []) {
      const entry = entries[event.position - 1];
      if (entry?.uuid !== event.uuid || entry.type !== event.type || entry.timestamp !== event.at || entry.sender !== event.by.id)
        complaints.push(`${name} was told of ${event.type} at ${event.position}, the log has ${entry?.type ?? 'nothing'}`);
    }
    const strange = own.find(({ sender }) => sender !== one.asked.actor.id && sender !== 'system');
    if (strange !== undefined) complaints.push(`${name} speaks as ${strange.sender}`);
  }
  for (const { position, type, sender } of entries) {
    if (position > begun && isDecided(type) && !owners.has(position))
      complaints.push(`entry ${position} (${type}) is of nobody whose command was done`);
    if (sender === STRANGER.id) complaints.push(`entry ${position} (${type}) is of a stranger`);
  }
  return [...complaints, ...doneTwice(sent, events)];
};

/** The entries of a command: those it was told of, or those that have its ids. */
const entriesOf = (
  { asked }: Sent,
  done: (Outcome & { readonly kind: 'done' }) | undefined,
  entries: readonly ChainedEntry[],
  places: ReadonlyMap<string, number>,
): readonly ChainedEntry[] => {
  const key = keyOf(asked.actor.id, asked.messageId);
  const uuids = done?.events.map(({ uuid }) => uuid) ?? Array.from({ length: MOST_IDS }, (_, n) => idOf(key, n));
  return uuids.flatMap((uuid) => entries[places.get(uuid) ?? -1] ?? []).sort((a, b) => a.position - b.position);
};

/** Independent of ids: in what is said and found there is a word that only one command has. */
const doneTwice = (sent: readonly Sent[], events: readonly Recorded[]): readonly string[] => {
  const words = events.flatMap((event) => {
    const content = event.type === 'chat.message' || event.type === 'finding.submitted' ? event.payload.content : '';
    return /\(n\d+\)$/u.exec(content)?.[0] ?? [];
  });
  const done = sent.filter(
    ({ asked, attempts }) =>
      (asked.command.type === 'chat.say' || asked.command.type === 'finding.submit') &&
      attempts.some(({ outcome }) => outcome !== null && outcome.kind !== 'rejected'),
  );
  return words.length === done.length && new Set(words).size === words.length
    ? []
    : [`${done.length} said or found something, on the log is ${words.join(' ')}`];
};

/** Whoever listens to a server hears every decided entry once, in order, from where it began. */
const wrongTelling = ({ name, startedAt, told, state, engine, faults }: Server, { events }: Walk): readonly string[] => {
  const behind = events.filter(({ position }) => position > startedAt).map(({ position, uuid }) => `${position} ${uuid}`);
  const heard = told.map(({ position, uuid }) => `${position} ${uuid}`);
  const wanted = state === 'up' ? behind : behind.slice(0, heard.length);
  const at = wanted.findIndex((one, i) => one !== heard[i]);
  return [
    ...(at < 0 && heard.length === wanted.length
      ? []
      : [`${name}, from ${startedAt}, told ${heard[at] ?? 'nothing'} where the log has ${wanted[at] ?? 'nothing'}`]),
    ...(state === 'up' && engine.position() !== (events.at(-1)?.position ?? 0) ? [`${name} is at ${engine.position()}`] : []),
    ...faults.map((cause) => `${name} had a fault: ${String(cause)}`),
  ];
};

/** SIM-2: live, rebuilt from the log, and rebuilt with a snapshot, boards are the same. */
const wrongBoards = async (history: History, walk: Walk): Promise<readonly string[]> => {
  const wanted = dumpOf(walk.board);
  const complaints: string[] = [];
  const compare = (what: string, board: Board): void => {
    const found = dumpOf(board);
    for (const [name, rows] of Object.entries(wanted))
      if (found[name] !== rows) complaints.push(`${what} has other ${name} than the log tells: ${difference(rows, found[name] ?? '')}`);
  };
  for (const server of history.servers.filter(({ state }) => state === 'up')) compare(`the board of ${server.name}`, server.engine.board());
  compare('a board folded anew', (await reopened(history, null)).board());
  for (const snapshot of history.snapshots) compare('a board from a snapshot', (await reopened(history, snapshot)).board());
  return complaints;
};

const reopened = ({ store, now }: History, snapshot: string | null): Promise<Engine> =>
  createEngine({
    store,
    append: () => Promise.reject(new Error('only looked at')),
    now,
    snapshot: { read: () => snapshot, write: () => {} },
    language: NO_LANGUAGE,
    onFault: (cause) => {
      throw cause;
    },
  });

const wrongMemory = async ({ store, seed }: History, walk: Walk): Promise<readonly string[]> => {
  const memory = createMemory(store);
  const complaints: string[] = [];
  for (const sidebar of rowsOf(walk.board.sidebars)) {
    for (const part of ['inherited', 'local'] as const) {
      const wanted = (part === 'local' ? walk.local.get(sidebar.contextId) : walk.inherited.get(sidebar.id)) ?? [];
      const found = await readAll(sidebar, part, 1 + (seed % 7));
      if (textOf(found) !== textOf(wanted)) complaints.push(`${sidebar.ref} has as ${part} memory ${textOf(found)}, not ${textOf(wanted)}`);
    }
  }
  return complaints;

  async function readAll(sidebar: Sidebar, part: 'inherited' | 'local', limit: number): Promise<readonly Said[]> {
    const all: Said[] = [];
    for (let after: MemoryCursor | undefined; ;) {
      const { items, next } = await readMemory(memory, walk.board, sidebar, part, { after, limit });
      all.push(...items);
      if (next === null) return all;
      after = next;
    }
  }
};

const textOf = (said: readonly Said[]): string => said.map(({ position, text }) => `${position} ${text}`).join(' | ');

const difference = (wanted: string, found: string): string => {
  let at = 0;
  while (at < wanted.length && wanted[at] === found[at]) at += 1;
  const from = Math.max(0, at - 60);
  return `…${found.slice(from, from + 160)}… instead of …${wanted.slice(from, from + 160)}…`;
};

const MOST_IDS = 60;
const FEW_IDS = 5;
