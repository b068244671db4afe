import { createHash } from 'node:crypto';

/**
 * ENGINE-42: what was asked, in short, whatever the order of its inputs. It is taken from the input as it came: what is looked up for a command may have
 * changed by the time it is sent again.
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

/** These say how a command is sent, not what it asks for. */
const ENVELOPE: ReadonlySet<string> = new Set(['message_id', 'sender_agent_id', 'if_seq', 'queue']);
const LENGTH = 22;
