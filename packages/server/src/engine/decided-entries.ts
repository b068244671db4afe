import { mayDecide, type ChainedEntry } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';

export type DecidedEntry = { readonly entry: ChainedEntry; readonly payload: Uint8Array | null };

/** Some decided entries, and how far the log was searched to find them. */
export type DecidedPart = { readonly entries: readonly DecidedEntry[]; readonly upTo: number };

/** All entries after a position that the board may depend on, in order and in parts; including those of types that only a newer version knows. */
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

type EntryPart = { readonly entries: readonly ChainedEntry[]; readonly upTo: number };

async function* entriesBehind(log: LogPort, after: number): AsyncGenerator<EntryPart> {
  // Nearby entries are read in one query: a retried decision is in a hurry.
  const near = await log.entriesAfter(after, NEAR);
  const last = near.at(-1)?.position ?? after;
  if (near.length < NEAR) {
    yield { entries: near.filter(({ type }) => mayDecide(type)), upTo: last };
    return;
  }
  const { count } = await log.head();
  const types = (await log.types()).filter(mayDecide);
  const found = await Promise.all(types.map((type) => log.positionsOfType(type, after)));
  // Entries added while the types are queried one by one come after `count`: including some of them would break the order.
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
