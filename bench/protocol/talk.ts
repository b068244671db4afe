import { createTally } from '../tree/planted.ts';
import { createProse } from '../tree/prose.ts';
import { createRandom } from '../tree/random.ts';
import { writeLoneSession } from '../tree/session.ts';
import { createMemorySheet } from '../tree/sheet.ts';

/** A session in memory. */
export type Talk = {
  readonly sessionId: string;
  /** What stands in its file at first. */
  readonly before: readonly string[];
  /** Prompts, replies and results that come later, each of which makes envelopes. */
  readonly after: readonly string[];
};

export const makeTalk = (seed: number, beforeBytes: number, after: number): Talk => {
  const random = createRandom(seed);
  const lines: string[] = [];
  // As many as are certainly enough: the shortest sessions have a kilobyte and a half a line, and half of them are said by somebody.
  const sheet = createMemorySheet(lines);
  writeLoneSession({ random, prose: createProse(random), tally: createTally() }, sheet, Math.ceil(beforeBytes / 1200) + after * 3 + 100);
  let at = 0;
  for (let bytes = 0; at < 3 || bytes < beforeBytes; at += 1) bytes += (lines[at]?.length ?? 0) + 1;
  const rest = lines.slice(at).filter(isSaid());
  const { sessionId } = JSON.parse(lines[0] ?? '{}') as { readonly sessionId: string }; // the generator writes it on every line of its own
  if (rest.length < after) throw new Error(`${rest.length} lines instead of ${after}`);
  return { sessionId, before: lines.slice(0, at), after: rest.slice(0, after) };
};

/** Said by somebody, and never before: compactions repeat a record, and thoughts may be empty. */
const isSaid = (): ((line: string) => boolean) => {
  const known = new Set<string>();
  return (line) => {
    const { type, uuid = '', isCompactSummary = false } = JSON.parse(line) as { type: string; uuid?: string; isCompactSummary?: boolean }; // the generator's
    if ((type !== 'user' && type !== 'assistant') || isCompactSummary || line.includes('"thinking":""') || known.has(uuid)) return false;
    known.add(uuid);
    return true;
  };
};
