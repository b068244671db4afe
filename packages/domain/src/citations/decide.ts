import { isOperator, SYSTEM } from '../actors.ts';
import {
  asParticipant,
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
import { goldOf, sidebarOf, type Board } from '../board/state.ts';
import { assertNever } from '../never.ts';
import { cutText } from '../policies/cutting.ts';
import { ok, type Result } from '../result.ts';
import { markOfEvidence } from '../claims/marks.ts';
import { stateTtl } from '../claims/validation-history.ts';
import { backUp } from '../scratchpad/backup.ts';
import { keptOf } from '../scratchpad/completion.ts';
import { PLAIN_EPISODE } from '../scratchpad/episodes.ts';
import { judgedSince } from '../scratchpad/decide.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { isAtWork, weakEvidence } from './evidence.ts';
import { isComingUp, isGoldResting, REFUSALS_TO_REST, type Gold } from './state.ts';
import type { CommandOf, FamilyCommand, Happening } from '../messages/catalogue.ts';
import { BOARD_CONTEXT, type CitationSource, type FindingStatus, sidebarIdOfContext } from '../messages/values.ts';

const place = (board: Board, facts: Facts, sidebar: string | undefined): Result<Sidebar | null, Rejection> =>
  sidebar === undefined ? ok(null) : working(board, sidebar, facts.actor);

/** CITE-1: cites a message or anything else with a reference, lines of a file, or something outside. */
const cite = (board: Board, facts: Facts, command: CommandOf<'citation.create'>): Decision => {
  const found = place(board, facts, command.sidebar);
  if (!found.ok) return found;
  const source = knownSource(board, facts, command.source);
  if (!source.ok) return source;
  const { relevance, content, note } = command;
  if (!isShare(relevance)) return reject('not-a-share', { field: 'relevance', of: null });
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
      if (path.trim() === '') return reject('empty', { field: 'path' });
      if (hash !== null && !/^[0-9a-f]{4,64}$/u.test(hash)) return reject('not-a-hash', { of: 'file' });
      if ((from !== null && !isLine(from)) || (to !== null && (from === null || !isLine(to) || to < from))) return reject('bad-lines', {});
      return ok(source);
    }
    case 'external':
      if ((source.url ?? '').trim() === '' && (source.title ?? '').trim() === '') return reject('no-url-or-title', {});
      // CITE-5: it is shown as a link, which must not execute anything.
      if (source.url !== null && !/^https?:\/\//iu.test(source.url)) return reject('unsafe-url', {});
      return ok(source);
    default:
      return assertNever(source);
  }
};

const isLine = (line: number): boolean => Number.isSafeInteger(line) && line >= 1;

const full = (sidebar: Sidebar, of: 'citations' | 'media' | 'gold'): Decision => reject('full', { where: named(sidebar), most: MOST_KEPT, of });

