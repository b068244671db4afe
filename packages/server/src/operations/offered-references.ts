import { cutText, isEnded, isStanding, maskSecrets, refOfFinding, rowsOf, sidebarOf, type Board, type Entry, type Sidebar } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import type { Answer } from './request/answer.ts';
import { messageAt, type ReferencesNeeds } from './references.ts';

type Offered = Awaited<Answer<'references'>>['items'][number];

/** REF-15: the references that continue what somebody is typing, with the beginning of what they stand for. */
export const listReferences = async (needs: ReferencesNeeds, { typed, near, limit }: InputOf<'references'>): Answer<'references'> => {
  const [, type = '', rest = ''] = BEGUN.exec(typed) ?? [];
  const board = needs.engine.board();
  const place = near === undefined ? null : (sidebarOf(board, near) ?? near);
  const begun = type.toUpperCase();
  switch (begun) {
    case 'MSG':
      return { items: await messagesFor(needs, rest, place, limit) };
    case 'GOLD':
    case 'SB':
    case 'SCRATCH':
      return { items: taken(THINGS[begun](board, rest, place), wordsIn(rest), limit) };
    default:
      return { items: [] };
  }
};

/** Something that can be cited, with what it says, unmasked. */
type Citable = { readonly ref: string; readonly text: string };

const THINGS = {
  GOLD: (board: Board, rest: string): readonly Citable[] =>
    fitting(
      rowsOf(board.golds)
        .filter(isStanding)
        .map(({ ref, keyInsight }) => ({ ref, text: keyInsight })),
      rest,
    ),
  SB: (board: Board, rest: string): readonly Citable[] => {
    const all = rowsOf(board.sidebars);
    const [open, ended] = [all.filter(({ status }) => !isEnded(status)), all.filter(({ status }) => isEnded(status))];
    const found = [...fitting(open.map(sidebarIn), rest), ...fitting(ended.map(sidebarIn), rest)];
    return [...found.filter((one) => isExact(one, rest)), ...found.filter((one) => !isExact(one, rest))];
  },
  SCRATCH: (board: Board, rest: string, near: Sidebar | string | null): readonly Citable[] => {
    const [, of, about] = /^(\d{1,15}):(.*)$/u.exec(rest) ?? [];
    const owner = of === undefined ? null : sidebarOf(board, `SB-${of}`);
    if (about !== undefined) return owner === null ? [] : fitting(findingsOf(owner), withoutFinding(about));
    const here = near === null || typeof near === 'string' || rest !== '' ? [] : findingsOf(near).toReversed();
    const pads = rowsOf(board.sidebars).flatMap(({ ref, task, scratchpad }) =>
      scratchpad.findings.length === 0 ? [] : [{ ref: ref.replace('SB', 'SCRATCH'), text: task }],
    );
    return [...here, ...fitting(pads, rest)];
  },
} as const satisfies Readonly<Record<string, (board: Board, rest: string, near: Sidebar | string | null) => readonly Citable[]>>;

const sidebarIn = ({ ref, task }: Sidebar): Citable => ({ ref, text: task });

const findingsOf = (sidebar: Sidebar): readonly Citable[] =>
  sidebar.scratchpad.findings.map((finding) => ({ ref: refOfFinding(sidebar.ref, finding), text: finding.content }));

/** `FINDING-2` and the beginning of that word mean a number. */
const withoutFinding = (about: string): string => about.replace(/^(?:FINDING-|F[A-Z]{0,6}$)/iu, '');

/** Those whose number begins like this, or whose words contain this: the exact number first, then the latest. */
const fitting = (all: readonly Citable[], rest: string): readonly Citable[] => {
  const newestFirst = all.toReversed();
  const words = wordsIn(rest);
  if (words !== '') return newestFirst.filter(({ text }) => text.toLowerCase().includes(words));
  if (rest === '') return newestFirst;
  return [...newestFirst.filter((one) => isExact(one, rest)), ...newestFirst.filter((one) => !isExact(one, rest) && numberIn(one).startsWith(rest))];
};

