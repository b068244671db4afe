import { assertNever } from '@yarnboard/domain';
import { draftOfCompanion, draftOfLine, sha256, type FileMark, type Item } from '@yarnboard/store';
import { EMPTY } from './bytes.ts';
import type { Fed, Found } from './lines-reader.ts';
import type { ToNumber } from './numbering.ts';
import { HEAD, hashOfHead, sealOf, withRecent, type Recent } from './recognition.ts';
import type { Resumption } from './resumption.ts';
import { lengthOf, type SourceFile, type SourceLine } from './source.ts';

/** How a file looks from outside. */
export type Look = Pick<FileMark, 'identity' | 'size' | 'modified'>;

type Where = Look &
  SourceLine['mark'] & {
    /** Bytes passed to the reader: more than are on the log while a line is incomplete. */
    readonly fed: number;
  };

/** How far a file has been read. To read a stretch, perform what `stepLines` asks for, step by step, until it is `done`. */
export type Reading = {
  readonly where: Where;
  /** Counts how often the file was found rewritten. */
  readonly edition: number;
  /** An existing reader continues; otherwise its place is determined first. */
  readonly hasReader: boolean;
  /** The counts from before that reader began. */
  readonly base: FileMark['counts'];
  readonly head: Buffer;
  readonly recent: Recent | null;
  /** The time of the previous record, NaN until one has a time; and the latest time of any. */
  readonly said: number;
  readonly latest: number;
  /** The time of the last record before everything this process has read, once it was looked for. */
  readonly earlier: number | null;
  readonly hashed: { readonly bytes: number; readonly hash: string };
  /** For the stretch being read. */
  readonly opened: Look | null;
  readonly fed: Fed | null;
  readonly made: readonly Made[];
};

/** A line that only lacks its number. */
type Made = { readonly item: Item; readonly hash: string; readonly at: number; readonly mark: SourceLine['mark'] };

export type LinesInput =
  | { readonly kind: 'read' }
  | { readonly kind: 'looked'; readonly found: Look; readonly isOpen: boolean }
  | { readonly kind: 'opened'; readonly found: Look }
  /** The source was closed meanwhile. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'recognised'; readonly isSame: boolean }
  | { readonly kind: 'start-found'; readonly resumption: Resumption }
  | { readonly kind: 'reader-started' }
  | { readonly kind: 'head'; readonly bytes: Buffer }
  /** `bytes` are valid only during the step. */
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array; readonly fed: Fed }
  | { readonly kind: 'end-seen'; readonly isWhole: boolean }
  | { readonly kind: 'reader-ended'; readonly fed: Fed }
  | { readonly kind: 'time-found'; readonly at: number }
  | { readonly kind: 'numbered'; readonly numbers: readonly number[] };

export type LinesEffect =
  | { readonly kind: 'look' | 'open' | 'end-reader' }
  /** Whether it is still the same file: by what this process saw of it, or by its mark. */
  | { readonly kind: 'recognise'; readonly head: Buffer; readonly recent: Recent | null; readonly mark: Pick<FileMark, 'headHash' | 'headBytes'> }
  | { readonly kind: 'find-start'; readonly offset: number; readonly size: number }
  | { readonly kind: 'start-reader'; readonly line: number; readonly offset: number }
  | { readonly kind: 'read-head'; readonly length: number }
  | { readonly kind: 'read-chunk'; readonly from: number; readonly length: number }
  | { readonly kind: 'look-at-end'; readonly offset: number; readonly size: number }
  | { readonly kind: 'find-time'; readonly before: number }
  | { readonly kind: 'number'; readonly edition: number; readonly lines: readonly ToNumber[] }
  | { readonly kind: 'done'; readonly lines: readonly SourceLine[]; readonly isReleased: boolean };

type Stepped = { readonly reading: Reading; readonly effect: LinesEffect };

export const beginReading = (mark: FileMark | null): Reading => (mark === null ? FRESH : { ...FRESH, where: { ...mark, fed: mark.offset } });

