import type { InsideOutput } from '@yarnboard/protocol';

export type ListedSession = InsideOutput<'sessions'>['items'][number];
