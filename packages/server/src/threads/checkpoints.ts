import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Broken, LogPort } from '@yarnboard/store';
import type { Head } from '@yarnboard/domain';
import type { Home } from '../home/home.ts';
import { signingKeyOf } from '../home/signing-key.ts';
import { hashOfLine, linesFor, readChain, type ChainedLine, type Checkpoint, type ReadChain } from './checkpoint-chain.ts';
import { addressOf, createWitness, type Witnessed } from './witness.ts';

export type Anchored = {
  readonly checked: number;
  readonly broken: Broken | null;
  /** Worth knowing, but not a fault. */
  readonly notes: readonly string[];
};

/**
 * LOG-5: checkpoints are kept in a second place, one line each, never rewritten. A plain chain can't detect a truncated end, or a complete rewrite;
 * but then it no longer matches what was signed.
 */
export const createCheckpoints = (home: Home, boardId: string, now: () => number) => {
  const folder = join(home.stateFolder, 'checkpoints');
  const file = join(folder, `${boardId}.jsonl`);
  const from = addressOf(home.database);
  const witness = createWitness(home);
  let seen: Witnessed | null = null;

  const key = (): KeyObject => signingKeyOf(home);
  const all = (): ReadChain => {
    if (!existsSync(file)) return { lines: [], damaged: null };
    const publicKey = createPublicKey(key());
    return readChain(linesOf(wholeLines()), (facts, signature) => verify(null, Buffer.from(facts), publicKey, Buffer.from(signature, 'base64')));
  };

  // A line without a newline was never finished, because of a full disk or a power cut: it isn't a checkpoint, and must not spoil the next one.
  const wholeLines = (): Buffer => {
    const bytes = readFileSync(file);
    return bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  };

  const known = (): Witnessed | null => {
    const read = witness.read();
    return read === 'damaged' || read?.board !== boardId ? null : read;
  };

  const keep = (next: Witnessed): void => {
    seen = next;
    witness.write(next);
  };

  const write = (head: Head, restored = false): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const whole = existsSync(file) ? wholeLines() : Buffer.alloc(0);
    const texts = linesOf(whole);
    const last = texts.at(-1);
    const n = numberOf(texts) + 1;
    const lost = texts.length === 0 ? (known()?.checkpoints ?? 0) : 0;
    const checksum = Buffer.from(head.checksum).toString('hex');
    const facts = {
      board: boardId,
      count: head.count,
      checksum,
      at: new Date(now()).toISOString(),
      ...(restored ? { restored } : {}),
      n,
      previous: last === undefined ? null : hashOfLine(last),
      ...(lost > 0 ? { lost } : {}),
      from,
    };
    const signature = sign(null, Buffer.from(JSON.stringify(facts)), key()).toString('base64');
    const line = JSON.stringify({ ...facts, signature });
    if (existsSync(file)) truncateSync(file, whole.length);
    appendFileSync(file, `${line}\n`, { mode: 0o600, flush: true });
    keep({ board: boardId, count: head.count, checksum, checkpoints: n, line: hashOfLine(line) });
  };

  /** LOG-31: records the log's length at every commit. */
  const note = (head: Head): void => {
    const before = (seen ??= known());
    if (before !== null && head.count < before.count) return; // commits may be reported out of order
    keep({
      board: boardId,
      count: head.count,
      checksum: Buffer.from(head.checksum).toString('hex'),
      checkpoints: before?.checkpoints ?? 0,
      line: before?.line ?? null,
    });
  };

  const check = async (log: LogPort): Promise<Anchored> => {
    const { lines, damaged } = all();
    const notes = notesOf(lines);
    const found = (position: number, kind: Broken['kind'], why: string): Anchored => ({
      checked: lines.length,
      broken: { position, kind, why },
      notes,
    });
    if (damaged !== null) {
      const agreed = lines.at(-1)?.checkpoint.count ?? 0;
      return found(agreed, 'tail-rewritten', `checkpoint ${damaged.line} in ${file} is not what was signed: ${damaged.why}`);
    }
    const atHome = checkWitness(witness.read(), lines, { boardId, file, database: home.database });
    if (atHome !== null) return found(0, atHome.kind, atHome.why);
    const since = linesFor(lines, from);
    const wrong = (await firstWrong(log, since)) ?? (await wrongAtHome(log, known()));
    return { checked: since.length, broken: wrong, notes: [...notes, ...(await copiesOf(log, lines, from))] };
  };

  /** LOG-32: what was on this log once and is missing now; null if it continues from where it was left. */
  const lookBack = async (log: LogPort): Promise<Broken | null> => {
    const since = linesFor(all().lines, from);
    const [read, head] = [witness.read(), await log.head()];
    // Another board at the same address; a board that is just being created has no past.
    if (read !== null && read !== 'damaged' && read.board !== boardId && head.count > 0)
      return { position: 0, kind: 'board-replaced', why: `this home had the board ${read.board} before` };
    return (await firstWrong(log, since.slice(-1))) ?? wrongAtHome(log, known());
  };

  const latest = (): Checkpoint | null => all().lines.at(-1)?.checkpoint ?? null;

  return { write, note, check, lookBack, latest, close: witness.close };
};

