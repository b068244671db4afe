import type { SeatEvent } from '@yarnboard/protocol';
import { quotedLines } from './quoting.ts';

/** Puts a turn's events into words, for the model and the transcript. */
export const promptOf = (events: readonly SeatEvent[]): string =>
  events
    .map(({ from, kind, text, refs }) => `${from} (${kind}${refs.length === 0 ? '' : `, ${refs.join(', ')}`}):\n${quotedLines(text)}`)
    .join('\n\n');

/** The first thing a program is told: who it is, from its `hello`. */
export const openingOf = (hello: Readonly<Record<string, unknown>>): string => {
  const { agent_id: agent, sidebar_id: sidebar, instructions } = hello;
  const own = typeof instructions === 'string' && instructions !== '' ? `${instructions}\n\n` : '';
  return `You are ${String(agent)} and take part in ${String(sidebar)}: that is the sidebar_id of your tools.\n\n${own}`;
};

/** Estimates tokens from characters for programs that don't report usage, so that their budgets still apply. */
export const tokensOfText = (characters: number): number => Math.ceil(characters / 4);