const numberIn = ({ ref }: Citable): string => /\d+$/u.exec(ref)?.[0] ?? '';
const isExact = (one: Citable, rest: string): boolean => numberIn(one) === rest;

/** What is typed behind the type, unless it is a number. */
const wordsIn = (rest: string): string => {
  const about = withoutFinding(rest.replace(/^\d{1,15}:/u, ''));
  return /^\d*$/u.test(about) ? '' : about.toLowerCase();
};

/** The first ones, with their words. Nobody learns what is masked by guessing: the words have to be in what is shown of a text. */
const taken = (all: readonly Citable[], words: string, limit: number): readonly Offered[] => {
  const offered: Offered[] = [];
  for (const { ref, text } of all) {
    if (offered.length >= limit) break;
    const masked = maskedLine(text);
    if (masked.toLowerCase().includes(words)) offered.push({ ref, words: cutText(masked, MOST_WORDS) });
  }
  return offered;
};

const offer = (ref: string, text: string): Offered => ({ ref, words: cutText(maskedLine(text), MOST_WORDS) });

/** Masked before it is cut: half a secret would no longer look like one. */
const maskedLine = (text: string): string => printableLine(maskSecrets(text.slice(0, MOST_READ)).text).trim();

/** Messages by the beginning of their number, those from the place at hand first, then the latest; without a number, the latest from there that say something. */
const messagesFor = async (needs: ReferencesNeeds, rest: string, place: Sidebar | string | null, limit: number): Promise<readonly Offered[]> => {
  const context = place === null ? null : typeof place === 'string' ? place : place.contextId;
  const candidates = rest === '' ? await latestIn(needs, context) : await numberedLike(needs, rest, context);
  const told: Offered[] = [];
  for (const { ref, entry } of candidates) {
    if (told.length >= limit) break;
    const message = await messageAt(needs, entry);
    const one = offer(ref, message?.content ?? '');
    // Records that say nothing, and results of tools, are offered by number only.
    if (rest === '' ? one.words !== '' && message?.role !== 'result' : one.words !== '' || ref === `MSG-${rest}`) told.push(one);
  }
  return told;
};

type Candidate = { readonly ref: string; readonly entry: Entry };

const latestIn = async ({ store: { log } }: ReferencesNeeds, context: string | null): Promise<readonly Candidate[]> => {
  if (context === null) return [];
  const entries = await log.entriesBefore(context, Number.MAX_SAFE_INTEGER, MOST_LOOKED_AT);
  return entries.flatMap((entry) => entry.refs.filter(isMessage).map((ref) => ({ ref, entry })));
};

const numberedLike = async ({ store: { log } }: ReferencesNeeds, rest: string, context: string | null): Promise<readonly Candidate[]> => {
  if (!/^[1-9]\d{0,14}$/u.test(rest)) return [];
  const least = Number(rest);
  const numbers = [1, 10, 100].flatMap((by) => Array.from({ length: by }, (_, n) => least * by + n)).filter(Number.isSafeInteger);
  const positions = await log.positionsOfRefs(numbers.map((number) => ({ type: 'MSG', number })));
  const entries = new Map((await log.entriesAt(positions.filter((one) => one !== null))).map((entry) => [entry.position, entry]));
  const found = numbers.flatMap((number, n) => {
    const entry = entries.get(positions[n] ?? 0);
    return entry === undefined ? [] : [{ ref: `MSG-${number}`, entry, rank: number === least ? 0 : entry.contextId === context ? 1 : 2 }];
  });
  return found.toReversed().toSorted((a, b) => a.rank - b.rank);
};

const isMessage = (ref: string): boolean => /^MSG-\d+$/u.test(ref);

const BEGUN = /^\s*(MSG|GOLD|SB|SCRATCH)-?(.*?)\s*$/isu;
const MOST_READ = 4000;
const MOST_WORDS = 200;
/** Records between messages (results, operations) are many. */
const MOST_LOOKED_AT = 60;
