import type { Actor } from '../actors.ts';
import { asParticipant, happen, isShare, maybeWorded, named, worded, working, type Deciders, type Decision, type Facts } from '../board/deciding.ts';
import { findingNamed } from '../board/references.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import { markOfEvidence } from '../claims/marks.ts';
import { stateTtl } from '../claims/validation-history.ts';
import type { CommandOf, FamilyCommand, Happening, Payloads } from '../messages/catalogue.ts';
import { BOARD_CONTEXT, contextIdOfSidebar, sidebarIdOfContext } from '../messages/values.ts';
import { cutText } from '../policies/cutting.ts';
import { formatRef, parseRef } from '../refs.ts';
import { ok, type Result } from '../result.ts';
import { findingKept, keptOf } from './completion.ts';
import { PLAIN_EPISODE, type Episode } from './episodes.ts';
import { itemNamed, refOfEpisode } from './items.ts';
import { refOfFinding, type Finding } from './state.ts';
import type { Sidebar } from '../sidebar/state.ts';

/** What somebody wants to keep: a finding of a sidebar, or a message. */
type Subject =
  | { readonly kind: 'finding'; readonly ref: string; readonly sidebar: Sidebar; readonly finding: Finding }
  | { readonly kind: 'said'; readonly ref: string; readonly contextId: string };

/** EPI-7: participants keep exchanges, messages and findings. Nothing is kept twice. */
const archive = (board: Board, facts: Facts, command: CommandOf<'memory.archive'>): Decision => {
  if (command.refs.length === 0 || command.refs.length > MOST_AT_ONCE) return reject('too-many-or-none', { field: 'refs', most: MOST_AT_ONCE });
  const home = command.sidebar === undefined ? ok(null) : asParticipant(board, command.sidebar, facts.actor);
  if (!home.ok) return home;
  const subjects = subjectsOf(board, facts, command.refs);
  if (!subjects.ok) return subjects;
  const note = maybeWorded(command.reason);
  const events: Happening[] = [];
  for (const subject of subjects.value) {
    const place = placeOf(board, facts, subject, home.value);
    if (!place.ok) return place;
    const before = keptAlready(board, subject, place.value);
    if (before !== undefined) return reject('kept-already', { ref: subject.ref, episode: refOfEpisode(board, before.id) });
    const kept = keeping(board, facts, subject, place.value);
    if (!kept.ok) return kept;
    const contextId = subject.kind === 'said' && place.value === null ? subject.contextId : contextIdOfSidebar(place.value?.id ?? '');
    const tags = [...new Set([...kept.value.tags, ...(command.tags ?? [])])];
    events.push(happen(facts, 'episodic.archived', contextId, { ...kept.value, trigger: 'manual', tags, note }));
  }
  return ok(events);
};

/** The things the references stand for, each once. */
const subjectsOf = (board: Board, facts: Facts, texts: readonly string[]): Result<readonly Subject[], Rejection> => {
  const subjects = new Map<string, Subject>();
  for (const text of texts) {
    const subject = subjectOf(board, facts, text);
    if (!subject.ok) return subject;
    subjects.set(subject.value.ref, subject.value);
  }
  return ok([...subjects.values()]);
};

const subjectOf = (board: Board, facts: Facts, text: string): Result<Subject, Rejection> => {
  const read = parseRef(text);
  if (!read.ok) return reject('not-a-reference', { asked: cutText(text, 100), why: read.error.why, wanted: read.error.wanted });
  const ref = formatRef(read.value.kind === 'numbered' ? { ...read.value, part: null } : read.value);
  const found = findingNamed(board, ref);
  if (found !== null) return ok({ kind: 'finding', ref: refOfFinding(named(found.sidebar), found.finding), ...found });
  const isSaid = read.value.kind === 'numbered' && (read.value.type === 'EXCH' || read.value.type === 'MSG');
  if (!isSaid) return reject('not-said-or-found', { ref });
  const place = facts.refs.get(ref);
  return place === undefined ? reject('unknown-reference', { ref }) : ok({ kind: 'said', ref, contextId: place.contextId });
};

/** EPI-7: where something is kept, if the actor may: participants of its sidebar; for messages of a session, anyone on the board. */
const placeOf = (board: Board, facts: Facts, subject: Subject, home: Sidebar | null): Result<Sidebar | null, Rejection> => {
  if (subject.kind === 'finding') return working(board, subject.sidebar.id, facts.actor);
  const own = board.sidebars.get(sidebarIdOfContext(subject.contextId) ?? '');
  if (own === undefined) return ok(home);
  const allowed = asParticipant(board, own.id, facts.actor);
  return allowed.ok ? ok(home ?? own) : allowed;
};

const keptAlready = (board: Board, subject: Subject, place: Sidebar | null): Episode | undefined => {
  const kept = keptOf(board, place?.id ?? subject.ref);
  return kept.find(({ finding, about }) => (subject.kind === 'finding' ? finding === subject.finding.id : about === subject.ref));
};

