import { fileURLToPath } from 'node:url';
import { readRuntimes, type OutputOf, type RuntimeSettings } from '@yarnboard/protocol';
import { makeBoard, type TestBoard } from '../operations/boards.ts';

export const EXAMPLE = fileURLToPath(new URL('../../../../examples/stdio-agent.mjs', import.meta.url));
const SCRIPTED = fileURLToPath(new URL('./scripted-agent.mjs', import.meta.url));

export const runtimesOf = (given: object): readonly RuntimeSettings[] => {
  const read = readRuntimes(given);
  if (!read.ok) throw new Error(read.error);
  return read.value;
};

const RUNTIMES = runtimesOf({
  echo: { kind: 'stdio', command: [process.execPath, EXAMPLE] },
  scripted: { kind: 'stdio', command: [process.execPath, SCRIPTED] },
  small: { kind: 'stdio', command: [process.execPath, EXAMPLE], limits: { turns: 1 } },
  silent: { kind: 'stdio', command: [process.execPath, '-e', 'process.stdin.resume()'], limits: { start_minutes: 0.002 } },
  broken: { kind: 'stdio', command: ['/nowhere/agent'] },
});

export const SETTINGS = { excludedProjects: [], roots: [], runtimes: RUNTIMES };

export const open = async (more: object = {}): Promise<TestBoard> => {
  const made = await makeBoard({ settings: SETTINGS, isImported: false, ...more });
  await made.board.seats.start();
  return made;
};

export const equip = async ({ command }: TestBoard, agent: string, input: object = {}): Promise<void> => {
  await command('agent_register', { agent_id: agent });
  await command('agent_runtime', { agent_id: agent, runtime: 'echo', ...input });
};

export const spawn = async ({ command }: TestBoard, task: string, participants: readonly string[]): Promise<string> =>
  (await command('sidebar_spawn', { parent_id: null, task_description: task, participants })).ref ?? '';

/** Looks again after every commit until it is so. */
export const until = async <T>({ board }: TestBoard, look: () => Promise<T | null> | T | null): Promise<T> => {
  for (;;) {
    const committed = new Promise<void>((resolve) => {
      const stop = board.engine.onCommitted(() => {
        stop();
        resolve();
      });
    });
    const found = await look();
    if (found !== null) return found;
    await committed;
  }
};

type Said = OutputOf<'sidebar_memory'>['items'][number];

export const saidBy = (made: TestBoard, sidebar: string, agent: string, count = 1): Promise<readonly Said[]> =>
  until(made, async () => {
    const { items } = await made.get('sidebar_memory', { sidebar_id: sidebar, part: 'local' });
    const said = items.filter(({ sender }) => sender === agent);
    return said.length >= count ? said : null;
  });

export const seatWhere = (made: TestBoard, sidebar: string, agent: string, fits: (seat: OutputOf<'seat'>) => boolean): Promise<OutputOf<'seat'>> =>
  until(made, async () => {
    const seat = await made.get('seat', { sidebar_id: sidebar, agent_id: agent }).catch(() => null);
    return seat !== null && fits(seat) ? seat : null;
  });
