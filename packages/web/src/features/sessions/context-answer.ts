import type { InsideOutput } from '@yarnboard/protocol';

export type ContextAnswer = InsideOutput<'context'>;
