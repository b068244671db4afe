import {
  activeFocus,
  agentIdOf,
  goldOf,
  isEnded,
  MOVES,
  relevanceScores,
  rowsOf,
  shownText,
  sidebarOf,
  STATUSES,
  hasWords,
  wordsOf,
  type Board,
  type Context,
  type Sidebar,
  stateTtl,
} from '@yarnboard/domain';
import { foreign, toWire, type InputOf } from '@yarnboard/protocol';
import type { Engine } from '../../engine/engine.ts';
import { hasInherited, readMemory, type MemoryCursor } from '../../engine/memory.ts';
import { latestPageOf, latestPageOfNewest, pageOf, readCursor, writeCursor } from '../request/cursor.ts';
import type { Asking } from '../request/asker.ts';
import { Refused, refusedFor } from '../request/refusal.ts';
import { agentOf, everybody } from './agents.ts';
import { actorOf, commandHandlers, type CommandNeeds } from './commands.ts';
import { showHistory, showObstacles, type AutoMergeNeeds } from './auto-merge.ts';
import { listClaims, showClaim, toVerify, type ClaimsNeeds } from './claims.ts';
import { LOCAL } from './claim-views.ts';
import { inboxView, reviewsFor } from './inbox.ts';
import { createEpisodeShelf } from './episode-shelf.ts';
import { createMarkShelf, type MarkShelf } from './mark-shelf.ts';
import { episodeView } from './item-views.ts';
import { episodeWish, showLayers, type LayersNeeds } from './layers.ts';
import { liveSidebarsOf, namesOf } from './names.ts';
import { recruitingHandlers, type RecruitingNeeds } from './recruiting.ts';
import { showBoard, type RowsNeeds } from './rows.ts';
import { mediaCalled, shownContent } from './media.ts';
import { agentView, archivedView, citationView, goldView, mediaView, scratchpadView, sidebarView, summaryView } from './views.ts';
import { listHistory, listValidators, type ValidationNeeds } from './validation.ts';
import { foundSidebar } from '../request/find-sidebar.ts';

export type BoardNeeds = CommandNeeds &
  RowsNeeds &
  ClaimsNeeds &
  AutoMergeNeeds &
  ValidationNeeds &
  LayersNeeds &
  RecruitingNeeds & { readonly engine: Pick<Engine, 'match' | 'memory'> };

const listSidebars = (needs: BoardNeeds, input: InputOf<'sidebars'>): object => {
  const board = needs.engine.board();
  const participant = input.participant === undefined ? null : agentIdOf(input.participant);
  const parent = input.parent_id === undefined ? null : (sidebarOf(board, input.parent_id)?.id ?? input.parent_id);
  const original = input.fork_of === undefined ? null : foundSidebar(board, input.fork_of).id;
  const words = input.text === undefined ? [] : wordsOf(input.text);
  const taskType = input.task_type === undefined ? null : shownText(input.task_type);
  const fits = (sidebar: Sidebar): boolean =>
    (input.status === undefined ? input.archived === true || sidebar.status !== 'ARCHIVED' : sidebar.status === input.status) &&
    (input.priority === undefined || sidebar.priority === input.priority) &&
    (participant === null || sidebar.participants.includes(participant)) &&
    (taskType === null || (sidebar.taskType !== null && shownText(sidebar.taskType) === taskType)) &&
    (input.fork === undefined || (sidebar.forkedFrom !== null) === input.fork) &&
    (original === null || sidebar.forkedFrom === original) &&
    (parent === null || isIn(parent, sidebar.parent) || (input.merged === true && isIn(parent, sidebar.mergedInto ?? sidebar.mergeTarget))) &&
    hasWords(sidebar, words);
  const all = rowsOf(board.sidebars).filter(fits);
  const { items, nextCursor } = latestPageOf(all, ({ id, lastPosition }) => ({ id, position: lastPosition }), input);
  return { items: items.map((sidebar) => summaryView(board, sidebar)), nextCursor };
};

const isIn = (wanted: string, context: Context | null): boolean =>
  context !== null && (context.kind === 'session' ? context.sessionId : context.sidebarId) === wanted;

