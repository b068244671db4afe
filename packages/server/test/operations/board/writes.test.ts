import { sidebarOf } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { writesIn } from '../../../src/engine/writes.ts';
import { makeBoard } from '../boards.ts';
import { prompt, reply, result, use } from '../records.ts';

const SESSION = '11111111-0000-4000-8000-000000000012';

test('[AUTO-12] what a finding cites counts as written where a tool wrote for it: by message, by exchange and through a citation', async () => {
  const board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [
        prompt('p1', null, 0, 'Is the loom on?'),
        reply('r1', 'p1', 1, 'It is.'),
        prompt('p2', 'r1', 2, 'Switch it off.'),
        reply('u2', 'p2', 3, [use('t2', 'Edit', { ['file_path']: '/loom.conf', ['old_string']: 'on', ['new_string']: 'off' })]),
        result('x2', 'u2', 4, 't2', 'done'),
        reply('r2', 'x2', 5, 'It is off.'),
        prompt('p3', 'r2', 6, 'Thanks.'),
      ],
    },
  });
  const { ref: sidebar } = await board.command('sidebar_spawn', { parent_id: SESSION, task_description: 'Look after the loom' });
  const { refs } = await board.command('citation_created', { sidebar_id: sidebar, source: 'EXCH-2' });
  const citation = refs.find((one) => one.startsWith('CITE-')) ?? '';
  const written = async (source: string): Promise<readonly string[]> => {
    await board.command('scratchpad_entry_submitted', { sidebar_id: sidebar, content: `Found in ${source}.`, source_refs: [source] });
    const { engine, store } = board.board;
    const row = sidebarOf(engine.board(), sidebar ?? '');
    return row === null ? [] : writesIn(store, engine.board(), row);
  };
  expect(await written('EXCH-1')).toEqual([]);
  expect(await written('EXCH-3')).toEqual([]);
  expect(await written(citation)).toEqual(['EXCH-2']);
  expect(await written('MSG-4')).toEqual(['EXCH-2', 'MSG-4']);
});
