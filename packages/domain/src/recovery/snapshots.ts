import { loadOf } from '../agents/seats.ts';
import type { Board } from '../board/state.ts';
import { refOfContext } from '../sidebar/evolve.ts';
import { isEnded } from '../sidebar/lifecycle.ts';
import type { Sidebar } from '../sidebar/state.ts';
import type { EmergencyDocument, SidebarSnapshot } from './document.ts';

/** What a snapshot needs besides the board. */
export type SnapshotFacts = {
  readonly timeOf: (at: number) => string;
  /** The messages of a sidebar that are available without the log, oldest first. */
  readonly wordsOf: (sidebar: Sidebar) => SidebarSnapshot['localMemory']['items'];
};

/** REC-3: every sidebar that hasn't ended, with every field of the model, and its scratchpad. */
export const snapshotsOf = (board: Board, facts: SnapshotFacts): Pick<EmergencyDocument, 'sidebarSnapshots' | 'scratchpadStates'> => {
  const open = [...board.sidebars.entries()].map(([, sidebar]) => sidebar).filter(({ status }) => !isEnded(status));
  return {
    sidebarSnapshots: Object.fromEntries(open.map((sidebar) => [nameOf(sidebar), snapshotOf(board, sidebar, facts)])),
    scratchpadStates: Object.fromEntries(open.map((sidebar) => [nameOf(sidebar), sidebar.scratchpad])),
  };
};

const nameOf = ({ ref, id }: Sidebar): string => ref || id;

const snapshotOf = (board: Board, sidebar: Sidebar, { timeOf, wordsOf }: SnapshotFacts): SidebarSnapshot => {
  const named = (id: string): string => board.sidebars.get(id)?.ref || id;
  const items = wordsOf(sidebar);
  const agents = sidebar.participants.map((id) => [id, capabilityOf(board, id)] as const);
  return {
    sidebarId: nameOf(sidebar),
    uuid: sidebar.id,
    parentContextId: refOfContext(board, sidebar.parent),
    childSidebarIds: sidebar.children.map(named),
    forkedFrom: sidebar.forkedFrom === null ? null : named(sidebar.forkedFrom),
    participants: sidebar.participants,
    coordinatorAgent: sidebar.coordinator,
    agentCapabilities: Object.fromEntries(agents),
    inheritedMemory: placeOf(board, sidebar),
    localMemory: { partial: items.length < sidebar.messages, messages: sidebar.messages, items },
    dataRefs: sidebar.dataRefs,
    crossSidebarRefs: sidebar.crossRefs,
    status: sidebar.status,
    priority: sidebar.priority,
    createdAt: timeOf(sidebar.createdAt),
    lastActivity: timeOf(sidebar.lastActivity),
    successCriteria: sidebar.successCriteria,
    failureReason: sidebar.failureReason,
  };
};

const capabilityOf = (board: Board, id: string): SidebarSnapshot['agentCapabilities'][string] => {
  const agent = board.agents.get(id);
  return {
    specialties: agent?.specialties ?? [],
    availability: agent?.presence ?? 'offline',
    currentLoad: loadOf(board, id),
    preferredCollaborators: agent?.preferredCollaborators ?? [],
  };
};

const placeOf = (board: Board, { origin }: Sidebar): SidebarSnapshot['inheritedMemory'] => {
  if (origin.kind === 'none') return null;
  const contextId = origin.kind === 'session' ? origin.sessionId : board.sidebars.get(origin.sidebarId)?.ref || origin.sidebarId;
  return { contextId, leafUuid: origin.kind === 'session' ? origin.leafUuid : null, position: origin.upTo ?? 0 };
};
