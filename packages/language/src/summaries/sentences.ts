/** The sentences of a text, without anything but prose: no code, tables, headings or quotations. Lines of a list are sentences of their own. */
export const sentencesOf = (text: string): readonly string[] => {
  const sentences: string[] = [];
  let paragraph: string[] = [];
  let isCode = false;
  const close = (): void => {
    if (paragraph.length > 0) sentences.push(...split(paragraph.join(' ')));
    paragraph = [];
  };
  for (const line of text.slice(0, MOST_READ).split('\n')) {
    if (FENCE.test(line)) {
      isCode = !isCode;
      close();
    } else if (isCode || NO_PROSE.test(line)) close();
    else {
      const item = LIST_ITEM.exec(line);
      if (item !== null || line.trim() === '') close();
      const said = (item === null ? line : line.slice(item[0].length)).trim();
      if (said !== '') paragraph.push(said);
      // A line after a list item continues it only if it is indented; otherwise it is a sentence of its own.
      if (item === null && line.length < SHORT_LINE && !GOES_ON.test(line)) close();
    }
  }
  close();
  return sentences;
};

/** A sentence ends with a sign followed by a space and a beginning: "v1.2", "e.g. this" and "pool.conf" contain none. */
const split = (paragraph: string): readonly string[] => {
  const sentences: string[] = [];
  let from = 0;
  for (const match of paragraph.matchAll(END)) {
    const end = match.index + (match[1] ?? '').length;
    if (ABBREVIATED.test(paragraph.slice(Math.max(from, end - 12), end))) continue;
    sentences.push(paragraph.slice(from, end));
    from = match.index + match[0].length;
  }
  sentences.push(paragraph.slice(from));
  return sentences.map(plain).filter((sentence) => /\p{L}{2}/u.test(sentence));
};

/** Without inline Markdown marks. */
const plain = (sentence: string): string =>
  sentence
    .replaceAll(/\*\*|__|~~/gu, '')
    .replaceAll(/\[([^\]\n]{1,200})\]\([^)\s]{1,500}\)/gu, '$1')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const FENCE = /^\s*(?:```|~~~)/u;
/** Headings, quotes, tables, rules, and lines of nothing but code or a log's path. */
const NO_PROSE = /^\s*(?:#{1,6}\s|>|\||[-=*_]{3,}\s*$|\$ |<\/?\w+[^>]*>\s*$|at \S+ \(|\S*\d{2}:\d{2}:\d{2}\S* )/u;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ x]\]\s*)?/iu;
/** A line that ends with a sign of its own, or with none at all in the middle of a paragraph. */
const GOES_ON = /[^.!?:;]\s*$/u;
const END = /([.!?…]+["”’)\]]*)\s+(?=["“‘(]?[\p{L}\p{N}`@])/gu;
const ABBREVIATED = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|ca|fig|mr|mrs|dr|E\.g|I\.e|Mr|Mrs|Dr|Fig|No)\.|\s\p{Lu}\.)$/u;
const SHORT_LINE = 60;
// A message's contribution to a summary is at its beginning or end; the rest of a pasted log isn't read.
const MOST_READ = 20_000;