/** MEDIA-1: the bytes are on the log; what was found out about them follows immediately. */
const upload = (board: Board, facts: Facts, command: CommandOf<'media.upload'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const path = worded('filePath', command.filePath);
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

/** GOLD-1: protected at once, with its scratchpad; and not validated yet. */
const createGold = (board: Board, facts: Facts, command: CommandOf<'gold.create'>): Decision => {
  const found = place(board, facts, command.sidebar);
  if (!found.ok) return found;
  for (const [name, text] of [
    ['keyInsight', command.keyInsight],
    ['reusePattern', command.reusePattern],
  ] as const) {
    const fit = worded(name, text);
    if (!fit.ok) return fit;
  }
  const { triggerConditions, confidence } = command;
  if (
    triggerConditions.length === 0 ||
    triggerConditions.length > MOST_CONDITIONS ||
    triggerConditions.some((one) => one.trim() === '' || one.length > LONGEST_CONDITION)
  ) {
    return reject('bad-conditions', { most: MOST_CONDITIONS, longest: LONGEST_CONDITION });
  }
  if (!isShare(confidence)) return reject('not-a-share', { field: 'confidence', of: null });
  if (found.value !== null && found.value.golds.length >= MOST_KEPT) return full(found.value, 'gold');
  if (command.sourceRefs.length === 0) return reject('empty', { field: 'sourceRefs' });
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
  return ok([gold, ...protect(board, facts, contextId, sidebar, { gold: id, keyInsight: command.keyInsight, sourceRefs: sourceRefs.value })]);
};

type Protected = { readonly gold: string; readonly keyInsight: string; readonly sourceRefs: readonly string[] };

const protect = (
  board: Board,
  asked: Facts,
  contextId: string,
  sidebar: Sidebar | null,
  { gold, keyInsight, sourceRefs }: Protected,
): readonly Happening[] => {
  const facts = { ...asked, actor: SYSTEM };
  const kept = happen(facts, 'episodic.archived', contextId, {
    ...PLAIN_EPISODE,
    content: keyInsight,
    trigger: 'gold',
    gold,
    sourceSidebar: sidebar?.id ?? null,
    sourceCheckpoint: sidebar?.scratchpad.checkpoints.at(-1)?.id ?? null,
    sources: sourceRefs,
    priority: 'high',
    requiresValidation: true,
    mark: sidebar === null ? null : markOfEvidence(sidebar.claims, sourceRefs, facts.now, stateTtl(board)),
    tags: ['gold', ...(sidebar?.tags ?? [])],
  });
  // Its number isn't known yet; whoever shows the backup adds the name.
  return sidebar === null ? [kept] : [kept, backUp(facts, sidebar, { reason: 'Contains GOLD', priority: 'high', gold })];
};

/** GOLD-3: protection is no reason to skip validation. */
const validateGold = (board: Board, facts: Facts, command: CommandOf<'gold.validate'>): Decision => {
  const gold = goldOf(board, command.gold);
  if (gold === null) return reject('unknown-gold', { asked: cutText(command.gold, 100) });
  const sidebar = board.sidebars.get(sidebarIdOfContext(gold.createdIn) ?? '') ?? null;
  const notes = maybeWorded(command.notes);
  if (sidebar === null && !isOperator(facts.actor)) return reject('gold-of-no-sidebar', { gold: gold.ref });
  const allowed = sidebar === null ? ok([]) : standIn(sidebar, facts, 'curator', 'validate GOLD');
  if (!allowed.ok) return allowed;
  if (gold.createdBy === facts.actor.id && !isOperator(facts.actor)) {
    return reject('own-finding', { ref: gold.ref });
  }
  if (gold.superseded !== null) return reject('gold-superseded', { gold: gold.ref, why: gold.superseded.why });
  if (command.status === gold.status && command.status !== 'pending')
    return reject('judged-already', { ref: gold.ref, status: gold.status, by: gold.validatedBy });
  if (command.seen !== undefined && command.seen !== gold.status) return judgedSince(gold.ref, command.seen, gold);
  if (command.status === 'rejected' && notes === null) return reject('notes-needed', { field: 'notes', for: 'rejecting' });
  const happened = happen(facts, 'gold.validated', gold.createdIn, { gold: gold.id, status: command.status, notes });
  // Nobody returns to one whose sidebar is finished: the final decision is made now.
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

/** Surfaced by Yarnboard itself, for a message that no command brought. */
const surfaceGold = (board: Board, facts: Facts, command: CommandOf<'gold.surface'>): Decision => {
  const gold = goldOf(board, command.gold);
  if (facts.actor.type !== 'system') return reject('operator-only', { to: 'surface-gold' });
  if (gold === null || !isComingUp(gold)) return reject('unknown-gold', { asked: cutText(command.gold, 100) });
  const { contextId, score, condition, about } = command;
  if (linked(board, 'surfaced', contextId).includes(gold.id)) return reject('gold-shown-already', { gold: gold.ref });
  return ok([happen(facts, 'gold.surfaced', contextId, { gold: gold.id, score, condition, about })]);
};

const mayAnswerIn = (board: Board, { actor }: Facts, contextId: string): Result<unknown, Rejection> => {
  const sidebarId = sidebarIdOfContext(contextId);
  if (sidebarId !== null) return asParticipant(board, sidebarId, actor);
  return isOperator(actor) ? ok(null) : reject('operator-only', { to: 'answer-gold' });
};

/** GOLD-12: each time it was shown takes one answer. GOLD-13: "useful" wakes a resting one, wherever it is said. */
const answerGold = (board: Board, facts: Facts, command: CommandOf<'gold.answer'>): Decision => {
  const gold = goldOf(board, command.gold);
  if (gold === null) return reject('unknown-gold', { asked: cutText(command.gold, 100) });
  const { answer, where } = command;
  const asked = where === undefined ? null : (sidebarOf(board, where)?.contextId ?? where);
  const open = gold.shown.flatMap((shown) => (shown.answer === null && (asked === null || shown.contextId === asked) ? [shown.contextId] : []));
  // If it surfaced elsewhere, those present there answer.
  const own = open.findLast((context) => mayAnswerIn(board, facts, context).ok);
  const revived =
    answer === 'useful' && isGoldResting(gold) ? (gold.shown.find((shown) => shown.contextId === asked)?.contextId ?? gold.createdIn) : null;
  const contextId = own ?? revived ?? open.at(-1) ?? null;
  if (contextId === null) return reject('gold-not-to-answer', { gold: gold.ref });
  const allowed = mayAnswerIn(board, facts, contextId);
  if (!allowed.ok) return allowed;
  const rests = answer === 'not_now' && gold.notNowInARow + 1 === REFUSALS_TO_REST;
  return ok([happen(facts, 'gold.answered', contextId, { gold: gold.id, answer, rests })]);
};

const MOST_CONDITIONS = 20;
const LONGEST_CONDITION = 1000;

export const citationCommands = {
  'citation.create': cite,
  'media.upload': upload,
  'gold.create': createGold,
  'gold.validate': validateGold,
  'gold.answer': answerGold,
  'gold.surface': surfaceGold,
} satisfies Deciders<FamilyCommand<'citations'>>;
