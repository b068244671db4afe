import { ENTRY_TYPES, isDecided, maskJson, maskSecrets, sidebarIdOfContext, sidebarOf, type Entry } from '@yarnboard/domain';
import type { JsonObject } from '@yarnboard/transcript';
import type { InputOf } from '@yarnboard/protocol';
import {
  createSnipper,
  parseQuery,
  proseOf,
  recordOf,
  recordTextOf,
  searchTextOf,
  sourceRecordOf,
  type SearchAnswer,
  type SearchFilters,
  type SearchHit,
  type Snippet,
  type Store,
} from '@yarnboard/store';
import { timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { breathe } from './request/breathing.ts';
import { instantOf, noCursor } from './request/cursor.ts';
import { namesOf } from './board/names.ts';
import { findSession, sessionIdOf, type SessionNames } from './request/find-session.ts';
import { maskedText } from './masked-text.ts';
import { refusedFor } from './request/refusal.ts';
import type { Engine } from '../engine/engine.ts';

export type SearchNeeds = SessionNames & { readonly store: Pick<Store, 'log' | 'library' | 'search'>; readonly engine: Pick<Engine, 'board'> };

/** SEC-11: what is found is told with where it stands, and masked before it is cut: half a secret is not recognised. */
export const search = async (needs: SearchNeeds, input: InputOf<'search'>, signal: AbortSignal): Answer<'search'> => {
  const { log, library } = needs.store;
  const cursor = input.cursor ?? null;
  if (cursor !== null && !/^(?:t?[nrlw]|[hs])\d{1,15}$/u.test(cursor)) throw noCursor(cursor);
  const filters = await filtersOf(needs, input);
  // FIND-17: whoever types faster than is found has given up what was typed before.
  await breathe(signal);
  const answer = await needs.store.search.find({ text: input.q, filters, limit: input.limit, cursor, mode: input.mode });
  const coverage = answer.coverage ?? null;
  if (input.mode === 'semantic' && coverage === null) throw refusedFor('meaning-missing', {});
  await breathe(signal);
  const positions = answer.hits.map((hit) => hit.position);
  const [payloads, entries, messages, sessions] = await Promise.all([
    log.payloadsOf(positions),
    log.entriesAt(positions),
    library.messagesAt(positions),
    library.sessionsById([...new Set(answer.hits.map((hit) => hit.sessionId))]),
  ]);
  const entryAt = new Map(entries.map((entry) => [entry.position, entry]));
  const items: Awaited<Answer<'search'>>['items'][number][] = [];
  const said = new Set<string>();
  const board = needs.engine.board();
  const look = lookerFor(answer);
  for (const [n, hit] of answer.hits.entries()) {
    if (n % HITS_AT_ONCE === HITS_AT_ONCE - 1) await breathe(signal);
    const entry = entryAt.get(hit.position);
    if (entry === undefined) continue;
    const bytes = payloads.get(hit.position) ?? null;
    const isByMeaning = hit.by === 'meaning';
    const { text, isMasked } = isByMeaning ? passageOf(entry, bytes, hit) : textOf(entry, bytes, input.reveal);
    // Whoever may not see a secret must not learn it by asking whether it is there. What something means was read from masked text.
    if (isMasked && !isByMeaning && !look.isVisible(text, hit.covered)) continue;
    for (const word of look.wordsSaid(text, said)) said.add(word);
    const { snippet, highlights } = shownOf(look.snip(text), input.reveal);
    const message = messages.get(hit.position);
    const session = sessions.get(hit.sessionId);
    items.push({
      ref: entry.refs[0] ?? null,
      uuid: message?.uuid ?? (isDecided(entry.type) ? entry.uuid : null),
      position: hit.position,
      sessionId: namesOf(board).context(hit.sessionId),
      sessionTitle: session?.title ?? board.sidebars.get(sidebarIdOfContext(hit.sessionId) ?? '')?.task ?? null,
      project: session?.project ?? null,
      agentId: hit.agentId,
      type: message?.type ?? entry.type,
      role: message?.role ?? null,
      actor: entry.senderType,
      timestamp: timeOf(entry.timestamp),
      snippet,
      highlights,
      score: hit.score,
      by: hit.by ?? 'words',
      near: hit.near ?? null,
    });
  }
  return {
    items,
    nextCursor: answer.next,
    order: answer.order,
    corrected: toldOf(answer.corrected, input.reveal, said),
    loosened:
      answer.loosened === null
        ? null
        : { ...answer.loosened, widened: toldOf(answer.loosened.widened, input.reveal, said).filter(({ instead }) => instead.length > 0) },
    coverage,
    isComplete: answer.isComplete,
  };
};

/** The passage that means something like what was asked for. */
const passageOf = (entry: Entry, bytes: Uint8Array | null, { passage }: SearchHit): { readonly text: string; readonly isMasked: boolean } => {
  const prose = proseOf({ type: entry.type, note: entry.note, copyOf: null }, bytes === null ? null : Buffer.from(bytes));
  return { text: prose.slice(passage?.from, passage?.to).trim(), isMasked: true };
};

/** How many texts are read, masked and cut before others have their turn. */
const HITS_AT_ONCE = 16;

type Alternatives = SearchAnswer['corrected'];

/** Words of secrets are in the vocabulary too: only those that can be seen in what was found are told. */
const toldOf = (alternatives: Alternatives, reveal: boolean, said: ReadonlySet<string>) =>
  Array.from(alternatives, ([word, instead]) => ({ word, instead: instead.filter((other) => reveal || said.has(other)) }));

/** What an entry is found by, masked as a whole: in a piece a secret may lack its beginning, and in plain text the key that gives it away. */
const textOf = (entry: Entry, bytes: Uint8Array | null, reveal: boolean): { readonly text: string; readonly isMasked: boolean } => {
  if (isDecided(entry.type)) {
    const said = sourceRecordOf(entry, bytes);
    const text = said === null ? '' : recordTextOf(entry.type, said);
    const shown = reveal ? text : maskedText(text);
    return { text: shown, isMasked: shown !== text };
  }
  const record = entry.type === ENTRY_TYPES.companion ? null : recordOf(entry, bytes);
  if (record === null) {
    const text = Buffer.from(bytes ?? []).toString('utf8');
    const shown = reveal ? text : maskedText(text);
    return { text: shown, isMasked: shown !== text };
  }
  if (reveal) return { text: searchTextOf(record), isMasked: false };
  const shown = maskJson(record) as JsonObject; // same shape, other texts
  return { text: searchTextOf(shown), isMasked: shown !== record };
};

/** What is asked of every text of an answer, made ready once. */
const lookerFor = ({ asked, alternatives, corrected }: SearchAnswer) => {
  const wanted = asked.clauses.filter(({ negated }) => !negated).map((clause) => createSnipper({ clauses: [clause] }, alternatives));
  const others = [...new Set([...alternatives.values(), ...corrected.values()].flat())].map((word) => ({
    word,
    snip: createSnipper(parseQuery(word)),
  }));
  return {
    snip: createSnipper(asked, alternatives),
    /** Whether everything can be seen that the text was found by: all of the query, or as much as it has of one that was asked less strictly. */
    isVisible: (text: string, covered: number = wanted.length): boolean =>
      wanted.filter((snip) => snip(text).highlights.length > 0).length >= Math.min(covered, wanted.length),
    wordsSaid: (text: string, known: ReadonlySet<string>): readonly string[] =>
      others.filter(({ word, snip }) => !known.has(word) && snip(text).highlights.length > 0).map(({ word }) => word),
  };
};

const shownOf = ({ text: snippet, highlights }: Snippet, reveal: boolean) => {
  const shown = reveal ? snippet : maskSecrets(snippet).text;
  // What was no secret in its place may look like one when it is cut out; then the places in it are no longer known.
  return { snippet: shown, highlights: shown === snippet ? highlights : [] };
};

const filtersOf = async (needs: SearchNeeds, input: InputOf<'search'>): Promise<SearchFilters> => ({
  ...(input.project === undefined ? {} : { project: input.project }),
  ...(input.session === undefined
    ? {}
    : { sessionId: sidebarOf(needs.engine.board(), input.session)?.contextId ?? sessionIdOf(await findSession(needs, input.session)) }),
  ...(input.agent === undefined ? {} : { agent: input.agent }),
  ...(input.actor === undefined ? {} : { actor: input.actor }),
  ...(input.tool === undefined ? {} : { tool: input.tool }),
  ...(input.model === undefined ? {} : { model: input.model }),
  ...(input.since === undefined ? {} : { since: instantOf(input.since) }),
  ...(input.until === undefined ? {} : { until: instantOf(input.until, true) }),
  ...(input.min_cost_usd === undefined ? {} : { minCostUsd: input.min_cost_usd }),
  ...(input.has_error === undefined ? {} : { hasError: input.has_error }),
});
