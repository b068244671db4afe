/** A sentence of prose, and where it begins in the text. */
export type ProseSentence = { readonly from: number; readonly text: string };

/**
 * CLAIM-14: what somebody said in their own words: no code blocks, quotations, tables, headings or output. Linear: each character is visited a few
 * times.
 */
export const proseIn = (text: string): readonly ProseSentence[] => {
  const sentences: ProseSentence[] = [];
  let isFenced = false;
  let from = 0;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isFenced = !isFenced;
    else if (!isFenced && !NO_PROSE.test(line)) sentences.push(...sentencesOf(line, from));
    from += line.length + 1;
  }
  return sentences;
};

const sentencesOf = (line: string, at: number): readonly ProseSentence[] => {
  const [marker = ''] = LIST_MARK.exec(line) ?? [];
  const found: ProseSentence[] = [];
  let start = marker.length;
  const end = (to: number): void => {
    const raw = line.slice(start, to);
    const text = raw.trim();
    if (text.length >= SHORTEST && text.length <= LONGEST) found.push({ from: at + start + (raw.length - raw.trimStart().length), text });
    start = to;
  };
  for (let i = start; i < line.length; i += 1) {
    if (!ENDS.has(line[i] ?? '')) continue;
    const next = line[i + 1];
    if (next !== undefined && next !== ' ' && next !== '\t') continue;
    if (line[i] === '.' && ABBREVIATION.test(line.slice(Math.max(start, i - 6), i + 1))) continue;
    end(i + 1);
  }
  end(line.length);
  return found;
};

const FENCE = /^\s{0,3}(?:```|~~~)/u;
// Indented code, quotations, tables, headings, tool output and shell prompts.
const NO_PROSE = /^(?: {4,}(?![-*\d])|\t+(?![-*\d])|\s*(?:>|\||#{1,6}\s|\$\s|⎿|●\s*\w+\(|<\/?\w))/u;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/u;
const ENDS: ReadonlySet<string> = new Set(['.', '!', '?', ';', '…']);
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|v|fig|ca)\.$/iu;
const SHORTEST = 8;
const LONGEST = 400;
