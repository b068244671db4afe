import type { InsideOutput } from '@yarnboard/protocol';

export type AgentView = InsideOutput<'agents'>['items'][number];
