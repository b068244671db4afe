import type { InsideOutput } from '@yarnboard/protocol';

export type TreeNode = InsideOutput<'tree'>['items'][number];

export type Sidechain = Pick<
  InsideOutput<'sidechains'>['items'][number],
  'agent' | 'agentId' | 'toolUseIds' | 'parentAgentId' | 'messages' | 'toolUses' | 'state'
>;

export type BranchPoint = InsideOutput<'branches'>['items'][number];

/** A session as its graph is made of it. */
export type SessionTree = {
  /** In order of the log, each uuid once. */
  readonly nodes: readonly TreeNode[];
  readonly sidechains: readonly Sidechain[];
  readonly branches: readonly BranchPoint[];
  /** The record that holds a tool use, by the id of the use. */
  readonly calls: ReadonlyMap<string, string>;
  /** Where the conversation goes on. */
  readonly leafUuid: string | null;
};

export const MAIN = 'main';

/** Counts what is done, so that a test can say how it grows. */
export type Tick = () => void;
export const NO_TICK: Tick = () => {};
