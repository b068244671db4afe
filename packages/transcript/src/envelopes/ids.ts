import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** ENV-3: a deterministic id in the form of a cuid2 (24 characters, starting with a letter). */
export const idOf = (...parts: readonly (string | number)[]): string => {
  const hash = sha256(utf8ToBytes(parts.join('\n')));
  let id = LETTERS.charAt((hash[0] ?? 0) % 26);
  for (let i = 1; i < LENGTH; i += 1) id += LETTERS.charAt((hash[i] ?? 0) % 36);
  return id;
};

export const isId = (text: string): boolean => /^[a-z][0-9a-z]{23}$/u.test(text);

const LENGTH = 24;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
