import { isDecided, maskSecrets, sidebarIdOfContext, sidebarOf, type Entry } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import {
  createSnipper,
  proseOf,
  sourceTextOf,
  wholeTextOf,
  type SearchAnswer,
  type SearchFilters,
  type SearchHit,
  type Snippet,
  type Store,
} from '@yarnboard/store';
import { DIALECTS, dialectNamed } from '@yarnboard/transcript';
import { timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { breathe, makeWay } from './request/breathing.ts';
import { instantOf, noCursor } from './request/cursor.ts';
import { namesOf } from './board/names.ts';
import { findSession, sessionIdOf, type SessionNames } from './request/find-session.ts';
import { findHidden, HIDDEN_CURSOR } from './find-hidden.ts';
import { refusedFor } from './request/refusal.ts';
import type { Engine } from '../engine/engine.ts';

export type SearchNeeds = SessionNames & { readonly store: Pick<Store, 'log' | 'library' | 'search'>; readonly engine: Pick<Engine, 'board'> };

/** SEC-11, SEC-23: what is found is told with where it stands. The index knows masked texts only, and snippets are cut from the same. */
export const search = async (needs: SearchNeeds, input: InputOf<'search'>, signal: AbortSignal): Answer<'search'> => {
  const { log, library } = needs.store;
  const cursor = input.cursor ?? null;
  if (cursor !== null && !(input.reveal && HIDDEN_CURSOR.test(cursor)) && !/^(?:t?[nrlw]|[hs])\d{1,15}$/u.test(cursor)) throw noCursor(cursor);
  const filters = await filtersOf(needs, input);
  // FIND-17: whoever types faster than is found has given up what was typed before.
  await breathe(signal);
  const asked = { text: input.q, filters, limit: input.limit, cursor, mode: input.mode, turn: () => makeWay(signal) };
  const answer = input.reveal ? await findHidden(needs.store, asked, signal) : await needs.store.search.find(asked);
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
  const board = needs.engine.board();
  const snip = createSnipper(answer.asked, answer.alternatives);
  for (const [n, hit] of answer.hits.entries()) {
    await (n % HITS_AT_ONCE === HITS_AT_ONCE - 1 ? breathe(signal) : makeWay(signal));
    const entry = entryAt.get(hit.position);
    if (entry === undefined) continue;
    const bytes = payloads.get(hit.position) ?? null;
    const text = hit.by === 'meaning' ? passageOf(entry, bytes, hit) : input.reveal ? wholeTextOf(entry, bytes) : sourceTextOf(entry, bytes).text;
    const { snippet, highlights } = shownOf(snip(text), input.reveal);
    const message = messages.get(hit.position);
    const session = sessions.get(hit.sessionId);
    items.push({
      ref: entry.refs[0] ?? null,
      uuid: message?.uuid ?? (isDecided(entry.type) ? entry.uuid : null),
      position: hit.position,
      sessionId: namesOf(board).context(hit.sessionId),
      sessionTitle: session?.title ?? board.sidebars.get(sidebarIdOfContext(hit.sessionId) ?? '')?.task ?? null,
      project: session?.project ?? null,
      tool: session?.tool ?? null,
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
    corrected: toldOf(answer.corrected),
    loosened: answer.loosened === null ? null : { ...answer.loosened, widened: toldOf(answer.loosened.widened) },
    coverage,
    isComplete: answer.isComplete,
  };
};

/** The passage that means something like what was asked for. */
const passageOf = (entry: Entry, bytes: Uint8Array | null, { passage }: SearchHit): string => {
  const prose = proseOf({ type: entry.type, note: entry.note, copyOf: null }, bytes === null ? null : Buffer.from(bytes));
  return prose.slice(passage?.from, passage?.to).trim();
};

/** How many texts are read, masked and cut at most before others have their turn. */
const HITS_AT_ONCE = 16;

const toldOf = (alternatives: SearchAnswer['corrected']) => Array.from(alternatives, ([word, instead]) => ({ word, instead }));

const shownOf = ({ text: snippet, highlights }: Snippet, reveal: boolean) => {
  const shown = reveal ? snippet : maskSecrets(snippet).text;
  // What was no secret in its place may look like one when it is cut out; then the places in it are no longer known.
  return { snippet: shown, highlights: shown === snippet ? highlights : [] };
};

/** DIALECT-9: `tool` is what was called, such as Bash, or the program of the session where it has the name of one. */
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
