import type { Token } from './tokens.ts';
import { wordSet } from '../text/stems.ts';

/** CONF-17: the lines that the author states in their own words. Headings, table rows, quotes, code and list labels claim nothing. */
export const proseOf = (text: string): string => {
  if (!NO_PROSE_SIGN.test(text)) return text;
  let isCode = false;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode && !isNoProse(line)) lines.push(line);
  }
  return lines.join('\n').replaceAll(QUOTED, ' ');
};

const NO_PROSE_SIGN = /[#[|>`~<:={;"“]|import /u;
/** Quotes of three words or more, from somebody else or from a program. */
const QUOTED = /(?:"[^"\n\s]{1,60}(?:\s[^"\n\s]{1,60}){2,40}"|“[^”\n\s]{1,60}(?:\s[^”\n\s]{1,60}){2,40}”)/gu;
const FENCE = /^\s{0,12}(?:```|~~~)/u;
const HEADING = /^\s{0,12}(?:#{1,6}\s|>|\||<\/?[a-z]|#!|[-*+] \[ \]|\/\/|\/\*|@\w+\()/u;
/** "Open points:" and "- Risks:" merely introduce what follows. */
const LABEL = /:\s{0,4}$/u;
/** Program code: an assignment to a name, a call at the start, the beginning of a block, or a line ending typical of code. */
const CODE =
  /^\s{0,40}(?:(?:const|let|var|def|class|return|import|from|for|elif|else|try|except|print|assert|func|fn|pub|export|async|await|raise|throws?)\b.*[(){}=:;[\]]|[\w.[\]]{1,60}\s?(?:=|\+=|:=)\s?["'[{(\w].*[()[\]{}"']|[\w.]{1,60}\(.*\)[;,]?\s*$|.*[{;]\s*$|(?:import|from) [\w.{*][\w.,{}* ]*$|"""|.*"""\s*$)/u;
const isNoProse = (line: string): boolean => HEADING.test(line) || LABEL.test(line) || (line.length < LONGEST_LINE && CODE.test(line));
const LONGEST_LINE = 400;

/** CONF-17: questions, conditions, wishes, plans, tasks and guesses state nothing to contradict. Runs before the stop words are removed. */
export const isAsserted = (sentence: readonly Token[], isQuestion: boolean): boolean => {
  if (isQuestion) return false;
  const words = sentence.map((token) => (token.mark === '' && !token.code ? token.word : ''));
  const begin = words.findIndex((word) => word !== '' && !LEADING.has(word));
  const [first = '', second = ''] = [words[begin], words[begin + 1]];
  if (
    ASKING.has(first) ||
    (ASKED.has(first) && isSubject(second)) ||
    (TASKS.has(first) && (OBJECTS.has(second) || words.length <= begin + 1)) ||
    (first === 'do' && second === 'not')
  )
    return false;
  for (const [at, word] of words.entries()) {
    if (word === '') continue;
    if (OPEN.has(word)) return false;
    if (word === 'may' && !isMonth(words, at) && !isLimit(words, at)) return false;
    if (word === 'if' && !isEven(words, at)) return false;
    const next = words[at + 1] ?? '';
    if (OPEN_PAIRS.has(`${word} ${next}`)) return false;
    if (OPEN_TRIPLES.has(`${word} ${next} ${words[at + 2] ?? ''}`)) return false;
  }
  return true;
};

/** "in May" and "May 4". */
const isMonth = (words: readonly string[], at: number): boolean => MONTHS_AFTER.has(words[at - 1] ?? '') || /^\d/u.test(words[at + 1] ?? '');
/** "may have up to 2 MB" states what is allowed. */
const isLimit = (words: readonly string[], at: number): boolean =>
  words.slice(at + 1, at + 5).some((word, i, near) => word === 'up' && near[i + 1] === 'to');
const MONTHS_AFTER = wordSet('in on since until of by from to last this early late mid end');

/** "even if" and "as if" introduce something that holds regardless. */
const isEven = (words: readonly string[], at: number): boolean => words[at - 1] === 'even' || words[at - 1] === 'as';
const isSubject = (word: string): boolean =>
  OBJECTS.has(word) || word === 'there' || word === 'it' || word === 'we' || word === 'you' || word === 'i';
const LEADING = wordSet('and so but then also now ok okay well next first finally please just');
const ASKING = wordSet('why whether wonder wondering todo');
/** These begin a question if a subject follows: "does the API retry". */
const ASKED = wordSet('does do did is are was were can could would should will has have had how what where when which who');
const TASKS = wordSet(
  'check verify ensure make investigate find figure identify propose determine look fix add use create change update implement return write test try run remove move rename set see read explain list discover search extract analyse analyze review consider decide compare confirm measure document note keep let give tell show generate build provide include avoid prefer switch start stop click play edit cite propose call read open press type select replace delete push merge report respond reply',
);
const OBJECTS = wordSet(
  'the a an that whether if all any each every our your this these those for how what why which to out sure my its their me us at',
);
const OPEN = wordSet(
  "whether suppose supposing assuming assume imagine might would could should ought wonder wondering hopefully perhaps maybe todo tbd goal aim i'll we'll i'd we'd you'd it'd he'd they'd let's unsure unclear unconfirmed unverified rumour rumor hypothesis hypothetically theoretically otherwise doubt doubts untested proposal proposed idea tomorrow soon eventually supposedly allegedly rumoured rumored expect expects expecting",
);
const OPEN_PAIRS = new Set([
  'want to',
  'wants to',
  'wanted to',
  'would like',
  'hope to',
  'hope that',
  'plan to',
  'plans to',
  'planning to',
  'going to',
  'need to',
  'needs to',
  'let me',
  'let us',
  'i will',
  'we will',
  'in case',
  'not sure',
  'is sure',
  'not clear',
  'no idea',
  'not known',
  'so that',
  'we want',
  'i want',
  'we wish',
  'i wish',
  'about to',
  'supposed to',
  'meant to',
  'provided that',
  'as though',
  'not yet',
  'we hope',
  'i hope',
  'i need',
  'we need',
  'trying to',
  'try to',
  'open question',
  'open point',
  'ideally we',
  'next step',
  'i propose',
  'we propose',
  'can be',
  'will be',
  'what if',
  "let's say",
  'in theory',
  'in principle',
  'nobody knows',
  'not tested',
  'not checked',
  'not verified',
  'is unknown',
  'no evidence',
  'next week',
  'next month',
  'next sprint',
  'next release',
  'next quarter',
  'on paper',
  'as soon',
  'as long',
  'intend to',
  'intends to',
  'expected to',
  'wish to',
  'would have',
  'had we',
  'were we',
  'it depends',
  'depends on',
  'who knows',
  'cannot tell',
  'hard to',
  'unless we',
  'until we',
  'only if',
  'asked to',
  'said to',
  'may be',
  'may not',
  'may also',
  'may well',
  'has confirmed',
  'have confirmed',
  'been confirmed',
  'says so',
  'can we',
  'for example',
  'for instance',
  'such as',
]);
const OPEN_TRIPLES = new Set(['not found out', 'remains to be', 'yet to be', 'yet to see', 'have to check', 'is to be', 'are to be']);
