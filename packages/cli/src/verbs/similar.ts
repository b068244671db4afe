import { withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { Refusal } from '../refusal.ts';
import { hitLines } from './search.ts';

/** `yarnboard similar REF`: finds similar entries. Exit code 1 without results. */
export const similar = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('similar', args, {
    ...BOARD_OPTIONS,
    json: { type: 'boolean', default: false },
    limit: { type: 'string' },
    standing: { type: 'boolean' },
  });
  const [ref] = positionals;
  if (ref === undefined || positionals.length > 1) throw new Refusal(2, 'similar to what? `yarnboard similar MSG-12`');
  return withBoard(placeOf(values, io), io, {}, async ({ call, board }) => {
    await board?.indexer.drain();
    const answer = await call('similar', { ref, limit: values.limit, standing: values.standing });
    const lines = answer.items.length === 0 ? ['nothing found'] : hitLines(answer.items, io);
    await io.out(values.json ? `${toJson({ version: 1, ...answer })}\n` : `${lines.join('\n')}\n`);
    return answer.items.length > 0 ? 0 : 1;
  });
};
