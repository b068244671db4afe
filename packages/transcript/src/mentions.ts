import { parseJson, stringOf, type Json } from './json.ts';
import { textsOf } from './tools.ts';

/** What looks like a reference (`MSG-12`) in the texts of a content field, each once. As copies: a mere slice would keep the whole text in memory. */
export const mentionsIn = (content: Json | undefined): readonly string[] => {
  const found = new Set<string>();
  for (const text of textsOf(content)) {
    for (const [mention] of text.matchAll(MENTION)) {
      if (found.size === MOST_MENTIONS) break;
      found.add(stringOf(parseJson(JSON.stringify(mention))) ?? '');
    }
  }
  return found.size === 0 ? NONE : [...found];
};

const MENTION = /(?<![\w-])(?:MSG|CITE|SB|FRAG|EXCH|GOLD|MEDIA|SCRATCH|FILE|AGENT)-\w[\w.#:-]{0,150}/gu;
const MOST_MENTIONS = 50;
const NONE: readonly string[] = [];
