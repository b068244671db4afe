import { sidebarOf } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import { createSnipper, type SearchAnswer, type SearchFilters, type SearchHit } from '@yarnboard/store';
import { DIALECTS, dialectNamed } from '@yarnboard/transcript';
import type { Answer } from './request/answer.ts';
import { breathe, makeWay } from './request/breathing.ts';
import { instantOf, noCursor } from './request/cursor.ts';
import { findSession, sessionIdOf, type SessionNames } from './request/find-session.ts';
import { arrangedPage } from './arranged.ts';
import { byMeaning } from './request/by-meaning.ts';
import { findHidden, HIDDEN_CURSOR } from './find-hidden.ts';
import { hitViews, type HitNeeds } from './hits.ts';
import { refusedFor } from './request/refusal.ts';
import { holds, standingOf } from './standing.ts';

export type SearchNeeds = SessionNames & HitNeeds;

/** SEC-11, SEC-23: search results with their places. The index holds only masked texts, and snippets are cut from them. */
export const search = async (needs: SearchNeeds, input: InputOf<'search'>, signal: AbortSignal): Answer<'search'> => {
  const cursor = input.cursor ?? null;
  if (cursor !== null && !(input.reveal && HIDDEN_CURSOR.test(cursor)) && !/^(?:t?[nrlw]|[hs])\d{1,15}(?:-\d{1,3})?$/u.test(cursor))
    throw noCursor(cursor);
  const filters = await filtersOf(needs, input);
  // FIND-17: someone who types faster than the search runs has already dropped the earlier query.
  await breathe(signal);
  const asked = { text: input.q, filters, limit: input.limit, cursor, mode: input.mode, turn: () => makeWay(signal), signal };
  const find = (at: string | null, limit: number): Promise<SearchAnswer> => {
    const query = { ...asked, cursor: at, limit };
    return input.reveal ? findHidden(needs.store, query, signal) : byMeaning(() => needs.store.search.find(query));
  };
  const isWhole = input.reveal || input.standing;
  const answer = isWhole ? await find(cursor?.split('-')[0] ?? null, input.limit) : await arrangedPage(needs, find, cursor, input.limit);
  const coverage = answer.coverage ?? null;
  if (input.mode === 'semantic' && coverage === null) throw refusedFor('meaning-missing', {});
  const { hits, next } = input.standing ? await onlyStanding(needs, answer, input.limit, find) : answer;
  const snip = createSnipper(answer.asked, answer.alternatives);
  return {
    items: await hitViews(needs, hits, { snip, reveal: input.reveal }, signal),
    nextCursor: next,
    order: answer.order,
    corrected: toldOf(answer.corrected),
    loosened: answer.loosened === null ? null : { ...answer.loosened, widened: toldOf(answer.loosened.widened) },
    coverage,
    isComplete: answer.isComplete,
  };
};

/** FIND-52: keeps only hits that still hold, and reads on until the page is full. */
const onlyStanding = async (
  { store, engine }: SearchNeeds,
  first: SearchAnswer,
  limit: number,
  find: (cursor: string | null, limit: number) => Promise<SearchAnswer>,
): Promise<Pick<SearchAnswer, 'hits' | 'next'>> => {
  const kept: SearchHit[] = [];
  for (let { hits, next } = first, round = 1; ; round += 1) {
    const entries = await store.log.entriesAt(hits.map(({ position }) => position));
    const fallen = new Set(entries.flatMap((entry) => (holds(standingOf(engine.board(), entry)) ? [] : [entry.position])));
    kept.push(...hits.filter(({ position }) => !fallen.has(position)));
    if (next === null || kept.length >= limit || round === MOST_ROUNDS) return { hits: kept, next };
    ({ hits, next } = await find(next, limit - kept.length));
  }
};

const MOST_ROUNDS = 10;

const toldOf = (alternatives: SearchAnswer['corrected']) => Array.from(alternatives, ([word, instead]) => ({ word, instead }));

/** DIALECT-9: `tool` names a called tool such as Bash, or the session's program if it is the name of one. */
const toolFilter = ({ tool, session_tool: named }: InputOf<'search'>): Pick<SearchFilters, 'tool' | 'sessionTool'> => {
  const isProgram = tool !== undefined && dialectNamed(DIALECTS, tool) !== null;
  const program = named ?? (isProgram ? tool : undefined);
  return { ...(program === undefined ? {} : { sessionTool: program }), ...(tool === undefined || isProgram ? {} : { tool }) };
};

const filtersOf = async (needs: SearchNeeds, input: InputOf<'search'>): Promise<SearchFilters> => ({
  ...(input.project === undefined ? {} : { project: input.project }),
  ...(input.session === undefined
    ? {}
    : { sessionId: sidebarOf(needs.engine.board(), input.session)?.contextId ?? sessionIdOf(await findSession(needs, input.session)) }),
  ...(input.agent === undefined ? {} : { agent: input.agent }),
  ...(input.actor === undefined ? {} : { actor: input.actor }),
  ...toolFilter(input),
  ...(input.model === undefined ? {} : { model: input.model }),
  ...(input.since === undefined ? {} : { since: instantOf(input.since) }),
  ...(input.until === undefined ? {} : { until: instantOf(input.until, true) }),
  ...(input.min_cost_usd === undefined ? {} : { minCostUsd: input.min_cost_usd }),
  ...(input.has_error === undefined ? {} : { hasError: input.has_error }),
});