export type Checkpoints = ReturnType<typeof createCheckpoints>;

const linesOf = (bytes: Buffer): readonly string[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

/** The number of checkpoints: the last one has it, unless its version is older, with one per line. */
const numberOf = (texts: readonly string[]): number => {
  const said = /"n":(\d+),"previous":/u.exec(texts.at(-1) ?? '')?.[1];
  return said === undefined ? texts.length : Number(said);
};

/** LOG-33: reports the oldest checkpoint that doesn't match, since everything after it was rewritten as well. */
const firstWrong = async (log: LogPort, lines: readonly ChainedLine[]): Promise<Broken | null> => {
  const head = await log.head();
  let agreed = 0;
  for (const { n, checkpoint } of lines) {
    if (checkpoint.count > head.count) return removed(head.count, checkpoint.count, `at ${checkpoint.at}`);
    const entry = checkpoint.count === 0 ? null : await log.entryAt(checkpoint.count);
    if (entry !== null && entry.checksum !== checkpoint.checksum) {
      return {
        position: checkpoint.count,
        kind: 'tail-rewritten',
        why: `entry ${checkpoint.count} is not the one that was signed at ${checkpoint.at} (checkpoint ${n}): the log was written anew from entry ${agreed + 1} on, or behind it`,
      };
    }
    agreed = checkpoint.count;
  }
  return null;
};

/** LOG-34: a copy of the board elsewhere that has diverged. That is no fault of this one, but its owner should know. */
const copiesOf = async (log: LogPort, lines: readonly ChainedLine[], from: string): Promise<readonly string[]> => {
  if (!lines.some(({ checkpoint }) => checkpoint.from === from)) return [];
  const other = lines.findLast(({ checkpoint }) => checkpoint.from !== undefined && checkpoint.from !== from);
  if (other === undefined || (await firstWrong(log, [other])) === null) return [];
  return [`another copy of this board signs checkpoints here, too, and has gone its own way (last at ${other.checkpoint.at})`];
};

const wrongAtHome = async (log: LogPort, seen: Witnessed | null): Promise<Broken | null> => {
  if (seen === null || seen.count === 0) return null;
  const head = await log.head();
  if (seen.count > head.count) return removed(head.count, seen.count, 'when this home last saw it');
  if ((await log.entryAt(seen.count))?.checksum === seen.checksum) return null;
  return {
    position: seen.count,
    kind: 'tail-rewritten',
    why: `entry ${seen.count} is not the one that this home saw last: the log was written anew`,
  };
};

const removed = (count: number, was: number, when: string): Broken => ({
  position: count + 1,
  kind: 'tail-removed',
  why: `there were ${was} entries ${when}, now there are ${count}: the end of the log was cut off`,
});

type Wrong = Pick<Broken, 'kind' | 'why'>;
type WitnessPlace = { readonly boardId: string; readonly file: string; readonly database: string };

const checkWitness = (seen: Witnessed | 'damaged' | null, lines: readonly ChainedLine[], { boardId, file, database }: WitnessPlace): Wrong | null => {
  if (seen === null) return null;
  if (seen === 'damaged') return { kind: 'witness-changed', why: 'what the home keeps of the log (witness) is not what was written' };
  if (seen.board !== boardId)
    return { kind: 'board-replaced', why: `this home had the board ${seen.board}, and ${database} is the board ${boardId} now: it was replaced` };
  const last = lines.at(-1)?.n ?? 0;
  if (last < seen.checkpoints)
    return {
      kind: 'checkpoints-removed',
      why: `there were ${seen.checkpoints} signed checkpoints, and ${file} has ${last}: the others were removed`,
    };
  if (seen.line !== null && !lines.some(({ n, hash }) => n === seen.checkpoints && hash === seen.line))
    return { kind: 'checkpoints-removed', why: `checkpoint ${seen.checkpoints} in ${file} is not the one that this home saw` };
  return null;
};

const notesOf = (lines: readonly ChainedLine[]): readonly string[] =>
  lines.flatMap(({ checkpoint: { at, lost = 0 } }) => (lost > 0 ? [`${lost} checkpoints from before ${at} are gone`] : []));
