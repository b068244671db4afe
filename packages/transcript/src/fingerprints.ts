/**
 * 64-bit fingerprints of ids, two 32-bit words each. With them, millions of uuids can be compared across all sessions at a few bytes each; they don't
 * protect against deliberate collisions.
 */
export type Fingerprints = Uint32Array;

export const fingerprintAll = (ids: readonly string[]): Fingerprints => {
  const words = new Uint32Array(ids.length * 2);
  for (let i = 0; i < ids.length; i += 1) {
    const id = ids[i] ?? '';
    let a = 0xdead_beef;
    let b = 0x41c6_ce57;
    for (let at = 0; at < id.length; at += 1) {
      const code = id.charCodeAt(at);
      a = Math.imul(a ^ code, 2_654_435_761);
      b = Math.imul(b ^ code, 1_597_334_677);
    }
    a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
    b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
    words[i * 2] = a;
    words[i * 2 + 1] = b;
  }
  return words;
};

/** A growing set of fingerprints; each new one gets the next number, from 0. */
export type FingerprintTable = {
  /** The number of a fingerprint, which is added if it is new (then the number equals the old `size`). */
  readonly add: (words: Fingerprints, at: number) => number;
  /** The number of a fingerprint, or -1. */
  readonly find: (words: Fingerprints, at: number) => number;
  readonly size: () => number;
};

/** `expected`: the maximum number to be added, if known; a table that need not grow leaves no smaller ones behind. */
export const createFingerprintTable = (expected = 1024): FingerprintTable => {
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(1024, expected)));
  let keys = new Uint32Array(2 * Math.max(1024, expected));
  let slots = new Int32Array(2 * capacity).fill(-1);
  let size = 0;

  const slotOf = (a: number, b: number): number => {
    const mask = slots.length - 1;
    let slot = (a ^ Math.imul(b, 31)) & mask;
    for (;;) {
      const number = slots[slot] ?? -1;
      if (number === -1 || (keys[number * 2] === a && keys[number * 2 + 1] === b)) return slot;
      slot = (slot + 1) & mask;
    }
  };

  const grow = (): void => {
    slots = new Int32Array(slots.length * 2).fill(-1);
    for (let number = 0; number < size; number += 1) slots[slotOf(keys[number * 2] ?? 0, keys[number * 2 + 1] ?? 0)] = number;
  };

  const find = (words: Fingerprints, at: number): number => slots[slotOf(words[at * 2] ?? 0, words[at * 2 + 1] ?? 0)] ?? -1;

  const add = (words: Fingerprints, at: number): number => {
    const known = find(words, at);
    if (known !== -1) return known;
    if (size * 2 >= slots.length) grow();
    if (size * 2 >= keys.length) {
      const wider = new Uint32Array(keys.length * 2);
      wider.set(keys);
      keys = wider;
    }
    const a = words[at * 2] ?? 0;
    const b = words[at * 2 + 1] ?? 0;
    keys[size * 2] = a;
    keys[size * 2 + 1] = b;
    slots[slotOf(a, b)] = size;
    size += 1;
    return size - 1;
  };

  return { add, find, size: () => size };
};
