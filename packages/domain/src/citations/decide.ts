import { isOperator, SYSTEM } from '../actors.ts';
import {
  happen,
  happenIn,
  isShare,
  maybeWorded,
  named,
  standIn,
  worded,
  working,
  type Decision,
  type Facts,
  type Deciders,
} from '../board/deciding.ts';
import { linked } from '../board/links.ts';
import { MOST_KEPT } from '../board/limits.ts';
import { knownRefs } from '../board/references.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import { goldOf, type Board } from '../board/state.ts';
import { assertNever } from '../never.ts';
import { cutText } from '../policies/cutting.ts';
import { ok, type Result } from '../result.ts';
import { backUp } from '../scratchpad/backup.ts';
import { keptOf } from '../scratchpad/completion.ts';
import { judgedSince } from '../scratchpad/decide.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { isAtWork, weakEvidence } from './evidence.ts';
import { isStanding, type Gold } from './state.ts';
import type { CommandOf, FamilyCommand, Happening } from '../messages/catalogue.ts';
import { BOARD_CONTEXT, type CitationSource, type FindingStatus, sidebarIdOfContext } from '../messages/values.ts';

const place = (board: Board, facts: Facts, sidebar: string | undefined): Result<Sidebar | null, Rejection> =>
  sidebar === undefined ? ok(null) : working(board, sidebar, facts.actor);

/** CITE-1: a message or anything else with a reference, lines of a file, or something outside. */
const cite = (board: Board, facts: Facts, command: CommandOf<'citation.create'>): Decision => {
  const found = place(board, facts, command.sidebar);
  if (!found.ok) return found;
  const source = knownSource(board, facts, command.source);
  if (!source.ok) return source;
  const { relevance, content, note } = command;
  if (!isShare(relevance)) return reject('bad-request', 'relevance_score goes from 0 to 1');
  if (found.value !== null && found.value.citations.length >= MOST_KEPT) return full(found.value, 'citations');
  for (const [name, text] of [
    ['content', content],
    ['note', note],
  ] as const) {
    const fit = worded(name, text ?? 'none');
    if (!fit.ok) return fit;
  }
  const payload = { source: source.value, content: content ?? null, relevance: relevance ?? null, note: note ?? null };
  return ok([happen(facts, 'citation.created', found.value?.contextId ?? BOARD_CONTEXT, payload)]);
};