const showMedia = async (needs: BoardNeeds, { media_id: id, content: isWanted, reveal }: InputOf<'media'>): Promise<object> => {
  const board = needs.engine.board();
  const media = mediaCalled(board, id);
  return mediaView(board, media, isWanted ? await shownContent(needs, media, reveal) : null);
};

const listMemory = async (needs: BoardNeeds, marks: MarkShelf, input: InputOf<'sidebar_memory'>): Promise<object> => {
  const board = needs.engine.board();
  const sidebar = foundSidebar(board, input.sidebar_id);
  const scores = relevanceScores(sidebar);
  const focus = new Set(activeFocus(sidebar));
  const names = namesOf(board);
  const after = readCursor<MemoryCursor>(input.cursor, ({ segment, position }) => Number.isSafeInteger(segment) && Number.isSafeInteger(position));
  const page = await readMemory(needs.engine.memory, board, sidebar, input.part, {
    limit: input.limit,
    after: after ?? undefined,
    isNewestFirst: input.order === 'newest',
  });
  const marked = input.part === 'inherited' ? marks.on(board, sidebar, needs.now()) : null;
  return {
    items: page.items.map((item) => {
      const about = marked === null ? LOCAL : marked(item.exchange, item.confidence);
      // Field by field: spreading costs more than everything else here, and a page has hundreds of items.
      const shown = {
        part: input.part,
        ref: item.ref,
        exchangeId: item.exchange,
        seq: item.position,
        timestamp: new Date(item.at).toISOString(),
        sender: item.sender,
        senderType: item.senderType,
        contextId: names.context(item.contextId),
        content: item.text,
        citations: item.citations,
        relevance: item.exchange === null ? null : (scores[item.exchange] ?? null),
        inFocus: item.exchange !== null && focus.has(item.exchange),
        originalConfidence: about.originalConfidence,
        inheritedFrom: about.inheritedFrom,
        inheritedAt: about.inheritedAt,
        localVerification: about.localVerification,
        localConfidence: about.localConfidence,
        effectiveConfidence: about.effectiveConfidence,
        mark: about.mark,
      };
      return item.amendedBy === null ? shown : { ...shown, amendedBy: item.amendedBy };
    }),
    nextCursor: page.next === null ? null : writeCursor(page.next),
  };
};

const matchGold = (needs: BoardNeeds, { text }: InputOf<'gold_match'>): object => {
  const board = needs.engine.board();
  return {
    matches: needs.engine.match(text).flatMap(({ gold, score, condition }) => {
      const found = board.golds.get(gold);
      return found === undefined ? [] : [{ gold: goldView(board, found), score, condition }];
    }),
  };
};