/** The next step of reading a stretch of a file. */
export const stepLines = (file: SourceFile, fallbackAt: number, reading: Reading, input: LinesInput): Stepped => {
  switch (input.kind) {
    case 'read':
      return ask({ ...reading, opened: null, fed: null, made: [] }, { kind: 'look' });
    case 'looked':
      return looked(reading, input.found, input.isOpen);
    case 'opened':
      return opened(reading, input.found);
    case 'closed':
      return done(reading, [], true);
    case 'recognised':
      return goOn(input.isSame ? reading : anew(reading), reading.opened ?? reading.where);
    case 'start-found':
      return startFound(reading, input.resumption);
    case 'reader-started':
      return readHead({ ...reading, hasReader: true, base: reading.where.counts });
    case 'head':
      return readChunk({ ...reading, head: input.bytes });
    case 'chunk':
      return takeChunk(file, fallbackAt, reading, input.bytes, input.fed);
    case 'end-seen':
      return input.isWhole ? ask(reading, { kind: 'end-reader' }) : make(file, fallbackAt, reading);
    case 'reader-ended':
      return make(file, fallbackAt, { ...reading, fed: { ...input.fed, found: [...(reading.fed?.found ?? []), ...input.fed.found] } });
    case 'time-found':
      return make(file, fallbackAt, { ...reading, earlier: input.at });
    case 'numbered':
      return finish(reading, input.numbers);
    default:
      return assertNever(input);
  }
};

const looked = (reading: Reading, found: Look, isOpen: boolean): Stepped => {
  const { identity, size, modified, fed } = reading.where;
  if (isOpen && found.identity === identity && found.size >= fed) return goOn(reading, found);
  if (fed >= found.size && identity === found.identity && size === found.size && modified === found.modified) return done(reading, [], true);
  return ask(reading, { kind: 'open' });
};

const opened = (reading: Reading, found: Look): Stepped => {
  const { where, recent, head } = reading;
  if (where.identity === '') return goOn(reading, found);
  if (where.identity !== found.identity || found.size < where.fed) return goOn(anew(reading), found);
  if (recent === null && where.offset === 0) return goOn(reading, found);
  const { headHash, headBytes } = where;
  return ask({ ...reading, opened: found }, { kind: 'recognise', head, recent, mark: { headHash, headBytes } });
};

const anew = ({ edition }: Reading): Reading => ({ ...FRESH, edition: edition + 1 });

const goOn = (reading: Reading, { identity, size, modified }: Look): Stepped => {
  const where: Where = { ...reading.where, identity, size, modified };
  const next: Reading = { ...reading, where };
  if (where.fed >= size) return done(next, [], true);
  return next.hasReader ? readHead(next) : ask(next, { kind: 'find-start', offset: where.offset, size });
};

const startFound = (reading: Reading, resumption: Resumption): Stepped => {
  if (resumption.kind === 'nothing yet') return done(reading, [], true);
  const { offset } = resumption;
  const { line, counts } = reading.where;
  // What follows a record on its line was counted with it.
  const back = resumption.kind === 'same line' ? { line: line - 1, counts: { ...counts, lines: counts.lines - 1 } } : { line, counts };
  return ask({ ...reading, where: { ...reading.where, ...back, offset, fed: offset } }, { kind: 'start-reader', line: back.line, offset });
};

const readHead = (reading: Reading): Stepped => {
  const length = Math.min(HEAD, reading.where.size);
  return reading.head.length < length ? ask(reading, { kind: 'read-head', length }) : readChunk(reading);
};

const readChunk = (reading: Reading): Stepped => {
  const { fed, size } = reading.where;
  return ask(reading, { kind: 'read-chunk', from: fed, length: Math.min(CHUNK, size - fed) });
};

const takeChunk = (file: SourceFile, fallbackAt: number, before: Reading, bytes: Uint8Array, fed: Fed): Stepped => {
  const end = before.where.fed + bytes.length;
  const { size } = before.where;
  const recent = bytes.length === 0 ? before.recent : withRecent(before.recent, bytes, end);
  const reading: Reading = { ...before, where: { ...before.where, fed: end }, recent, fed };
  if (end >= size) return ask(reading, { kind: 'look-at-end', offset: fed.position.offset, size });
  return fed.found.length === 0 && bytes.length > 0 ? readChunk(reading) : make(file, fallbackAt, reading);
};

/**
 * Turns findings into lines. A record without a time, and with none before it that this process has read, gets the time of the last earlier one:
 * looked for only then, since it may be far back.
 */
