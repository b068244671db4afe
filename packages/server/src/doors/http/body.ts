import { Refused } from '../../operations/request/refusal.ts';

/** The body of a command: a JSON object, or nothing. Read only up to the limit: an endless sender isn't waited for. */
export const readBody = async (request: Request): Promise<Readonly<Record<string, unknown>>> => {
  const tooLarge = new Refused('too-large', `the body has more than ${MOST_BODY} bytes, which is the limit`);
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BODY) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? NOTHING) {
    length += chunk.length;
    if (length > MOST_BODY) throw tooLarge;
    chunks.push(chunk);
  }
  if (length === 0) return {};
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>; // JSON.parse returns nothing else
  } catch {
    // Reported below, like any other body that isn't an object.
  }
  throw new Refused('bad-request', 'the body must be a JSON object');
};

const NOTHING: readonly Uint8Array[] = [];
export const MOST_BODY = 1024 * 1024;
