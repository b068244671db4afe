import { err, ok, type Result } from './result.ts';
import { assertNever } from './never.ts';

export const NUMBERED_TYPES = ['MSG', 'CITE', 'SB', 'FRAG', 'EXCH', 'GOLD', 'MEDIA'] as const;

export type NumberedType = (typeof NUMBERED_TYPES)[number];

/** What a sidebar numbers by itself. GOLD, exchanges and messages only number their episodes. */
export const ITEM_TYPES = ['CHECKPOINT', 'CLAIM', 'CONFLICT', 'EPISODE'] as const;

export type ItemType = (typeof ITEM_TYPES)[number];

/** What keeps episodes besides sidebars: a GOLD, and messages outside of sidebars. */
const KEEPERS = ['GOLD', 'EXCH', 'MSG'] as const;
type KeeperType = (typeof KEEPERS)[number];

export type ItemRef =
  | { readonly kind: 'item'; readonly of: 'SB'; readonly owner: number; readonly type: ItemType; readonly number: number }
  | { readonly kind: 'item'; readonly of: KeeperType; readonly owner: number; readonly type: 'EPISODE'; readonly number: number };

/** Numbers are positive safe integers; only a MSG has a `part`; `to` is never less than `from`. */
export type Ref =
  | { readonly kind: 'numbered'; readonly type: NumberedType; readonly number: number; readonly part: number | null }
  | { readonly kind: 'file'; readonly hash: string; readonly lines: { readonly from: number; readonly to: number } | null }
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'scratch'; readonly sidebar: number; readonly finding: number | null }
  | ItemRef;

/** What is wrong with a text that isn't a reference; `wanted` shows valid forms. */
export type BadRef = {
  readonly kind: 'bad-ref';
  readonly text: string;
  readonly why:
    'no-type' | 'unknown-type' | 'bad-number' | 'bad-part' | 'part-not-allowed' | 'bad-hash' | 'bad-lines' | 'bad-name' | 'bad-finding' | 'bad-item';
  readonly wanted: string;
};

/** Where and by whom the thing behind a reference was made. */
export type Origin = {
  readonly id: string;
  readonly uuid: string;
  readonly createdIn: string;
  readonly createdBy: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
};

export type FoundRef = { readonly ref: Ref; readonly from: number; readonly to: number };

export const parseRef = (text: string): Result<Ref, BadRef> => {
  const bad = (why: BadRef['why'], wanted: string): Result<Ref, BadRef> => err({ kind: 'bad-ref', text, why, wanted });
  const [, head, rest = ''] = HEAD.exec(text.trim()) ?? [];
  if (head === undefined) return bad('no-type', WANTED_ANY);
  const type = head.toUpperCase();
  switch (type) {
    case 'FILE': {
      const [hash, lines] = halves(rest, ':');
      if (!HASH.test(hash)) return bad('bad-hash', WANTED.FILE);
      const range = lines === null ? null : readLines(lines);
      return range === undefined ? bad('bad-lines', WANTED.FILE) : ok({ kind: 'file', hash: hash.toLowerCase(), lines: range });
    }
    case 'AGENT':
      return NAME.test(rest) ? ok({ kind: 'agent', name: rest }) : bad('bad-name', WANTED.AGENT);
    case 'SCRATCH': {
      const [of, about] = halves(rest, ':');
      const sidebar = readNumber(of.replace(/^SB-/iu, ''));
      if (sidebar === undefined) return bad('bad-number', WANTED.SCRATCH);
      if (about === null) return ok({ kind: 'scratch', sidebar, finding: null });
      const finding = /^FINDING-/iu.test(about) ? readNumber(about.slice('FINDING-'.length)) : undefined;
      return finding === undefined ? bad('bad-finding', WANTED.SCRATCH) : ok({ kind: 'scratch', sidebar, finding });
    }
    default: {
      const numbered = NUMBERED_TYPES.find((one) => one === type);
      if (numbered === undefined) return bad('unknown-type', WANTED_ANY);
      const wanted = numbered === 'MSG' || numbered === 'EXCH' ? WANTED[numbered] : `${numbered}-12`;
      const of = ['SB' as const, ...KEEPERS].find((one) => one === numbered);
      if (of !== undefined && rest.includes(':')) {
        const [digits, inside] = halves(rest, ':');
        const owner = readNumber(digits);
        if (owner === undefined) return bad('bad-number', wanted);
        const item = readItem(of, owner, inside ?? '');
        return item === undefined ? bad('bad-item', WANTED[of]) : ok(item);
      }
      const [digits, tool] = halves(rest, '#');
      const number = readNumber(digits);
      if (number === undefined) return bad('bad-number', wanted);
      if (tool === null) return ok({ kind: 'numbered', type: numbered, number, part: null });
      if (numbered !== 'MSG') return bad('part-not-allowed', wanted);
      const part = readNumber(tool);
      return part === undefined ? bad('bad-part', wanted) : ok({ kind: 'numbered', type: numbered, number, part });
    }
  }
};

