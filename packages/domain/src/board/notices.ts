import { isSomebody } from './references.ts';
import { OPERATOR } from '../actors.ts';
import { cutText } from '../policies/cutting.ts';
import { findingOf } from '../scratchpad/state.ts';
import { isEnded } from '../sidebar/lifecycle.ts';
import { comparedWith } from '../sidebar/relations.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { linked } from './links.ts';
import type { Board, Notice } from './state.ts';
import { rowsOf } from './tables.ts';
import { definitionOf, type EventType, type Recorded } from '../messages/catalogue.ts';
import { wishOf } from '../messages/proposals.ts';
import type { Surroundings } from '../messages/telling.ts';
import { sidebarIdOfContext } from '../messages/values.ts';

/** The sidebar in which an event happens, in its present state. */
export const homeOf = (board: Board, { contextId, type, uuid }: Pick<Recorded, 'contextId' | 'type' | 'uuid'>): Sidebar | null =>
  board.sidebars.get(type === 'sidebar.spawned' ? uuid : (sidebarIdOfContext(contextId) ?? '')) ?? null;

/** NOTE-1: puts an event's notices into the inboxes of their recipients. Read notices leave the inbox; the log keeps them. */
export const giveNotice = (board: Board, event: Recorded, before: Sidebar | null): void => {
  const { by, position, at, contextId, refs: made } = event;
  const around = surroundingsOf(board, event, before);
  const where = around.sidebar === null || around.sidebar.ref === '' ? [] : [around.sidebar.ref];
  const told = new Set<string>();
  for (const { to, level, kind, text, refs = [...made, ...where] } of definitionOf<EventType>(event.type).tells(event.payload, around)) {
    const said = text.length <= MOST_SAID ? text : `${cutText(text, MOST_SAID)}…`;
    const notice: Notice = { position, at, kind, level, contextId, text: said, refs: [...new Set(refs)], from: by.id };
    for (const wanted of to) {
      // NOTE-4: if nobody is there to decide, the human does.
      const agent = isSomebody(board, wanted) ? wanted : level === 'escalate' ? OPERATOR.id : null;
      // NOTE-2: the actor needs no notice; and an event gives everyone one notice, the first that concerns them.
      if (agent === null || agent === by.id || told.has(agent)) continue;
      told.add(agent);
      board.notices.set(agent, [...(board.notices.get(agent) ?? []).slice(-(MOST_NOTICES - 1)), notice]);
    }
  }
};

/** NOTE-3: the log positions of somebody's unread notices, in order. */
export const toldAt = ({ notices }: Pick<Board, 'notices'>, agent: string): readonly number[] =>
  (notices.get(agent) ?? []).map(({ position }) => position);

const surroundingsOf = (board: Board, event: Recorded, before: Sidebar | null): Surroundings => {
  const sidebar = homeOf(board, event);
  const homeOfFinding = (id: string): Sidebar | null =>
    sidebar?.scratchpad.findings.some((finding) => finding.id === id) === true
      ? sidebar
      : (board.sidebars.get(linked(board, 'finding', id)[0] ?? '') ?? null);
  return {
    by: event.by,
    before,
    sidebar,
    sidebarOf: (id) => board.sidebars.get(id) ?? null,
    findingOf: (id) => {
      const home = homeOfFinding(id);
      return home === null ? null : findingOf(home.scratchpad, id);
    },
    conflictOf: (id) => sidebar?.scratchpad.conflicts.find((conflict) => conflict.id === id) ?? null,
    goldOf: (id) => board.golds.get(id) ?? null,
    mediaOf: (id) => board.media.get(id) ?? null,
    proposalOf: (id) => {
      const asked = before?.proposals.find((one) => one.id === id);
      return asked === undefined
        ? null
        : { by: asked.by, what: wishOf(asked.proposal, before === null || before.ref === '' ? 'the sidebar' : before.ref) };
    },
    workOf: (agent) => rowsOf(board.sidebars).filter(({ status, participants }) => !isEnded(status) && participants.includes(agent)),
    awaitedBy: (agent) =>
      (board.loads.get(agent)?.appeared ?? []).flatMap((id) => {
        const request = board.requests.get(id);
        return request === undefined ? [] : [{ by: request.by, sidebar: board.sidebars.get(request.sidebarId) ?? null }];
      }),
    noteOf: (request) => board.requests.get(request)?.note ?? null,
    peers: sidebar === null ? [] : comparedWith(board, sidebar).filter(({ status }) => status === 'TESTING'),
  };
};

// AGT-10: a member who never reads gets only the latest, in short; everything is on the log.
const MOST_NOTICES = 200;
const MOST_SAID = 1000;
