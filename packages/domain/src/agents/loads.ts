import type { Board } from '../board/state.ts';

/** LOAD-1: the place of an agent in one sidebar. It counts while work goes on there and the agent is there to do it. */
export type Seat = {
  readonly agentId: string;
  /** AGENT-name#1, AGENT-name#2, …: a copy of the agent. */
  readonly instanceId: string;
  readonly sidebarId: string;
  /** When it was taken. */
  readonly since: number;
};

/** What somebody works on. An index: all of it follows from sidebars and agents. */
export type Load = {
  /** The sidebars that would take a seat, in the order in which they began to. The operator may take part in all there are: they are only counted. */
  readonly work: readonly string[];
  readonly seats: readonly Seat[];
  readonly count: number;
  /** Requests that wait for a seat, in the order in which they will get one. */
  readonly queue: readonly string[];
  /** Requests that wait for its word. */
  readonly asked: readonly string[];
  /** Sidebars that Yarnboard paused to make room for something else of this agent. */
  readonly paused: readonly string[];
  /** Requests by which it was recruited while it was away, and those whose requesters are told now that it is there. */
  readonly awaited: readonly string[];
  readonly appeared: readonly string[];
};

export const loadRow = ({ loads }: Pick<Board, 'loads'>, agentId: string): Load => loads.get(agentId) ?? NO_LOAD;

export const NO_SEATS: readonly Seat[] = [];
const NO_LOAD: Load = { work: [], seats: NO_SEATS, count: 0, queue: [], asked: [], paused: [], awaited: [], appeared: [] };
