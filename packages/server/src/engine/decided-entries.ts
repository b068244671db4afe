import { DECIDED_TYPES, isDecided, type Board, type ChainedEntry, type Recorded } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import { decidedIn } from './entry-items.ts';
import { forgottenPayloadOf } from './forgotten-payloads.ts';

export type DecidedEntry = { readonly entry: ChainedEntry; readonly payload: Uint8Array | null };

/** Some decided entries, and how far the log was looked through to find them. */
export type DecidedPart = { readonly entries: readonly DecidedEntry[]; readonly upTo: number };

/** All decided entries behind a position, in order, some at a time. */
export async function* decidedBehind(log: LogPort, after: number): AsyncGenerator<DecidedPart> {
  for await (const { entries, upTo } of entriesBehind(log, after)) {
    for (let from = 0; from < entries.length;) {
      const part = entries.slice(from, endOf(entries, from));
      const payloads = await log.payloadsOf(part.map(({ position }) => position));
      from += part.length;
      yield {
        entries: part.map((entry) => ({ entry, payload: payloads.get(entry.position) ?? null })),
        upTo: from === entries.length ? upTo : (part.at(-1)?.position ?? upTo),
      };
    }
    if (entries.length === 0) yield { entries: [], upTo };
  }
}

/** What an entry tells the board; null when nothing is left of it that could be told. */
export const recordedFrom = (board: Board, { entry, payload }: DecidedEntry): Recorded | null => {
  const told = payload === null ? forgottenPayloadOf(board, entry) : decidedIn(payload);
  if (told === null) return null;
  const { type, uuid, contextId, position, refs, sender, senderType } = entry;
  // What a decided entry has as payload is what was decided: nobody else writes such entries.
  return { type, uuid, contextId, position, at: entry.timestamp, refs, by: { id: sender, type: senderType }, payload: told } as Recorded;
};

type EntryPart = { readonly entries: readonly ChainedEntry[]; readonly upTo: number };

async function* entriesBehind(log: LogPort, after: number): AsyncGenerator<EntryPart> {
  // What is near is looked at as a whole, in one question: whoever decides again because of it is in a hurry.
  const near = await log.entriesAfter(after, NEAR);
  const last = near.at(-1)?.position ?? after;
  if (near.length < NEAR) {
    yield { entries: near.filter(({ type }) => isDecided(type)), upTo: last };
    return;
  }
  const { count } = await log.head();
  const found = await Promise.all(DECIDED_TYPES.map((type) => log.positionsOfType(type, after)));
  // What is added while one type after the other is asked for is behind `count`: a part of it would be out of order.
  const positions = found
    .flat()
    .filter((position) => position <= count)
    .sort((a, b) => a - b);
  for (let from = 0; from < positions.length; from += STEP) {
    const part = positions.slice(from, from + STEP);
    yield { entries: await log.entriesAt(part), upTo: part.at(-1) ?? count };
  }
  yield* entriesBehind(log, count);
}

// Media are payloads, too: a thousand of them at once would not fit into memory.
const endOf = (entries: readonly ChainedEntry[], from: number): number => {
  let length = 0;
  for (let end = from; end < entries.length; end += 1) {
    length += entries[end]?.contentLength ?? 0;
    if (length > MOST_CHARACTERS && end > from) return end;
  }
  return entries.length;
};

const NEAR = 500;
const STEP = 1000;
const MOST_CHARACTERS = 8_000_000;
