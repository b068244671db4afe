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
      return { items: THINGS[begun](board, rest, place).slice(0, limit) };
    default:
      return { items: [] };
  }
};

const THINGS = {
  GOLD: (board: Board, rest: string): readonly Offered[] =>
    fitting(
      rowsOf(board.golds)
        .filter(isStanding)
        .map(({ ref, keyInsight }) => offer(ref, keyInsight)),
      rest,
    ),
  SB: (board: Board, rest: string): readonly Offered[] => {
    const all = rowsOf(board.sidebars);
    const [open, ended] = [all.filter(({ status }) => !isEnded(status)), all.filter(({ status }) => isEnded(status))];
    return [...fitting(open.map(offerSidebar), rest), ...fitting(ended.map(offerSidebar), rest)].toSorted(
      (a, b) => Number(isExact(b, rest)) - Number(isExact(a, rest)),
    );
  },
  SCRATCH: (board: Board, rest: string, near: Sidebar | string | null): readonly Offered[] => {
    const [, of, about] = /^(\d{1,15}):(.*)$/u.exec(rest) ?? [];
    const owner = of === undefined ? null : sidebarOf(board, `SB-${of}`);
    if (about !== undefined) return owner === null ? [] : fitting(findingsOf(owner), about.replace(/^(?:FINDING-|F[A-Z]{0,6}$)/iu, ''));
    const here = near === null || typeof near === 'string' || rest !== '' ? [] : findingsOf(near).toReversed();
    const pads = rowsOf(board.sidebars).flatMap(({ ref, task, scratchpad }) =>
      scratchpad.findings.length === 0 ? [] : [offer(ref.replace('SB', 'SCRATCH'), task)],
    );
    return [...here, ...fitting(pads, rest)];
  },
} as const satisfies Readonly<Record<string, (board: Board, rest: string, near: Sidebar | string | null) => readonly Offered[]>>;

const offerSidebar = ({ ref, task }: Sidebar): Offered => offer(ref, task);

const findingsOf = (sidebar: Sidebar): readonly Offered[] =>
  sidebar.scratchpad.findings.map((finding) => offer(refOfFinding(sidebar.ref, finding), finding.content));

const offer = (ref: string, text: string): Offered => ({ ref, words: inShort(text) });

/** Masked before it is cut: half a secret would no longer look like one. */
const inShort = (text: string): string => cutText(printableLine(maskSecrets(text.slice(0, MOST_READ)).text).trim(), MOST_WORDS);

/** Those whose number begins like this, or whose words contain this: the exact number first, then the latest. */
const fitting = (all: readonly Offered[], rest: string): readonly Offered[] => {
  const newestFirst = all.toReversed();
  if (rest === '') return newestFirst;
  const wanted = rest.toLowerCase();
  return /^\d+$/u.test(rest)
    ? [...newestFirst.filter((one) => isExact(one, rest)), ...newestFirst.filter((one) => !isExact(one, rest) && numberIn(one).startsWith(rest))]
    : newestFirst.filter(({ words }) => words.toLowerCase().includes(wanted));
};

const numberIn = ({ ref }: Offered): string => /\d+$/u.exec(ref)?.[0] ?? '';
const isExact = (one: Offered, rest: string): boolean => numberIn(one) === rest;

/** Messages by the beginning of their number, those from the place at hand first; without a number, the latest from there that say something. */
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
  return found.toSorted((a, b) => a.rank - b.rank);
};

const isMessage = (ref: string): boolean => /^MSG-\d+$/u.test(ref);

const BEGUN = /^\s*(MSG|GOLD|SB|SCRATCH)-?(.*?)\s*$/isu;
const MOST_READ = 4000;
const MOST_WORDS = 200;
/** Records between messages (results, operations) are many. */
const MOST_LOOKED_AT = 60;