const knownSource = (board: Board, facts: Facts, source: CitationSource): Result<CitationSource, Rejection> => {
  switch (source.kind) {
    case 'reference': {
      const refs = knownRefs(board, facts, [source.ref]);
      return refs.ok ? ok({ kind: 'reference', ref: refs.value[0] ?? source.ref }) : refs;
    }
    case 'file': {
      const { path, hash, from, to } = source;
      if (path.trim() === '') return reject('bad-request', 'the path of the file is empty');
      if (hash !== null && !/^[0-9a-f]{4,64}$/u.test(hash))
        return reject('bad-request', 'the hash of a file is its SHA-256 in hexadecimal, or its beginning');
      if ((from !== null && !isLine(from)) || (to !== null && (from === null || !isLine(to) || to < from)))
        return reject('bad-request', 'lines are whole numbers from 1, and do not end before they begin');
      return ok(source);
    }
    case 'external':
      if ((source.url ?? '').trim() === '' && (source.title ?? '').trim() === '')
        return reject('bad-request', 'an external source needs a url or a title');
      // CITE-5: it is shown as a link, and must not run anything.
      if (source.url !== null && !/^https?:\/\//iu.test(source.url))
        return reject('bad-request', 'the url of an external source begins with http:// or https://; anything else goes into the title');
      return ok(source);
    default:
      return assertNever(source);
  }
};

const isLine = (line: number): boolean => Number.isSafeInteger(line) && line >= 1;

const full = (sidebar: Sidebar, what: string): Decision =>
  reject('too-large', `${named(sidebar)} has ${MOST_KEPT} ${what}, which is the most; spawn a child for more`);

/** MEDIA-1: the bytes are on the log; what was found out about them follows at once. */
const upload = (board: Board, facts: Facts, command: CommandOf<'media.upload'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const path = worded('file_path', command.filePath);
  if (!path.ok) return path;
  const answered = knownRefs(board, facts, command.inResponseTo === undefined ? [] : [command.inResponseTo]);
  if (!answered.ok) return answered;
  if (found.value.media.length >= MOST_KEPT) return full(found.value, 'media');
  const { mediaType, content, found: about } = command;
  const id = facts.newId();
  const fileSize = 'size' in about ? about.size : 0;
  const uploaded = happenIn(
    facts,
    found.value,
    'media.uploaded',
    { mediaType, filePath: path.value, fileSize, inResponseTo: answered.value[0] ?? null, content },
    { uuid: id },
  );
  const system = { ...facts, actor: SYSTEM };
  const then =
    'why' in about
      ? happenIn(system, found.value, 'media.failed', { media: id, why: about.why })
      : happenIn(system, found.value, 'media.processed', { media: id, mime: about.mime, sha256: about.sha256 });
  return ok([uploaded, then]);
};

/** GOLD-1: protected at once, with the scratchpad it came from; and still to be validated. */
const createGold = (board: Board, facts: Facts, command: CommandOf<'gold.create'>): Decision => {
  const found = place(board, facts, command.sidebar);
  if (!found.ok) return found;
  for (const [name, text] of [
    ['key_insight', command.keyInsight],
    ['reuse_pattern', command.reusePattern],
  ] as const) {
    const fit = worded(name, text);
    if (!fit.ok) return fit;
  }
  const { triggerConditions, confidence } = command;
  if (
    triggerConditions.length === 0 ||
    triggerConditions.length > MOST_CONDITIONS ||
    triggerConditions.some((one) => one.trim() === '' || one.length > 1000)
  ) {
    return reject(
      'bad-request',
      `trigger_conditions: between 1 and ${MOST_CONDITIONS}, none empty or longer than 1000 characters; they say when to remember this`,
    );
  }
  if (!isShare(confidence)) return reject('bad-request', 'confidence goes from 0 to 1');
  if (found.value !== null && found.value.golds.length >= MOST_KEPT) return full(found.value, 'GOLD waypoints');
  if (command.sourceRefs.length === 0) return reject('bad-request', 'source_refs is empty: say what is GOLD, such as MSG-12 or SCRATCH-3:FINDING-1');
  const sourceRefs = knownRefs(board, facts, command.sourceRefs);
  if (!sourceRefs.ok) return sourceRefs;
  const id = facts.newId();
  const sidebar = found.value;
  const contextId = sidebar?.contextId ?? BOARD_CONTEXT;
  const gold = happen(
    facts,
    'gold.created',
    contextId,
    {
      sourceRefs: sourceRefs.value,
      keyInsight: command.keyInsight,
      reusePattern: command.reusePattern,
      triggerConditions,
      confidence: confidence ?? null,
    },
    { uuid: id },
  );
  return ok([gold, ...protect(facts, contextId, sidebar, id, command.keyInsight)]);
};

const protect = (asked: Facts, contextId: string, sidebar: Sidebar | null, gold: string, keyInsight: string): readonly Happening[] => {
  const facts = { ...asked, actor: SYSTEM };
  const kept = happen(facts, 'episodic.archived', contextId, {
    content: keyInsight,
    trigger: 'gold',
    finding: null,
    gold,
    sourceSidebar: sidebar?.id ?? null,
    sourceCheckpoint: sidebar?.scratchpad.checkpoints.at(-1)?.id ?? null,
    isProvisional: true,
    supersedes: null,
    tags: ['gold', ...(sidebar?.tags ?? [])],
  });
  return sidebar === null ? [kept] : [kept, backUp(facts, sidebar, `Contains GOLD: ${cutText(keyInsight, 100)}`, 'high')];
};

/** GOLD-3: being protected is no reason to skip validation. */
const validateGold = (board: Board, facts: Facts, command: CommandOf<'gold.validate'>): Decision => {
  const gold = goldOf(board, command.gold);
  if (gold === null) return reject('not-found', `there is no ${cutText(command.gold, 100)} on this board; give GOLD-n`);
  const sidebar = board.sidebars.get(sidebarIdOfContext(gold.createdIn) ?? '') ?? null;
  const notes = maybeWorded(command.notes);
  if (sidebar === null && !isOperator(facts.actor))
    return reject('not-curator', `${gold.ref} was found in no sidebar: the human operator validates it`);
  const allowed = sidebar === null ? ok([]) : standIn(sidebar, facts, 'curator', 'validate GOLD');
  if (!allowed.ok) return allowed;
  if (gold.createdBy === facts.actor.id && !isOperator(facts.actor)) {
    return reject('own-finding', `${gold.ref} is your own; the human operator validates what a curator found`);
  }
  if (gold.superseded !== null) return reject('already-there', `${gold.ref} is superseded: ${gold.superseded.why}`);
  if (command.status === gold.status && command.status !== 'pending') return reject('already-there', `${gold.ref} is ${gold.status} already`);
  if (command.seen !== undefined && command.seen !== gold.status) return judgedSince(gold.ref, command.seen, gold);
  if (command.status === 'rejected' && notes === null)
    return reject('bad-request', 'a rejection needs validation_notes: why it is rejected is what others learn from');
  const happened = happen(facts, 'gold.validated', gold.createdIn, { gold: gold.id, status: command.status, notes });
  // Nobody comes back to one whose sidebar is done: the last word is said now.
  return ok([happened, ...allowed.value, ...(isAtWork(board, gold.createdIn) ? [] : settle(board, facts, gold, command.status, notes))]);
};

const settle = (board: Board, facts: Facts, gold: Gold, status: FindingStatus, notes: string | null): readonly Happening[] => {
  const system = { ...facts, actor: SYSTEM };
  const { createdIn: contextId } = gold;
  const kept = keptOf(board, gold.id);
  if (status === 'confirmed' && weakEvidence(board, gold).length > 0) return [];
  if (status === 'confirmed')
    return kept.filter(({ isProvisional }) => isProvisional).map(({ id }) => happen(system, 'episodic.finalised', contextId, { episode: id }));
  if (status !== 'rejected') return [];
  const why = notes ?? 'it was rejected';
  return [
    happen(system, 'gold.superseded', contextId, { gold: gold.id, by: null, why }),
    ...kept.map(({ id }) => happen(system, 'episodic.superseded', contextId, { episode: id, by: null, why })),
  ];
};

/** Said by Yarnboard itself, of a message that no command brought. */
const surfaceGold = (board: Board, facts: Facts, command: CommandOf<'gold.surface'>): Decision => {
  const gold = goldOf(board, command.gold);
  if (facts.actor.type !== 'system') return reject('operator-only', 'waypoints are surfaced by Yarnboard itself');
  if (gold === null || !isStanding(gold)) return reject('not-found', `there is no ${named({ ref: command.gold, id: command.gold })} to surface`);
  const { contextId, score, condition, about } = command;
  if (linked(board, 'surfaced', contextId).includes(gold.id)) return reject('already-there', `${gold.ref} was shown in this conversation before`);
  return ok([happen(facts, 'gold.surfaced', contextId, { gold: gold.id, score, condition, about })]);
};

const MOST_CONDITIONS = 20;

export const citationCommands = {
  'citation.create': cite,
  'media.upload': upload,
  'gold.create': createGold,
  'gold.validate': validateGold,
  'gold.surface': surfaceGold,
} satisfies Deciders<FamilyCommand<'citations'>>;
