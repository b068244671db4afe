import { createHash } from 'node:crypto';

/**
 * ENGINE-42: a hash of a request, independent of the order of its inputs. It covers the raw input, because anything looked up for the command may
 * have changed by the time it is resent.
 */
export const fingerprintOf = (operation: string, input: object): string =>
  createHash('sha256')
    .update(JSON.stringify([operation, inOrder(Object.fromEntries(Object.entries(input).filter(([key]) => !ENVELOPE.has(key))))]))
    .digest('base64url')
    .slice(0, LENGTH);

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, inOrder(one)]),
  );
};

/** These say how to send a command, not what it asks for. */
const ENVELOPE: ReadonlySet<string> = new Set(['message_id', 'sender_agent_id', 'if_seq', 'queue']);
const LENGTH = 22;
