import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowsOf } from './sets.ts';

const root = process.env['YARNBOARD_CORPUS'] ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url));

/** What people and agents said in the published transcripts, one list a session; null where they are not there. */
export const publishedTalk = (): readonly (readonly string[])[] | null => {
  if (!existsSync(root)) return null;
  const seen = new Set<string>();
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) =>
      readFileSync(join(root, name), 'utf8')
        .split('\n')
        .flatMap((line) => {
          const { uuid, texts } = talkIn(line);
          if (uuid === '' || seen.has(uuid)) return [];
          seen.add(uuid);
          return texts.filter((text) => !/^(?:<|Caveat)/u.test(text));
        }),
    );
};

type Line = { readonly type?: unknown; readonly uuid?: unknown; readonly message?: { readonly content?: unknown } };
const talkIn = (line: string): { readonly uuid: string; readonly texts: readonly string[] } => {
  const record = recordIn(line);
  if (record === null || (record.type !== 'user' && record.type !== 'assistant')) return { uuid: '', texts: [] };
  const content = record.message?.content;
  const parts: readonly unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : [];
  return { uuid: typeof record.uuid === 'string' ? record.uuid : '', texts: parts.flatMap(textIn) };
};
const textIn = (part: unknown): readonly string[] =>
  typeof part === 'object' && part !== null && 'type' in part && part.type === 'text' && 'text' in part && typeof part.text === 'string'
    ? [part.text]
    : [];
const recordIn = (line: string): Line | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null; // half a line
  }
};

/** Lines and sentences as they stand, headings and code among them: what is no claim is for the rules to tell. */
export const sentencesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=\p{Lu})/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(/\s+/u).length >= LEAST_WORDS);
const LEAST_WORDS = 3;

/** So many of a list, evenly over all of it. */
export const spread = <T>(list: readonly T[], most: number): readonly T[] => {
  const step = Math.max(1, Math.floor(list.length / most));
  return list.filter((_, at) => at % step === 0).slice(0, most);
};

/** What was said in our own conversations, one list each. */
export const ownTalk = (): readonly (readonly string[])[] =>
  rowsOf<{ readonly said: readonly (readonly [role: string, text: string])[] }>('../search/sessions').map(({ said }) => said.map(([, text]) => text));
