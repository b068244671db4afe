import { randomUUID } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRY_TYPES } from '@yarnboard/domain';
import { describe, expect, test } from 'vitest';
import { until } from './home.ts';
import { growSession, linesOf } from './live-file.ts';
import { endsIn, expectAllWell, isType, settle, turnsIn } from './live-rules.ts';
import { makeStage, randomOf, sleep, type Listener } from './live-stage.ts';

// A few in `npm run test:all`, many in `npm run soak`.
const ROUNDS = process.env['YARNBOARD_RUNS'] === undefined ? 5 : 60;
const SEED = Number(process.env['YARNBOARD_SEED'] ?? 1);

const PLAYS = [
  'text tool:700 text',
  'think pair:400 text',
  'text ask:300 tool:100 text',
  'text agent:700 text',
  'agentask:300 text tool:200',
  'text bg:900 tool:300 text',
  'tool:100 agent:200 ask:100 bg:200 think text',
] as const;

test('[SRV-4] [WIRE-8] [RUN-13] SIGKILL at random moments of runs and of a file that grows: whoever listened has everything once, and everything is closed', async () => {
  const random = randomOf(SEED);
  const stage = await makeStage();
  await stage.start();
  const listener = stage.listen({ token: stage.token() });
  const growing = growSession(stage.project, randomOf(SEED + 1000));
  const other = stage.listen({ sessions: [growing.sessionId] });
  const runs: { readonly session: string; readonly play: string }[] = [];
  const alive = new Set<string>();
  const story: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const play = `${random() < 0.4 ? 'mortal ' : ''}${PLAYS[Math.floor(random() * PLAYS.length)] ?? ''}`;
    // One whose process is dead for sure is gone on with.
    const dead = random() < 0.5 ? runs.findLast((one) => one.play.startsWith('mortal') && !alive.has(one.session)) : undefined;
    const resumed = dead === undefined ? {} : { resume: dead.session };
    const run = await stage.ask('start_run', { cwd: stage.work, prompt: play, ...resumed });
    runs.push({ session: run.session_id, play });
    if (!play.startsWith('mortal')) alive.add(run.session_id);
    const answering = random() < 0.5 ? answer(listener, run.run_id, 100) : null;
    const [before, down, again] = [random() * 1300, random() * 700, random() < 0.4 ? random() * 400 : null];
    story.push(
      `${run.session_id} "${play}" killed after ${before.toFixed(0)} ms, down for ${down.toFixed(0)} ms, again after ${again?.toFixed(0) ?? 'none'}`,
    );
    await sleep(before);
    await stage.end('SIGKILL');
    answering?.stop();
    await sleep(down);
    await stage.start();
    if (again !== null) {
      await sleep(again);
      await stage.end('SIGKILL');
      await stage.start();
    }
  }
  await growing.stop();
  await settle(stage, listener);
  try {
    expect(listener.states.filter(({ kind }) => kind === 'open').length).toBeGreaterThan(1);
    const grown = listener.frames.filter(({ sessionId }) => sessionId === growing.sessionId);
    await until(() => (other.frames.length >= grown.length ? true : null)).catch(() => {}); // the difference is shown below
    expect(other.frames).toEqual(grown);
    // What died with its server had said more than it had written.
    const unwritten = runs.flatMap(({ play, session }) => (play.startsWith('mortal') ? [session] : []));
    await expectAllWell(stage, listener, unwritten);
    expect(endsIn(listener.frames, growing.sessionId)).toEqual(Array.from({ length: growing.turns() }, () => 'completed'));
    const wrongEnds = runs.flatMap(({ session }) =>
      turnsIn(listener.frames, session).filter(({ status, said }) => {
        const isDone = said.some((text) => text.startsWith('Done'));
        return isDone ? status !== 'completed' && !unwritten.includes(session) : status !== 'cancelled';
      }),
    );
    expect(wrongEnds).toEqual([]);
    expect(listener.frames.filter(isType(ENTRY_TYPES.runEnded)).length).toBe(runs.length);
  } catch (cause) {
    console.error(`seed ${SEED} (YARNBOARD_SEED):\n${story.join('\n')}\n${stage.err()}`);
    throw cause;
  }
});

