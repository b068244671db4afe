import { WrongResult } from '../measure/run.ts';
import { asker, openAt } from './home.ts';
import type { StartOrder, StartRun } from './job.ts';

/** Opens a board in this process, which has opened none before, until it has answered something. */
export const measureStart = async ({ folder, programs, sidebars }: StartOrder): Promise<StartRun> => {
  const startedAt = performance.now();
  const board = await openAt(folder, programs);
  const opened = performance.now() - startedAt;
  const page = await asker(board)<{ readonly items: readonly unknown[] }>('GET', '/sidebars?limit=1');
  const answered = performance.now() - startedAt;
  const found = board.engine.board().sidebars.size();
  const { heapUsed } = process.memoryUsage();
  await board.close();
  if (found !== sidebars || page.items.length !== Math.min(1, sidebars))
    throw new WrongResult(`a board of ${sidebars} sidebars has ${found}; delete ${folder} if it was made by another version`);
  return { opened, answered, heapBytes: heapUsed };
};
