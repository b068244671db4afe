import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { expectWhole, until } from './home.ts';
import { makeStage, type Stage } from './live-stage.ts';
import { PATIENCE } from './patience.ts';
import { agentCommand, isWell, processesWith, saidByWeaver, startWeaver, waitingFor, weaversSeat } from './seat-stage.ts';
import { diskFor, fill, isSkipped, mount } from './small-disk.ts';

const post = ({ at, token }: Stage, content: string): Promise<Response> =>
  fetch(`${at()}/api/v1/sidebars/SB-1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  });

/** A seat that has said two of its six words, and waits for `goOn`. */
type Talking = { readonly goOn: () => void; readonly said: readonly string[]; readonly gate: string; readonly pid: number };

const talking = async (stage: Stage): Promise<Talking> => {
  const gate = join(stage.home.folder, 'go-on');
  const runtimes = { lines: { kind: 'stdio', command: agentCommand('talking', gate) } };
  // A disk that is slow is none that is away.
  await startWeaver(stage, { runtimes, emergency: { write_timeout_seconds: 60, reserve_bytes: 1024 * 1024 } });
  const [first = ''] = await until(async () => {
    const said = await saidByWeaver(stage);
    return said.length === 2 ? said : null;
  });
  const about = first.replace('word 1 ', '');
  return {
    gate,
    pid: processesWith(gate)[0] ?? 0,
    goOn: () => writeFileSync(gate, ''),
    said: [...[1, 2, 3, 4, 5, 6].map((n) => `word ${n} ${about}`), `that was ${about}`],
  };
};

/** Everything was said once and in order, by a program that was never started again, and the seat goes on as before. */
const expectSaid = async (stage: Stage, { said, gate, pid }: Talking): Promise<void> => {
  await until(async () => ((await isWell(stage)) ? true : null));
  await until(async () => ((await saidByWeaver(stage)).length >= said.length && (await weaversSeat(stage)).state === 'ready' ? true : null));
  expect(await saidByWeaver(stage)).toEqual(said);
  expect(await weaversSeat(stage)).toMatchObject({ turns: { used: 1 } });
  expect(processesWith(gate)).toEqual([pid]);
  await stage.ask('chat_message', { sidebar_id: 'SB-1', content: '@weaver and the shuttle?' });
  await until(async () => ((await saidByWeaver(stage)).length === 2 * said.length ? true : null));
  expect(await stage.end('SIGTERM')).toBe(0);
  const store = await stage.home.open();
  expect(await expectWhole(store)).toBeGreaterThan(0);
  await store.close();
};

test.skipIf(isSkipped)('[RT-68] the disk is full while a seat talks: nothing it says is lost or doubled', async () => {
  const stage = await makeStage();
  const folders = [join(stage.home.folder, 'home'), join(stage.home.folder, 'state')];
  const releases = folders.map((folder) => diskFor(folder, '64m'));
  try {
    const seat = await talking(stage);
    for (const folder of folders) fill(folder);
    // A full disk still has room in files that are there already.
    for (let status = 200; status !== 202; { status } = await post(stage, 'and more '.repeat(2000))) expect(status).toBe(200);
    seat.goOn();
    // The word above, four of its words, its last ones, and that its turn is over.
    await until(async () => ((await waitingFor(stage)) >= 7 ? true : null));
    for (const folder of folders) mount('-o', 'remount,size=256m', folder);
    await expectSaid(stage, seat);
  } finally {
    for (const release of releases) release();
  }
});

test.skipIf(process.platform !== 'linux')('[RT-68] the log refuses while a seat talks: nothing it says is lost or doubled', async () => {
  const stage = await makeStage();
  const seat = await talking(stage);
  const other = new Database(stage.home.database, { timeout: PATIENCE });
  other.exec('BEGIN EXCLUSIVE');
  seat.goOn();
  await until(async () => ((await waitingFor(stage)) >= 6 ? true : null));
  expect(processesWith(seat.gate)).toEqual([seat.pid]);
  other.exec('ROLLBACK');
  other.close();
  await expectSaid(stage, seat);
});