/** Says yes to whatever a run asks, after a while. */
const answer = ({ client, frames }: Listener, id: string, delay: number): { readonly stop: () => void } => {
  const answered = new Set<string>();
  const look = async (): Promise<void> => {
    for (const { messages } of frames)
      for (const { ev } of messages) {
        if (ev.t !== 'service' || ev.kind !== 'permission-request') continue;
        const { run_id: run, request_id: request } = ev.data as Readonly<Record<string, string>>; // as a run tells it
        if (run !== id || request === undefined || answered.has(request)) continue;
        answered.add(request);
        await sleep(delay);
        await client.call('answer_permission', { id, request_id: request, decision: 'allow' });
      }
  };
  const timer = setInterval(() => void look(), 20);
  return { stop: () => clearInterval(timer) };
};

describe('a server that is stopped and started again', () => {
  test('[WIRE-13] [ENV-6] [ENV-10] in the middle of turns: clients come back, nothing is sent twice, and the turns go on', async () => {
    const random = randomOf(7);
    const stage = await makeStage();
    await stage.start();
    const listener = stage.listen();
    const growing = growSession(stage.project, random);
    const sessions: string[] = [];
    for (const play of ['text tool:60000', 'text agent:60000', 'ask:60000']) {
      const { session_id: session } = await stage.ask('start_run', { cwd: stage.work, prompt: play });
      sessions.push(session);
      await listener.hear('what it uses', (frame) => frame.sessionId === session && frame.messages.some(({ ev }) => ev.t === 'tool-call-start'));
      expect(await stage.end('SIGTERM')).toBe(0);
      await sleep(random() * 200);
      await stage.start();
    }
    await sleep(300);
    await growing.stop();
    await settle(stage, listener);
    expect(listener.states.filter((state) => state.kind === 'waiting' && state.code === 1001).length).toBe(3);
    await expectAllWell(stage, listener);
    expect(endsIn(listener.frames, growing.sessionId)).toEqual(Array.from({ length: growing.turns() }, () => 'completed'));
    for (const session of sessions) expect(endsIn(listener.frames, session)).toEqual(['cancelled']);
    expect(stage.err()).toBe('');
  });

  test('[TURN-1] [TURN-2] closes once what was said to be over, leaves alone what may go on, and cancels what was left half an hour ago', async () => {
    const stage = await makeStage();
    const ago = (minutes: number): number => Date.now() - minutes * 60_000;
    const [over, going, left] = [randomUUID(), randomUUID(), randomUUID()];
    for (const [session, at, isOver] of [
      [over, ago(1), true],
      [going, ago(1), false],
      [left, ago(40), false],
    ] as const)
      writeFileSync(join(stage.project, `${session}.jsonl`), linesOf(session, 'one', { at, isOver }));
    await stage.start();
    const listener = stage.listen();
    await listener.hear('the end of the turn that is over', isType(ENTRY_TYPES.turnClosed, over));
    await listener.hear('the end of the turn that was left', isType(ENTRY_TYPES.turnClosed, left));
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await stage.end(signal);
      await stage.start();
    }
    appendFileSync(join(stage.project, `${going}.jsonl`), linesOf(going, 'two', { at: Date.now(), isOver: true }));
    await listener.hear('the end of the turn that went on', (frame) => isType(ENTRY_TYPES.turnClosed, going)(frame) && frame.messages.length > 0);
    await settle(stage, listener);
    await expectAllWell(stage, listener);
    const statuses = [over, going, left].map((session) => endsIn(listener.frames, session));
    // The next prompt cancels what was open.
    expect(statuses).toEqual([['completed'], ['cancelled', 'completed'], ['cancelled']]);
    expect(listener.frames.filter(isType(ENTRY_TYPES.turnClosed)).length).toBe(3);
  });
});