const keeping = (board: Board, facts: Facts, subject: Subject, place: Sidebar | null): Result<Kept, Rejection> => {
  if (subject.kind === 'finding') {
    const { sidebar, finding, ref } = subject;
    if (finding.status === 'rejected') return reject('finding-rejected', { ref });
    if (finding.supersededBy !== null) return reject('finding-revised', { ref, newer: revisionOf(sidebar, finding) });
    // EPI-8: keeping isn't confirming.
    return ok({ ...findingKept(board, facts, sidebar, finding), requiresValidation: finding.status !== 'confirmed' });
  }
  const said = (facts.said?.(subject.ref)?.messages ?? []).filter(({ ref, text }) => ref !== null && text.trim() !== '');
  if (said.length === 0) return reject('nothing-said', { ref: subject.ref });
  const sources = said.flatMap(({ ref }) => ref ?? []);
  return ok({
    ...PLAIN_EPISODE,
    content: cutText(said.length === 1 ? (said[0]?.text ?? '') : said.map(({ by, text }) => `${by}: ${text}`).join('\n\n'), MOST_CONTENT),
    sourceSidebar: place?.id ?? null,
    about: subject.ref,
    sources,
    isProvisional: !isHuman(facts.actor),
    mark: place === null ? null : markOfEvidence(place.claims, [subject.ref, ...sources], facts.now, stateTtl(board)),
    tags: place?.tags ?? [],
  });
};

type Kept = Omit<Payloads['episodic.archived'], 'trigger'>;

const revisionOf = (sidebar: Sidebar, { supersededBy }: Finding): string | null => {
  const newer = sidebar.scratchpad.findings.find(({ id }) => id === supersededBy);
  return newer === undefined ? null : refOfFinding(named(sidebar), newer);
};

const isHuman = ({ type }: Actor): boolean => type === 'human';

/** EPI-9: messages kept by an agent become final when a human says so. Findings and GOLD have a curator, whose decision can't be bypassed. */
const finalise = (board: Board, facts: Facts, command: CommandOf<'memory.finalise'>): Decision => {
  if (!isHuman(facts.actor)) return reject('human-only', { actor: facts.actor.id });
  if (command.episodes.length === 0 || command.episodes.length > MOST_AT_ONCE)
    return reject('too-many-or-none', { field: 'episodes', most: MOST_AT_ONCE });
  const episodes = new Map<string, Episode>();
  for (const text of command.episodes) {
    const episode = episodeCalled(board, text);
    if (episode === null) return reject('unknown-episode', { asked: cutText(text, 100) });
    const ref = refOfEpisode(board, episode.id);
    if (episode.isSuperseded) return reject('episode-superseded', { ref, why: episode.why ?? '' });
    if (episode.finding !== null || episode.gold !== null) return reject('curators-word', { ref, of: episode.gold === null ? 'finding' : 'gold' });
    episodes.set(episode.id, episode);
  }
  const open = [...episodes.values()].filter(({ isProvisional }) => isProvisional);
  if (open.length === 0) return reject('final-already', { episodes: [...episodes.keys()].map((id) => refOfEpisode(board, id)) });
  for (const { sourceSidebar } of open) {
    const allowed = sourceSidebar === null ? ok(null) : asParticipant(board, sourceSidebar, facts.actor);
    if (!allowed.ok) return allowed;
  }
  return ok(open.map((episode) => happen(facts, 'episodic.finalised', contextOf(board, episode), { episode: episode.id })));
};

/** Where an episode was kept. Messages outside of sidebars belong to the board. */
const contextOf = (board: Board, { sourceSidebar }: Episode): string => board.sidebars.get(sourceSidebar ?? '')?.contextId ?? BOARD_CONTEXT;

/** An episode by its reference or id. */
const episodeCalled = (board: Board, text: string): Episode | null => {
  const read = parseRef(text);
  if (!read.ok || read.value.kind !== 'item') return board.episodes.get(text.trim()) ?? null;
  const item = itemNamed(board, read.value);
  return item?.type === 'EPISODE' ? item.episode : null;
};

/** MEM-16: the present confidence in something, with the reason. It doesn't change what was said, nor what a curator judges. */
const setConfidence = (board: Board, facts: Facts, command: CommandOf<'confidence.set'>): Decision => {
  const subject = subjectOf(board, facts, command.about);
  if (!subject.ok) return subject;
  const { ref: about } = subject.value;
  const sidebarId = subject.value.kind === 'finding' ? subject.value.sidebar.id : sidebarIdOfContext(subject.value.contextId);
  const place = sidebarId === null ? ok(null) : working(board, sidebarId, facts.actor);
  if (!place.ok) return place;
  const { confidence } = command;
  if (!isShare(confidence)) return reject('not-a-share', { field: 'confidence', of: null });
  const reason = worded('reason', command.reason);
  if (!reason.ok) return reason;
  const was = board.confidences.get(about)?.confidence ?? null;
  if (was === confidence) return reject('nothing-to-change', { in: 'confidence' });
  const contextId = subject.value.kind === 'said' ? subject.value.contextId : subject.value.sidebar.contextId;
  return ok([happen(facts, 'confidence.set', contextId, { about, confidence, was, reason: reason.value })]);
};

export const memoryCommands = {
  'memory.archive': archive,
  'memory.finalise': finalise,
  'confidence.set': setConfidence,
} satisfies Deciders<FamilyCommand<'memory'>>;

const MOST_AT_ONCE = 50;
/** An episode points at its source; this much of the text is included for searching and reading. */
const MOST_CONTENT = 4000;
