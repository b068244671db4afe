import type { Permission, PermissionRule } from '../agents/permission-state.ts';
import type { Equipment, SeatRun } from '../agents/seat-run.ts';
import type { Agent, Load, Request, Roster } from '../agents/state.ts';
import type { MergeRecord, TypeRecord } from '../auto-merge/state.ts';
import type { Citation, Gold, Media } from '../citations/state.ts';
import type { ValidationConfig, ValidationRun } from '../claims/validation-rows.ts';
import type { Confidence } from '../scratchpad/confidence.ts';
import type { Episode } from '../scratchpad/episodes.ts';
import type { SessionLabels } from './session-labels.ts';
import type { Sidebar } from '../sidebar/state.ts';
import type { AutoMergeConfig } from '../messages/auto-merge.ts';
import type { Level, NoticeKind } from '../messages/telling.ts';
import { createJournal, createTable, layerOver, type Table } from './tables.ts';

/** A notice that its recipient hasn't read yet. */
export type Notice = {
  readonly position: number;
  readonly at: number;
  readonly kind: NoticeKind;
  /** How much it asks of its recipient. */
  readonly level: Level;
  readonly contextId: string;
  readonly text: string;
  readonly refs: readonly string[];
  readonly from: string;
};

/**
 * Everything about sidebars, folded from the decided entries of the log. Tables are updated in place, entry by entry, since copying the board for
 * every message would cost as much as the board is large; their rows never change.
 */
export type Board = {
  readonly sidebars: Table<Sidebar>;
  readonly agents: Table<Agent>;
  /** One row: who has specialties. */
  readonly rosters: Table<Roster>;
  readonly golds: Table<Gold>;
  readonly citations: Table<Citation>;
  readonly media: Table<Media>;
  readonly episodes: Table<Episode>;
  /** Working memory's confidence in something, by its reference. */
  readonly confidences: Table<Confidence>;
  /** The id behind a reference: SB-n, FRAG-n, GOLD-n, CITE-n, MEDIA-n. */
  readonly ids: Table<string>;
  readonly notices: Table<readonly Notice[]>;
  /** How often the human had to intervene, by task type. */
  readonly interventions: Table<number>;
  /** The agent that has a token, by its hash. */
  readonly tokens: Table<string>;
  /** Who works on what and has which seats, by agent. */
  readonly loads: Table<Load>;
  readonly requests: Table<Request>;
  /** The open requests for a sidebar, and those that brought somebody into it. */
  readonly asked: Table<readonly string[]>;
  /** What makes agents act, by agent. */
  readonly equipment: Table<Equipment>;
  /** What the processes of seats did, by `seatKey`. */
  readonly seatRuns: Table<SeatRun>;
  /** Turns of agents in a row without anything coming of it, by sidebar. */
  readonly turnRows: Table<number>;
  /** The settings of automatic merging: one row, or none while they are unchanged. */
  readonly autoMergeConfig: Table<AutoMergeConfig>;
  /** The record of each task type, by its name. */
  readonly taskTypes: Table<TypeRecord>;
  /** Merges of sidebars with a type, by sidebar. */
  readonly mergeRecords: Table<MergeRecord>;
  /** Machine checks by id, in the order they arrived. */
  readonly validations: Table<ValidationRun>;
  /** One row: what machines may check by themselves. */
  readonly validationConfig: Table<ValidationConfig>;
  /** Permission requests of seats and recent answers, by `seatKey`. */
  readonly permissions: Table<readonly Permission[]>;
  /** What is allowed without asking, by agent. */
  readonly permissionRules: Table<readonly PermissionRule[]>;
  /** The operator's labels of sessions, by session id. */
  readonly sessionLabels: Table<SessionLabels>;
  /** See `links.ts`. */
  readonly links: Table<readonly string[]>;
};

export const emptyBoard = (): Board => {
  const journal = createJournal();
  return {
    sidebars: createTable(journal),
    agents: createTable(journal),
    rosters: createTable(journal),
    golds: createTable(journal),
    citations: createTable(journal),
    media: createTable(journal),
    episodes: createTable(journal),
    confidences: createTable(journal),
    ids: createTable(journal),
    notices: createTable(journal),
    interventions: createTable(journal),
    tokens: createTable(journal),
    loads: createTable(journal),
    requests: createTable(journal),
    asked: createTable(journal),
    equipment: createTable(journal),
    seatRuns: createTable(journal),
    turnRows: createTable(journal),
    autoMergeConfig: createTable(journal),
    taskTypes: createTable(journal),
    mergeRecords: createTable(journal),
    validations: createTable(journal),
    validationConfig: createTable(journal),
    permissions: createTable(journal),
    permissionRules: createTable(journal),
    sessionLabels: createTable(journal),
    links: createTable(journal),
  };
};

/** A board to try something out on: the underlying one isn't changed. */
export const tryOn = (board: Board): Board => {
  const journal = createJournal();
  return {
    sidebars: layerOver(board.sidebars, journal),
    agents: layerOver(board.agents, journal),
    rosters: layerOver(board.rosters, journal),
    golds: layerOver(board.golds, journal),
    citations: layerOver(board.citations, journal),
    media: layerOver(board.media, journal),
    episodes: layerOver(board.episodes, journal),
    confidences: layerOver(board.confidences, journal),
    ids: layerOver(board.ids, journal),
    notices: layerOver(board.notices, journal),
    interventions: layerOver(board.interventions, journal),
    tokens: layerOver(board.tokens, journal),
    loads: layerOver(board.loads, journal),
    requests: layerOver(board.requests, journal),
    asked: layerOver(board.asked, journal),
    equipment: layerOver(board.equipment, journal),
    seatRuns: layerOver(board.seatRuns, journal),
    turnRows: layerOver(board.turnRows, journal),
    autoMergeConfig: layerOver(board.autoMergeConfig, journal),
    taskTypes: layerOver(board.taskTypes, journal),
    mergeRecords: layerOver(board.mergeRecords, journal),
    validations: layerOver(board.validations, journal),
    validationConfig: layerOver(board.validationConfig, journal),
    permissions: layerOver(board.permissions, journal),
    permissionRules: layerOver(board.permissionRules, journal),
    sessionLabels: layerOver(board.sessionLabels, journal),
    links: layerOver(board.links, journal),
  };
};

/** The sidebar with this SB-n or id. */
export const sidebarOf = (board: Board, text: string): Sidebar | null => board.sidebars.get(board.ids.get(text.toUpperCase()) ?? text) ?? null;

export const goldOf = (board: Board, text: string): Gold | null => board.golds.get(board.ids.get(text.toUpperCase()) ?? text) ?? null;
