// Run in a process of its own, and apart from the other measurements: the text it makes would count as their memory. Prints one line of JSON.
import { addFile, append, createSession, createShape, extendShape, type JsonObject, type Session, type Shape } from '@yarnboard/transcript';
import { createTally } from '../tree/planted.ts';
import { createProse } from '../tree/prose.ts';
import { createRandom } from '../tree/random.ts';
import { writeLoneSession } from '../tree/session.ts';
import { createMemorySheet } from '../tree/sheet.ts';
import type { AppendCost, Appends } from './job.ts';

/**
 * What one line costs that is appended to a live session, with the shape brought up to date after every line. The lines are parsed beforehand:
 * the cost of parsing does not depend on the session, and would hide growth.
 */
const measureAppends = (): Appends => {
  const records = recordsOf(LARGE + ROUNDS * BLOCK + 1);
  measure(records, SMALL); // warms the compiler, for both
  return { small: measure(records, SMALL), large: measure(records, LARGE) };
};

const recordsOf = (count: number): readonly JsonObject[] => {
  const random = createRandom(7);
  const lines: string[] = [];
  writeLoneSession({ random, prose: createProse(random), tally: createTally() }, createMemorySheet(lines), count);
  return lines.slice(0, count).map((line) => JSON.parse(line) as JsonObject); // the generator writes objects only
};

const measure = (records: readonly JsonObject[], size: number): AppendCost => {
  let perLine = Number.POSITIVE_INFINITY;
  let live = fill(records, size);
  let from = size;
  for (let round = 0; round < ROUNDS; round += 1) {
    // A short session would soon be none any more: it starts again for each round.
    if (size < BLOCK * ROUNDS && round > 0) {
      live = fill(records, size);
      from = size;
    }
    const startedAt = performance.now();
    for (let i = from; i < from + BLOCK; i += 1) add(live, records[i], i);
    perLine = Math.min(perLine, ((performance.now() - startedAt) * 1000) / BLOCK);
    from += BLOCK;
  }
  return { records: size, perLine, lateParent: lateParent(live) };
};

type Live = { readonly session: Session; readonly shape: Shape; readonly file: number };

const fill = (records: readonly JsonObject[], size: number): Live => {
  const session = createSession('live');
  const live = { session, shape: createShape(), file: addFile(session, { path: 'live.jsonl', agentId: null }) };
  for (let i = 0; i < size; i += 1) append(session, live.file, records[i] ?? {}, placeOf(i));
  extendShape(live.shape, session);
  return live;
};

const add = ({ session, shape, file }: Live, record: JsonObject | undefined, i: number): void => {
  append(session, file, record ?? {}, placeOf(i));
  extendShape(shape, session);
};

// A child that stands before its parent: both lines together.
const lateParent = (live: Live): number => {
  const parentUuid = live.session.main.nodes.at(-1)?.uuid ?? null;
  const line = { type: 'system', subtype: 'informational', isSidechain: false, sessionId: 'live' };
  const startedAt = performance.now();
  add(live, { ...line, uuid: 'late-child', parentUuid: 'late-parent' }, 1);
  add(live, { ...line, uuid: 'late-parent', parentUuid }, 2);
  return (performance.now() - startedAt) * 1000;
};

const placeOf = (i: number): { readonly line: number; readonly part: number; readonly offset: number; readonly length: number } => ({
  line: i + 1,
  part: 0,
  offset: i * 1000,
  length: 1000,
});

const SMALL = 1000;
const LARGE = 100_000;
const BLOCK = 500;
const ROUNDS = 10;

console.log(JSON.stringify(measureAppends()));
