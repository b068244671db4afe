import { equipmentOf, rowsOf } from '@yarnboard/domain';
import type { RuntimeSettings } from '@yarnboard/protocol';
import type { Engine } from '../../engine/engine.ts';
import { refuseMasks } from './refuse-masks.ts';
import { refusedFor } from './refusal.ts';

/** RT-69: replacement input for a seat's tool call, as JSON. The board decides what happens to unknown or already answered requests. */
export const changedInput = (
  { engine, runtimes }: { readonly engine: Pick<Engine, 'board'>; readonly runtimes: { readonly settings: readonly RuntimeSettings[] } },
  request: string,
  input: Readonly<Record<string, unknown>>,
): string => {
  const board = engine.board();
  const asked = rowsOf(board.permissions)
    .flat()
    .find(({ id }) => id === request);
  const written = JSON.stringify(input);
  if (written.length > MOST_INPUT) throw refusedFor('input-too-long', { length: written.length, most: MOST_INPUT });
  if (asked === undefined || asked.outcome !== null) return written;
  const { runtime } = equipmentOf(board, asked.agent);
  if (runtimes.settings.find(({ name }) => name === runtime)?.kind === 'acp') throw refusedFor('input-unchangeable', { agent: asked.agent });
  refuseMasks('updated_input', JSON.parse(asked.input), input);
  return written;
};

/** The same limit as for a request (RT-50). */
const MOST_INPUT = 150_000;