const make = (file: SourceFile, fallbackAt: number, reading: Reading): Stepped => {
  const { where, base, head } = reading;
  let { said, latest, hashed, earlier } = reading;
  const made: Made[] = [];
  for (const found of reading.fed?.found ?? []) {
    if (found.reading !== null && Number.isFinite(found.reading.at)) said = found.reading.at;
    if (!Number.isFinite(said) && earlier === null) {
      if (where.offset > 0) return ask(reading, { kind: 'find-time', before: where.offset });
      earlier = Number.NaN;
    }
    const time = Number.isFinite(said) ? said : Number.isFinite(earlier) ? (earlier ?? fallbackAt) : fallbackAt;
    const { payload, raw, place } = found;
    const digest = sha256(payload);
    const hash = digest.toString('hex');
    const end = place.offset + place.length;
    const headBytes = Math.min(HEAD, end);
    if (hashed.bytes !== headBytes) hashed = { bytes: headBytes, hash: hashOfHead(head, headBytes) };
    const headHash = sealOf(hashed.hash, end, raw.length, raw === payload ? hash : sha256(raw).toString('hex'));
    const item = itemOf(file, found, said);
    const timed = Number.isFinite(said) ? item : { ...item, draft: { ...item.draft, timestamp: time } };
    latest = Math.max(latest, timed.draft.timestamp);
    const mark = { offset: end, line: place.line + 1, counts: sumOf(base, found.counts), headHash, headBytes };
    made.push({ item: { ...timed, hash: digest }, hash, at: latest, mark });
  }
  const next: Reading = { ...reading, said, latest, hashed, earlier, made };
  if (made.length === 0) return finish(next, []);
  return ask(next, { kind: 'number', edition: reading.edition, lines: made.map(({ item, hash }) => ({ contextId: item.draft.contextId, hash })) });
};

const itemOf = ({ role, context: own, dialect, name, isIndex }: SourceFile, { payload, reading, fault }: Found, said: number): Item => {
  const length = lengthOf(payload);
  const context = isIndex === true ? { sessionId: reading?.sessionId ?? '', agentId: null } : own;
  if (role !== 'companion')
    return { draft: draftOfLine({ context, dialect, reading, fault, length, occurrence: 1, fallbackAt: said }), payload, reading };
  const draft = draftOfCompanion(context.sessionId, name ?? '', length, said);
  return { draft: fault === null ? draft : { ...draft, errorOccurred: true }, payload, reading: null };
};

const finish = (reading: Reading, numbers: readonly number[]): Stepped => {
  const { where, base, fed, made } = reading;
  const lines = made.map(({ item, at, mark }, i): SourceLine => {
    const occurrence = numbers[i] ?? 1;
    return { item: occurrence === 1 ? item : { ...item, draft: { ...item.draft, occurrence } }, at, mark };
  });
  if (fed === null) return done(reading, lines, true);
  // After the newline, not before it: where the next line begins.
  const rest = { ...fed.position, counts: sumOf(base, fed.counts) };
  const last = lines.at(-1);
  const next: Where = { ...where, ...last?.mark, ...rest };
  const ended = last === undefined ? [] : [...lines.slice(0, -1), { ...last, mark: { ...last.mark, ...rest } }];
  return done({ ...reading, where: next, hasReader: next.offset < next.size }, ended, next.fed >= next.size);
};

const sumOf = (one: FileMark['counts'], other: FileMark['counts']): FileMark['counts'] => ({
  lines: one.lines + other.lines,
  blank: one.blank + other.blank,
  records: one.records + other.records,
  quarantined: one.quarantined + other.quarantined,
});

const ask = (reading: Reading, effect: LinesEffect): Stepped => ({ reading, effect });

const done = (reading: Reading, lines: readonly SourceLine[], isReleased: boolean): Stepped => ({
  reading: { ...reading, opened: null, fed: null, made: [] },
  effect: { kind: 'done', lines, isReleased },
});

const FRESH: Reading = {
  where: {
    identity: '',
    size: 0,
    modified: 0,
    fed: 0,
    offset: 0,
    line: 1,
    counts: { lines: 0, blank: 0, records: 0, quarantined: 0 },
    headHash: '',
    headBytes: 0,
  },
  edition: 0,
  hasReader: false,
  base: { lines: 0, blank: 0, records: 0, quarantined: 0 },
  head: EMPTY,
  recent: null,
  said: Number.NaN,
  latest: Number.NEGATIVE_INFINITY,
  earlier: null,
  hashed: { bytes: -1, hash: '' },
  opened: null,
  fed: null,
  made: [],
};

const CHUNK = 1024 * 1024;
