import type { SeatEvent } from '@yarnboard/protocol';

/** What a turn is about, as a model and the transcript have it. */
export const promptOf = (events: readonly SeatEvent[]): string =>
  events
    .map(({ from, kind, text, refs }) => `${from} (${kind}${refs.length === 0 ? '' : `, ${refs.join(', ')}`}):\n${text.replaceAll(/^/gmu, '> ')}`)
    .join('\n\n');

/** What a program is told of itself before anything else, from the `hello` it came with. */
export const openingOf = (hello: Readonly<Record<string, unknown>>): string => {
  const { agent_id: agent, sidebar_id: sidebar, instructions } = hello;
  const own = typeof instructions === 'string' && instructions !== '' ? `${instructions}\n\n` : '';
  return `You are ${String(agent)} and take part in ${String(sidebar)}: that is the sidebar_id of your tools.\n\n${own}`;
};

/** Whoever says nothing of its usage is counted by its characters, so that its budget holds all the same. */
export const tokensOfText = (characters: number): number => Math.ceil(characters / 4);
