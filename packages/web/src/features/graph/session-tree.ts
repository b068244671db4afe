import type { InsideOutput } from '@yarnboard/protocol';

export type TreeNode = InsideOutput<'tree'>['items'][number];

export type Sidechain = Pick<
  InsideOutput<'sidechains'>['items'][number],
  'agent' | 'agentId' | 'toolUseIds' | 'parentAgentId' | 'messages' | 'toolUses' | 'state'
>;

export type BranchPoint = InsideOutput<'branches'>['items'][number];

export type Trail = {
  /** What a record continues, where that differs from the parent it names. */
  readonly joins: ReadonlyMap<string, string | null>;
  /** Records that leave the active path or return to it. */
  readonly turns: ReadonlySet<string>;
};

/** A session as the input of its graph. */
export type SessionTree = {
  /** In order of the log, each uuid once. */
  readonly nodes: readonly TreeNode[];
  readonly sidechains: readonly Sidechain[];
  readonly branches: readonly BranchPoint[];
  /** The record that holds a tool use, by the tool use's id. */
  readonly calls: ReadonlyMap<string, string>;
  /** Its newest prompt, reply or result. */
  readonly leafUuid: string | null;
  /** How the server reads the main thread; null if unknown. */
  readonly trail: Trail | null;
};

export const MAIN = 'main';

/** Counts steps, so that a test can tell how the work grows. */
export type Tick = () => void;
export const NO_TICK: Tick = () => {};
