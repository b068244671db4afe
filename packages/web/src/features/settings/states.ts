import type { InsideOutput } from '@yarnboard/protocol';

/** What the server does with new files, in a word. */
export const STATES = {
  importing: 'Importing',
  watching: 'Watching',
  stuck: 'Stuck',
  stopped: 'Not watching',
} as const satisfies Record<InsideOutput<'status'>['state'], string>;
