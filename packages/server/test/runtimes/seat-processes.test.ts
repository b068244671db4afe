import { fileURLToPath } from 'node:url';
import { OPERATOR } from '@yarnboard/domain';
import { readRuntimes } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { afterFile } from '../../../../tests/afterwards.ts';
import { homeOf } from '../../src/home/home.ts';
import { seatMarkBehind, type Processes } from '../../src/runtimes/seat-processes.ts';
import { startServer } from '../../src/index.ts';
import { makeFolder } from '../operations/boards.ts';

const THIEF = fileURLToPath(new URL('./thieving-agent.mjs', import.meta.url));

/** 10: the seat; 11: its child; 12: a child without the mark; 13: somebody else. Ports 4000 + pid lead to 80. */
const processes: Processes = {
  pids: () => [1, 10, 11, 12, 13],
  parentOf: (pid) => ({ 10: 1, 11: 10, 12: 11, 13: 1 })[pid] ?? null,
  markOf: (pid) => (pid === 10 || pid === 11 ? 'home/AGENT-ada/sb' : pid === 13 ? 'other/AGENT-ben/sb' : null),
  socketsOf: (pid) => ['/dev/null', `socket:[${pid}00]`],
  tables: () => [
    [10, 11, 12, 13]
      .map((pid) => ` 1: 0100007F:${(4000 + pid).toString(16).toUpperCase().padStart(4, '0')} 0100007F:0050 01 0:0 00:0 00000000 1000 0 ${pid}00 1`)
      .join('\n'),
  ],
};
const behind = (pid: number) => seatMarkBehind({ remotePort: 4000 + pid, localPort: 80 }, (mark) => mark.startsWith('home/'), processes);

test('[RT-59] a connection belongs to a seat when its process carries the mark of one of this home, or descends from one that does', () => {
  expect([10, 11, 12].map(behind)).toEqual(Array(3).fill('home/AGENT-ada/sb'));
  expect(behind(13)).toBeNull();
  expect(behind(14)).toBeNull();
  expect(seatMarkBehind({}, () => true, processes)).toBeNull();
});

test.runIf(process.platform === 'linux')(
  '[RT-59] a child of a seat that read the operator’s token is refused, and the operator is told',
  async () => {
    const folder = makeFolder();
    const home = homeOf({ env: { YARNBOARD_HOME: `${folder}/home`, YARNBOARD_STATE: `${folder}/state` }, home: folder });
    const read = readRuntimes({ thief: { kind: 'stdio', command: [process.execPath, THIEF, `${home.folder}/operator.token`] } });
    if (!read.ok) throw new Error(read.error);
    const server = await startServer({
      home,
      settings: { excludedProjects: [], roots: [], runtimes: read.value },
      roots: [],
      version: '0',
      programs: null,
      port: 0,
      onFault: () => {},
    });
    afterFile(() => server.close());
    const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
      const response = await fetch(`${server.url}/api/v1${path}`, {
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      return (await response.json()) as Record<string, unknown>; // looked at below
    };
    await ask('/agents', { agent_id: 'thief' });
    await ask('/agents/thief/runtime', { runtime: 'thief' });
    await ask('/sidebars', { parent_id: null, task_description: 'Steal', participants: ['thief'] });
    const told = async (): Promise<readonly { readonly level: string; readonly text: string }[]> =>
      ((await ask('/inbox')) as { readonly notices: readonly { readonly level: string; readonly text: string }[] }).notices;
    await expect
      .poll(told, { interval: 200 })
      .toContainEqual(expect.objectContaining({ level: 'escalate', text: 'AGENT-thief in SB-1 tried to act with your token and was refused' }));
    // What it tried did not happen.
    const { items } = (await ask('/agents')) as { readonly items: readonly { readonly agent_id: string }[] };
    expect(items.map(({ agent_id: id }) => id).filter((id) => id !== OPERATOR.id)).toEqual(['AGENT-thief']);
  },
);