/** The handlers of all operations on sidebars, scratchpads, citations and agents. */
export const boardHandlers = (needs: BoardNeeds) => {
  const board = (): Board => needs.engine.board();
  const shelf = createEpisodeShelf();
  const marks = createMarkShelf();
  return {
    ...commandHandlers(needs),
    ...recruitingHandlers(needs),
    board: async (input: InputOf<'board'>, { asker }: Asking) => toWire(await showBoard(needs, input, asker.actor?.id ?? null)),
    sidebars: async (input: InputOf<'sidebars'>) => toWire(listSidebars(needs, input)),
    sidebar: async (input: InputOf<'sidebar'>) => toWire(sidebarView(board(), foundSidebar(board(), input.sidebar_id))),
    sidebar_memory: async (input: InputOf<'sidebar_memory'>) => toWire(await listMemory(needs, marks, input)),
    sidebar_archived: async (input: InputOf<'sidebar_archived'>) => {
      const sidebar = foundSidebar(board(), input.sidebar_id);
      const { archive } = sidebar;
      if (archive === null) throw new Refused('not-archived', `${sidebar.ref} is ${sidebar.status}, and only archived sidebars have an archive`);
      return toWire(archivedView(board(), { ...sidebar, archive }));
    },
    lifecycle: async () =>
      toWire({
        statuses: STATUSES.map((status) => ({ status, movesTo: MOVES[status], isEnded: isEnded(status) })),
        interventions: foreign(Object.fromEntries(board().interventions.entries())),
      }),
    scratchpad: async (input: InputOf<'scratchpad'>) => toWire(scratchpadView(board(), foundSidebar(board(), input.sidebar_id), input)),
    episodes: async (input: InputOf<'episodes'>) => {
      const wish = episodeWish(board(), input);
      await shelf.ready(board(), wish);
      const { items, nextCursor } = latestPageOfNewest((before, most) => shelf.newest(board(), wish, before, most), input);
      return toWire({ items: items.map((episode) => episodeView(board(), episode)), nextCursor });
    },
    memory: async (input: InputOf<'memory'>) => toWire(await showLayers(needs, shelf, input)),
    auto_merge_obstacles: async (input: InputOf<'auto_merge_obstacles'>) =>
      toWire(await showObstacles(needs, board(), foundSidebar(board(), input.sidebar_id))),
    auto_merge_history: async (input: InputOf<'auto_merge_history'>) => toWire(showHistory(board(), input)),
    claims: async (input: InputOf<'claims'>) => toWire(listClaims(board(), foundSidebar(board(), input.sidebar_id), input, needs.now())),
    claim: async (input: InputOf<'claim'>) => toWire(showClaim(board(), foundSidebar(board(), input.sidebar_id), input.claim_id, needs.now())),
    validators: async (_input: InputOf<'validators'>, asking: Asking) => toWire(await listValidators(needs, asking)),
    validation_history: async (input: InputOf<'validation_history'>) => toWire(listHistory(needs, input)),
    citations: async (input: InputOf<'citations'>) => {
      const of = input.sidebar_id === undefined ? null : foundSidebar(board(), input.sidebar_id).contextId;
      const all = rowsOf(board().citations).filter(({ contextId }) => of === null || contextId === of);
      const { items, nextCursor } = latestPageOf(all, (one) => one, input);
      return toWire({ items: items.map((citation) => citationView(board(), citation)), nextCursor });
    },
    citation: async ({ citation_id: id }: InputOf<'citation'>) => {
      const citation = board().citations.get(board().ids.get(id.toUpperCase()) ?? id);
      if (citation === undefined) throw refusedFor('not-on-board', { asked: id });
      return toWire(citationView(board(), citation));
    },
    media: async (input: InputOf<'media'>) => toWire(await showMedia(needs, input)),
    golds: async (input: InputOf<'golds'>) => {
      const all = rowsOf(board().golds).filter(({ status }) => input.status === undefined || status === input.status);
      const { items, nextCursor } = latestPageOf(all, (one) => one, input);
      return toWire({ items: items.map((gold) => goldView(board(), gold)), nextCursor });
    },
    gold_match: async (input: InputOf<'gold_match'>) => toWire(matchGold(needs, input)),
    gold: async ({ gold_id: id }: InputOf<'gold'>) => {
      const gold = goldOf(board(), id);
      if (gold === null) throw refusedFor('not-on-board', { asked: id });
      return toWire(goldView(board(), gold));
    },
    agents: async (input: InputOf<'agents'>) => {
      const { items, nextCursor } = pageOf(everybody(board()), input.limit, input.cursor);
      const live = liveSidebarsOf(board());
      return toWire({ items: items.map((agent) => agentView(board(), agent, live)), nextCursor });
    },
    agent: async ({ agent_id: id }: InputOf<'agent'>) => {
      const agent = agentOf(board(), agentIdOf(id));
      if (agent === null) throw refusedFor('unknown-agent', { agent: id });
      return toWire(agentView(board(), agent, liveSidebarsOf(board())));
    },
    inbox: async (_input: InputOf<'inbox'>, asking: Asking) => {
      const [now, position, { id }] = [board(), needs.engine.position(), actorOf(asking, undefined)];
      const reviews = await reviewsFor(now, id, (sidebar) => hasInherited(needs.engine.memory, now, sidebar));
      const open = await toVerify(needs.store.log, liveSidebarsOf(now)(id), id, needs.now(), stateTtl(now));
      return toWire(inboxView(now, id, position, { unscored: reviews, unverified: open, at: needs.now() }));
    },
  };
};
