import { sentenceOf } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';

/** An event in the board's wire format: a type, and fields under their wire names. */
export type Told = Readonly<Record<string, unknown>>;

/** One line per event. */
export const eventLine = (event: Told): string => printableLine(sentenceOf(event));
