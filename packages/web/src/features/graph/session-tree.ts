import type { InsideOutput } from '@yarnboard/protocol';

export type TreeNode = InsideOutput<'tree'>['items'][number];

export type Sidechain = Pick<
  InsideOutput<'sidechains'>['items'][number],
  'agent' | 'agentId' | 'toolUseIds' | 'parentAgentId' | 'messages' | 'toolUses' | 'state'
>;

export type BranchPoint = InsideOutput<'branches'>['items'][number];

export type Trail = {
  /** What a record goes on after, where that is not the parent it names. */
  readonly joins: ReadonlyMap<string, string | null>;
  /** Records that leave the active path, or come back to it. */
  readonly turns: ReadonlySet<string>;
};

/** A session as its graph is made of it. */
export type SessionTree = {
  /** In order of the log, each uuid once. */
  readonly nodes: readonly TreeNode[];
  readonly sidechains: readonly Sidechain[];
  readonly branches: readonly BranchPoint[];
  /** The record that holds a tool use, by the id of the use. */
  readonly calls: ReadonlyMap<string, string>;
  /** Its newest prompt, reply or result. */
  readonly leafUuid: string | null;
  /** How the main thread is read, by the server's reading of it; null when nobody told. */
  readonly trail: Trail | null;
};

export const MAIN = 'main';

/** Counts what is done, so that a test can say how it grows. */
export type Tick = () => void;
export const NO_TICK: Tick = () => {};