export const formatRef = (ref: Ref): string => {
  switch (ref.kind) {
    case 'numbered':
      return `${ref.type}-${ref.number}${ref.part === null ? '' : `#${ref.part}`}`;
    case 'file':
      return `FILE-${ref.hash}${ref.lines === null ? '' : `:${formatLines(ref.lines)}`}`;
    case 'agent':
      return `AGENT-${ref.name}`;
    case 'scratch':
      return `SCRATCH-${ref.sidebar}${ref.finding === null ? '' : `:FINDING-${ref.finding}`}`;
    case 'item':
      return `${ref.of}-${ref.owner}:${ref.type}-${ref.number}`;
    default:
      return assertNever(ref);
  }
};

/** The references in prose, in order. An unreadable part, range or finding is left as prose, and the reference before it counts. */
export const findRefs = (text: string): readonly FoundRef[] => {
  const found: FoundRef[] = [];
  for (const match of text.matchAll(IN_PROSE)) {
    const [whole] = match;
    for (const spelling of [whole, whole.replace(/[#:].*/u, '')]) {
      const read = parseRef(spelling);
      if (!read.ok) continue;
      found.push({ ref: read.value, from: match.index, to: match.index + spelling.length });
      break;
    }
  }
  return found;
};

const HEAD = /^([a-z]+)-(.*)$/isu;
const HASH = /^[0-9a-f]{4,64}$/iu;
// Doesn't end in a dot or hyphen: the end of a sentence isn't part of a name. Bounded: unbounded, it overflows the regex stack on megabytes of "a.".
const NAME_IN_PROSE = String.raw`(?=\w)[\w.-]{1,128}(?<=\w)`;
const NAME = new RegExp(`^${NAME_IN_PROSE}$`, 'u');
const NUMBER = /^[1-9]\d*$/u;

const WANTED = {
  MSG: 'MSG-12, MSG-12#3 or MSG-12:EPISODE-1',
  EXCH: 'EXCH-12 or EXCH-12:EPISODE-1',
  FILE: 'FILE-a3b2, FILE-a3b2:10 or FILE-a3b2:10-20',
  AGENT: 'AGENT-security_001',
  SCRATCH: 'SCRATCH-89 or SCRATCH-89:FINDING-3',
  SB: 'SB-12, SB-12:CHECKPOINT-1, SB-12:CLAIM-1, SB-12:CONFLICT-1 or SB-12:EPISODE-1',
  GOLD: 'GOLD-12 or GOLD-12:EPISODE-1',
} as const;

const WANTED_ANY = `${NUMBERED_TYPES.map((type) => `${type}-12`).join(', ')}, FILE-a3b2, AGENT-security_001 or SCRATCH-89`;

// In prose, only the printed spelling counts: in lower case, "agent-based" and "file-face" are words.
const IN_PROSE = (() => {
  const end = String.raw`(?![\p{L}\p{N}_])`;
  const number = String.raw`[1-9]\d{0,15}${end}`;
  const forms = [
    String.raw`MSG-${number}(?:#${number}|:EPISODE-${number})?`,
    String.raw`SB-${number}(?::(?:${ITEM_TYPES.join('|')})-${number})?`,
    String.raw`(?:GOLD|EXCH)-${number}(?::EPISODE-${number})?`,
    String.raw`(?:${NUMBERED_TYPES.filter((type) => !['MSG', 'SB', 'GOLD', 'EXCH'].includes(type)).join('|')})-${number}`,
    String.raw`FILE-[0-9a-f]{4,64}${end}(?::${number}(?:-${number})?)?`,
    String.raw`AGENT-${NAME_IN_PROSE}(?![.-]{0,8}[\p{L}\p{N}_])`,
    String.raw`SCRATCH-(?:SB-)?${number}(?::FINDING-${number})?`,
  ];
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${forms.join('|')})`, 'gu');
})();

const readNumber = (digits: string): number | undefined => {
  const number = NUMBER.test(digits) ? Number(digits) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

const readItem = (of: 'SB' | KeeperType, owner: number, text: string): ItemRef | undefined => {
  const [, name = '', digits = ''] = HEAD.exec(text) ?? [];
  const type = ITEM_TYPES.find((one) => one === name.toUpperCase());
  const number = readNumber(digits);
  if (type === undefined || number === undefined) return undefined;
  if (of === 'SB') return { kind: 'item', of, owner, type, number };
  return type === 'EPISODE' ? { kind: 'item', of, owner, type, number } : undefined;
};

const halves = (text: string, at: string): readonly [string, string | null] => {
  const cut = text.indexOf(at);
  return cut < 0 ? [text, null] : [text.slice(0, cut), text.slice(cut + 1)];
};

const readLines = (text: string): { readonly from: number; readonly to: number } | undefined => {
  const [first, last] = halves(text, '-');
  const from = readNumber(first);
  const to = last === null ? from : readNumber(last);
  return from === undefined || to === undefined || to < from ? undefined : { from, to };
};

const formatLines = ({ from, to }: { readonly from: number; readonly to: number }): string => (from === to ? `${from}` : `${from}-${to}`);
