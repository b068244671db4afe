import { sha256 } from '@noble/hashes/sha2.js';

/**
 * ENGINE-4: the ids of a command's entries, derived like the engine's from sender and message id. They identify a proposal when its entries arrive,
 * however early; a test ensures that both derive the same.
 */
export const commandIds = (actorId: string, messageId: string): (() => string) => {
  const key = `command|${actorId}|${messageId.toLowerCase()}`;
  let made = 0;
  return () => {
    made += 1;
    return uuidFor(made === 1 ? key : `${key}|${made - 1}`);
  };
};

const uuidFor = (key: string): string => {
  const bytes = sha256(new TextEncoder().encode(key)).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
