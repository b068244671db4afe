/** Seeded randomness: the same seed gives the same tree on every machine, so that two runs of a bench measure the same bytes. */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number;
  /** A whole number from `from` to `to`, both included. */
  readonly between: (from: number, to: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
  /** Log-normal: most values near the median, a few very large. */
  readonly spread: (median: number, sigma: number, most: number) => number;
  readonly uuid: () => string;
  /** An id as the API makes them: `msg_01…`, `toolu_01…`, `req_01…`. */
  readonly apiId: (prefix: string) => string;
  readonly agentId: () => string;
};

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;

  // mulberry32: 32 bits of state are plenty for test data and the whole generator is four lines.
  const word = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };

  const next = (): number => word() / 4_294_967_296;
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(items: readonly [T, ...T[]]): T => items[Math.floor(next() * items.length)] ?? items[0];

  const uuid = (): string => {
    const b = word();
    const c = word();
    return `${hexWord(word())}-${hex(b >>> 16)}-4${hex(b).slice(1)}-a${hex(c >>> 16).slice(1)}-${hex(c)}${hexWord(word())}`;
  };

  const apiId = (prefix: string): string => {
    let id = `${prefix}_01`;
    for (let i = 0; i < 11; i += 1) id += PAIRS[word() % PAIRS.length] ?? '00';
    return id;
  };

  const spread = (median: number, sigma: number, most: number): number => {
    const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    return Math.min(most, Math.round(median * Math.exp(sigma * normal)));
  };

  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick,
    spread,
    uuid,
    apiId,
    agentId: () => `a${hexWord(word())}${hexWord(word())}`,
  };
};

const HEX: readonly string[] = Array.from({ length: 65_536 }, (_, i) => i.toString(16).padStart(4, '0'));
const hex = (bits: number): string => HEX[bits & 0xffff] ?? '0000';
const hexWord = (bits: number): string => hex(bits >>> 16) + hex(bits);
const LETTERS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.split('');
const PAIRS: readonly string[] = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
