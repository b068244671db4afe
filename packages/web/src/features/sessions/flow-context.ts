import type { InsideOutput } from '@yarnboard/protocol';
import { createContext, useContext } from 'react';
import type { Step } from './flow-pages.ts';
import type { ShownPart } from './shown-part.ts';

export type SubAgent = InsideOutput<'sidechains'>['items'][number];

/** The actions available inside a conversation. This object stays the same while the conversation is shown. */
export type FlowDeeds = {
  readonly sessionId: string;
  readonly thread: string;
  readonly openAgent: (agentId: string) => void;
  /** Goes to a message of the session, in whichever conversation it is. */
  readonly show: (ref: string) => void;
  readonly takeBranch: (uuid: string) => void;
  /** Opens the dialog that starts a sidebar after a message. */
  readonly branchOff: (step: Step) => void;
  readonly pathOf: (step: Step) => string;
};

const NOTHING = (): void => {};

const DeedsContext = createContext<FlowDeeds>({
  sessionId: '',
  thread: 'main',
  openAgent: NOTHING,
  show: NOTHING,
  takeBranch: NOTHING,
  branchOff: NOTHING,
  pathOf: () => '/',
});

export const FlowDeedsProvider = DeedsContext.Provider;
export const useFlowDeeds = (): FlowDeeds => useContext(DeedsContext);

const AgentsContext = createContext<ReadonlyMap<string, SubAgent>>(new Map());

export const SubAgentsProvider = AgentsContext.Provider;
export const useSubAgent = (agentId: string): SubAgent | null => useContext(AgentsContext).get(agentId) ?? null;

/** The part of the requested step to show; a new object for every request. */
const ShownPartContext = createContext<ShownPart | null>(null);

export const ShownPartProvider = ShownPartContext.Provider;
/** The words searched for in the session, in lower case. */
const FoundWordsContext = createContext<readonly string[]>([]);

export const FoundWordsProvider = FoundWordsContext.Provider;
export const useFoundTexts = (): readonly string[] => useContext(FoundWordsContext);

export const useShownPart = (): ShownPart | null => useContext(ShownPartContext);

/** The sub-agent whose conversation is open next to the main one. */
const OpenAgentContext = createContext<string | null>(null);

export const OpenAgentProvider = OpenAgentContext.Provider;
export const useOpenAgent = (): string | null => useContext(OpenAgentContext);

/** Keeps what the reader has opened open when it scrolls out of view and back. */
const OpenedContext = createContext<Map<string, boolean> | null>(null);

export const OpenedProvider = OpenedContext.Provider;
export const useOpenedThings = (): Map<string, boolean> | null => useContext(OpenedContext);
