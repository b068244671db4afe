import { isDecided, maskSecrets, sidebarIdOfContext, type Entry } from '@yarnboard/domain';
import type { OutputOf, Inside } from '@yarnboard/protocol';
import { proseOf, sourceTextOf, wholeTextOf, type SearchHit, type Snippet, type Store } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import { namedAs } from '../sessions/session-labels.ts';
import type { SessionLoader } from '../sessions/session-loader.ts';
import { timeOf } from '../sessions/session-view.ts';
import { takenBackAmong } from '../sessions/taken-back.ts';
import { namesOf } from './board/names.ts';
import { breathe, makeWay } from './request/breathing.ts';
import { behindSuccessors, standingOf } from './standing.ts';

export type HitNeeds = {
  readonly store: Pick<Store, 'log' | 'library' | 'search'>;
  readonly engine: Pick<Engine, 'board'>;
  readonly sessions: Pick<SessionLoader, 'load'>;
};

type HitView = Inside<OutputOf<'search'>>['items'][number];

/** Search hits with their place and standing (FIND-50). Superseded hits come after their successors. */
export const hitViews = async (
  { store: { log, library }, engine, sessions: loader }: HitNeeds,
  found: readonly SearchHit[],
  { snip, reveal }: { readonly snip: (text: string) => Snippet; readonly reveal: boolean },
  signal: AbortSignal,
): Promise<readonly HitView[]> => {
  await breathe(signal);
  const positions = found.map((hit) => hit.position);
  const [payloads, entries, messages, sessions] = await Promise.all([
    log.payloadsOf(positions),
    log.entriesAt(positions),
    library.messagesAt(positions),
    library.sessionsById([...new Set(found.map((hit) => hit.sessionId))]),
  ]);
  const takenBack = await takenBackAmong(loader, messages, sessions);
  const board = engine.board();
  const entryAt = new Map(entries.map((entry) => [entry.position, entry]));
  const standings = new Map(entries.map((entry) => [entry.position, standingOf(board, entry)]));
  const items: HitView[] = [];
  for (const [n, hit] of behindSuccessors(found, ({ position }) => standings.get(position)?.successor?.position ?? null).entries()) {
    await (n % HITS_AT_ONCE === HITS_AT_ONCE - 1 ? breathe(signal) : makeWay(signal));
    const entry = entryAt.get(hit.position);
    if (entry === undefined) continue;
    const bytes = payloads.get(hit.position) ?? null;
    const text = hit.by === 'meaning' ? passageOf(entry, bytes, hit) : reveal ? wholeTextOf(entry, bytes) : sourceTextOf(entry, bytes).text;
    const { snippet, highlights } = shownOf(snip(text), reveal);
    const message = messages.get(hit.position);
    const session = sessions.get(hit.sessionId);
    const standing = standings.get(hit.position);
    items.push({
      ref: entry.refs[0] ?? null,
      uuid: message?.uuid ?? (isDecided(entry.type) ? entry.uuid : null),
      position: hit.position,
      sessionId: namesOf(board).context(hit.sessionId),
      sessionTitle:
        (session === undefined ? null : namedAs(board, session.sessionId, session.title)) ??
        board.sidebars.get(sidebarIdOfContext(hit.sessionId) ?? '')?.task ??
        null,
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
      similarity: hit.similarity === undefined ? null : Math.round(hit.similarity * 1000) / 1000,
      marks: [...(standing?.marks ?? []), ...(takenBack.has(hit.position) ? (['taken-back'] as const) : [])],
      supersededBy: standing?.successor?.name ?? null,
    });
  }
  return items;
};

/** The passage that is similar in meaning to the query. */
const passageOf = (entry: Entry, bytes: Uint8Array | null, { passage }: SearchHit): string => {
  const prose = proseOf({ type: entry.type, note: entry.note, copyOf: null }, bytes === null ? null : Buffer.from(bytes));
  return prose.slice(passage?.from, passage?.to).trim();
};

/** How many texts to read, mask and cut before yielding to other work. */
const HITS_AT_ONCE = 16;

const shownOf = ({ text: snippet, highlights }: Snippet, reveal: boolean) => {
  const shown = reveal ? snippet : maskSecrets(snippet).text;
  // A harmless text may look like a secret once it is cut out. After masking, the highlight positions no longer fit.
  return { snippet: shown, highlights: shown === snippet ? highlights : [] };
};
