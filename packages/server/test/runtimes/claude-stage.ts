import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRuntimes, type OutputOf } from '@yarnboard/protocol';
import { homeOf } from '../../src/home/home.ts';
import { makeBoard, makeFolder, type TestBoard, type TestBoardOptions } from '../operations/boards.ts';
import { scriptSdk, type ScriptedSdk } from './scripted-sdk.ts';

/** A program called `claude` that is played. */
export const playedClaude = (folder: string): string => {
  const path = join(folder, 'claude');
  const program = fileURLToPath(new URL('scripted-claude.ts', import.meta.url));
  writeFileSync(
    path,
    `#!/bin/sh\nexec '${process.execPath}' --conditions=yarnboard-source --import '${import.meta.resolve('tsx')}' '${program}' "$@"\n`,
    { mode: 0o755 },
  );
  return path;
};
export const SESSION = '11111111-0000-4000-8000-000000000001';

/** A session of somebody's: MSG-1 to MSG-4, of which the last two came later. */
const linesIn = (cwd: string): readonly object[] => {
  const said = (n: number, type: 'user' | 'assistant', text: string) => ({
    parentUuid: n === 1 ? null : uuid(n - 1),
    isSidechain: false,
    cwd,
    sessionId: SESSION,
    version: '2.1.325',
    type,
    message: {
      role: type,
      content: type === 'user' ? text : [{ type: 'text', text }],
      ...(type === 'user' ? {} : { id: `m${n}`, model: 'claude-opus-4-5' }),
    },
    uuid: uuid(n),
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
  });
  return [
    said(1, 'user', 'Why is ALPHA slow?'),
    said(2, 'assistant', 'BRAVO is cold'),
    said(3, 'user', 'LATER one'),
    said(4, 'assistant', 'LATER two'),
  ];
};
export const uuid = (n: number): string => `22222222-0000-4000-8000-00000000000${n}`;

export type Stage = TestBoard & { readonly sdk: ScriptedSdk; readonly cwd: string; readonly file: string; readonly reopen: () => Promise<Stage> };

export const stage = async (directories: (cwd: string) => readonly string[] = (cwd) => [cwd], kind = 'claude-sdk'): Promise<Stage> => {
  const folder = makeFolder();
  const cwd = join(folder, 'work');
  mkdirSync(cwd);
  const file = join(folder, 'projects', cwd.replaceAll(/[^0-9A-Za-z]/gu, '-'), `${SESSION}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    linesIn(cwd)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const runtimes = readRuntimes({ claude: { kind, directories: directories(cwd) } });
  if (!runtimes.ok) throw new Error(runtimes.error);
  const sdk = scriptSdk(folder);
  const options: TestBoardOptions = {
    home: homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder }),
    roots: [join(folder, 'projects')],
    settings: { excludedProjects: [], roots: [], runtimes: runtimes.value },
    env: { CLAUDE_CONFIG_DIR: folder, SECRET: 'not for seats', ...(kind === 'claude-cli' ? { YARNBOARD_CLAUDE: playedClaude(folder) } : {}) },
    loadSdk: async () => ({ ok: true, sdk: sdk.sdk, folder: '', version: null }),
    runGrace: 0,
  };
  const open = async (): Promise<Stage> => {
    const made = await makeBoard(options);
    await made.board.runs.recover(Promise.resolve());
    await made.board.seats.start();
    return { ...made, sdk, cwd, file, reopen: open };
  };
  const first = await open();
  await first.command('agent_register', { agent_id: 'sec' });
  await first.command('agent_runtime', { agent_id: 'sec', runtime: 'claude', instructions: 'Be brief.' });
  return first;
};

export const spawn = async ({ command }: Stage, parent: string | null): Promise<string> =>
  (await command('sidebar_spawn', { parent_id: parent, task_description: 'Look into the cache', participants: ['sec'] })).ref ?? '';

/** Looks again after every commit until it is so. */
export const seatWhere = async (made: Stage, sidebar: string, fits: (seat: OutputOf<'seat'>) => boolean): Promise<OutputOf<'seat'>> => {
  for (;;) {
    const committed = new Promise<void>((resolve) => {
      const stop = made.board.engine.onCommitted(() => {
        stop();
        resolve();
      });
    });
    const seat = await made.get('seat', { sidebar_id: sidebar, agent_id: 'sec' }).catch(() => null);
    if (seat !== null && fits(seat)) return seat;
    await committed;
  }
};

export const rested = (turns: number) => (seat: OutputOf<'seat'>) => seat.state === 'ready' && seat.turns.used === turns;
