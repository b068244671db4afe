import { sentenceOf } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';

/** What happened, as the board tells it: a type, and fields under the names of the wire. */
export type Told = Readonly<Record<string, unknown>>;

/** One line about something that happened. */
export const eventLine = (event: Told): string => printableLine(sentenceOf(event));
