import { sha256 } from '@yarnboard/store';

/** The signed head of a board's log at one moment. */
export type Checkpoint = {
  readonly board: string;
  readonly count: number;
  readonly checksum: string;
  readonly at: string;
  /** Set when an older state was restored: earlier checkpoints of later entries no longer hold. */
  readonly restored?: boolean;
  /** Its number, from 1, and the hash of the previous line; lines of older versions have neither. */
  readonly n?: number;
  readonly previous?: string | null;
  /** The number of checkpoints known before the file was lost; this is the first of a new one. */
  readonly lost?: number;
  /** A hash of the log's address: copies of a board share a file. Lines of older versions have none. */
  readonly from?: string;
  readonly signature: string;
};

/** Lines in order, each with its number and its hash. */
export type ChainedLine = { readonly n: number; readonly hash: string; readonly checkpoint: Checkpoint };

export type ReadChain = {
  readonly lines: readonly ChainedLine[];
  /** The first line that differs from what was signed, numbered from 1. */
  readonly damaged: { readonly line: number; readonly why: string } | null;
};

/**
 * LOG-30: each checkpoint has the hash of the previous one, so that none can be removed, inserted or replaced, and the signature of the last covers
 * all. Two servers of one user may sign at once: then two lines follow the same one, and each must be verified individually.
 */
export const readChain = (texts: readonly string[], isSigned: (facts: string, signature: string) => boolean): ReadChain => {
  const lines: ChainedLine[] = [];
  let level: ReadonlySet<string> = new Set();
  let before: ReadonlySet<string> = new Set();
  for (const [i, text] of texts.entries()) {
    const damaged = (why: string): ReadChain => ({ lines, damaged: { line: i + 1, why } });
    const checkpoint = parsed(text);
    if (checkpoint === null) return damaged('it cannot be read as one');
    const last = lines.at(-1);
    const { n = (last?.n ?? 0) + 1, previous, signature } = checkpoint;
    const isFirst = last === undefined;
    if (checkpoint.n === undefined && last?.checkpoint.n !== undefined) return damaged('it does not say which one it follows');
    const isNext = isFirst ? n === 1 : n === last.n + 1;
    const isBeside = !isFirst && checkpoint.n !== undefined && n === last.n;
    if (!isNext && !isBeside) return damaged(`it is number ${n}, behind number ${last?.n ?? 0}`);
    if (checkpoint.n !== undefined && !follows(previous, isNext ? level : before, isFirst)) return damaged('it does not follow the one before it');
    // A line that no later one links to, or without a link, is proven by its own signature.
    const needsSignature = checkpoint.n === undefined || isBeside || i === texts.length - 1 || isBesideNext(texts[i + 1], n);
    if (needsSignature && !isSigned(JSON.stringify(unsigned(checkpoint)), signature)) return damaged('the signature does not fit');
    const hash = hashOfLine(text);
    if (isBeside && level.has(hash)) return damaged('it is there twice');
    before = isNext ? level : before;
    level = new Set(isNext ? [hash] : [...level, hash]);
    lines.push({ n, hash, checkpoint });
  }
  return { lines, damaged: null };
};

/**
 * LOG-34: the lines that apply to the log at an address, since it was last restored. Until it has signed there, all of them do: it was moved. From
 * then on, the lines of another copy of the board don't apply to this one.
 */
export const linesFor = (lines: readonly ChainedLine[], from: string): readonly ChainedLine[] => {
  const first = lines.findIndex(({ checkpoint }) => checkpoint.from === from);
  const ours = first === -1 ? lines : lines.filter(({ checkpoint }, i) => i < first || checkpoint.from === undefined || checkpoint.from === from);
  const restored = ours.findLastIndex(({ checkpoint }) => checkpoint.restored === true);
  return ours.slice(Math.max(0, restored));
};

export const hashOfLine = (text: string): string => sha256(text).toString('hex');

const follows = (previous: string | null | undefined, level: ReadonlySet<string>, isFirst: boolean): boolean =>
  isFirst ? previous === null : typeof previous === 'string' && level.has(previous);

const isBesideNext = (text: string | undefined, n: number): boolean => text !== undefined && parsed(text)?.n === n;

const unsigned = (checkpoint: Checkpoint): object => Object.fromEntries(Object.entries(checkpoint).filter(([name]) => name !== 'signature'));

/** We wrote it, so there is only one valid form. */
const parsed = (text: string): Checkpoint | null => {
  try {
    const value = JSON.parse(text) as Partial<Checkpoint> | null; // checked here, and proven by its signature
    const isOne = typeof value?.signature === 'string' && Number.isSafeInteger(value.count) && JSON.stringify(value) === text;
    return isOne ? (value as Checkpoint) : null;
  } catch {
    return null;
  }
};
