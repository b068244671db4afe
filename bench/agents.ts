// Agents: deciding about seats on large boards, seats that start, hear and stream, and many that wait: [--seats N] [--rounds N]
import { parseArgs } from 'node:util';
import { seatRunOf, type Recorded } from '@yarnboard/domain';
import { measureInherited } from './agents/inherited.ts';
import { measureManyStreams } from './agents/many-streams.ts';
import { measureRecruiting, type Recruiting, type Roster } from './agents/recruiting.ts';
import { openStage, readBare, startBare, startTokens, until, type Stage } from './agents/seats.ts';
import { MB, atLeast, below, layOut, type Verdict } from './measure/table.ts';
import { runBench, WrongResult } from './measure/run.ts';

const { values } = parseArgs({ options: { seats: { type: 'string', default: '50' }, rounds: { type: 'string', default: '5' } } });
const [seats, rounds] = [Number(values.seats), Number(values.rounds)];
if (!Number.isInteger(seats) || seats < 2 || !Number.isInteger(rounds) || rounds < 1)
  throw new Error('--seats takes a number from 2, --rounds one from 1');

const SMALL: Roster = { agents: 100, sidebars: 1000, queued: 100 };
const LARGE: Roster = { agents: 1000, sidebars: 10_000, queued: 1000 };
const MENTIONS = 40;
const TOKENS = 20_000;

const atPercent = (times: readonly number[], percent: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor((times.length * percent) / 100))] ?? 0;

const deciding = (): readonly Verdict[] => {
  // Once for nothing: what is measured first would be measured cold.
  measureRecruiting(SMALL, rounds);
  const [small, large] = [measureRecruiting(SMALL, rounds), measureRecruiting(LARGE, rounds)];
  const results: readonly (readonly [Roster, Recruiting])[] = [
    [SMALL, small],
    [LARGE, large],
  ];
  console.log('');
  console.log(
    layOut([
      ['µs a decision', 'say', 'join', 'queue', 'by skill'],
      ...results.map(([{ agents, sidebars, queued }, { say, join, recruit, capability }]) => [
        `${agents} agents, ${sidebars} sidebars, ${queued} queued`,
        ...[say, join, recruit, capability].map((one) => one.toFixed(0)),
      ]),
    ]),
  );
  return [
    atLeast(large.say / large.join, 0.5, 'recruiting somebody who is free against saying something, large board'),
    atLeast(large.say / large.recruit, 0.5, 'recruiting somebody who is full against saying something, large board'),
    atLeast(small.join / large.join, 0.5, 'recruiting on a board ten times as large'),
    below(large.capability / 1000, 1, `recruiting by skill among ${LARGE.agents}`, 'ms'),
  ];
};

/** A seat in a sidebar of its own, after its first turn. */
const seatOne = async (stage: Stage, agent: string, task: string): Promise<string> => {
  const { ref } = await stage.ask('POST', '/sidebars', { parent_id: null, task_description: task, participants: [agent] });
  return String(ref);
};

const isRested = ({ board }: Stage, agent: string, ref: string, turns: number): boolean => {
  const run = seatRunOf(board.engine.board(), `AGENT-${agent}`, board.engine.board().ids.get(ref) ?? '');
  return run !== null && run.turn === null && run.turns >= turns;
};

/** What joining costs, however much was said before. */
const joining = async (stage: Stage, scratch: string): Promise<readonly Verdict[]> => {
  const measured = await measureInherited(stage, scratch, [10, 100, 100_000], rounds);
  const [few, some, many] = measured;
  if (few === undefined || some === undefined || many === undefined) throw new WrongResult('nothing was measured');
  console.log('');
  console.log(
    layOut([
      ['ms', 'onboarding', 'briefing'],
      ...measured.map(({ messages, onboarding, briefing }) => [`${messages} messages inherited`, onboarding.toFixed(2), briefing.toFixed(2)]),
    ]),
  );
  return [
    below(many.onboarding / few.onboarding, 1.5, 'onboarding after 100,000 messages against 10', 'x'),
    // Both are given what was said last, so much and no more.
    below(many.briefing / some.briefing, 1.5, 'a briefing after 100,000 messages against 100', 'x'),
  ];
};

const streaming = async (scratch: string): Promise<readonly Verdict[]> => {
  const { quiet, busy } = await measureManyStreams(scratch, seats, latencies);
  console.log('');
  console.log(`a command of somebody else: p50 ${quiet.toFixed(1)} ms, while ${seats} seats stream ${busy.toFixed(1)} ms`);
  return [below(busy / quiet, 1.5, `a command of somebody else while ${seats} seats stream 100 tokens a second each`, 'x')];
};

const acting = async (stage: Stage, url: string): Promise<readonly Verdict[]> => {
  const { board, ask } = stage;
  await ask('POST', '/agents', { agent_id: 'quick' });
  await ask('POST', '/agents', { agent_id: 'model' });
  await ask('POST', '/agents/quick/limits', { max_concurrent_per_instance: 100 });
  await ask('POST', '/agents/quick/runtime', { runtime: 'quick' });

  // Starting: by itself, and as a seat, in turns.
  const bare: number[] = [];
  const seated: number[] = [];
  const refs: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await startBare());
    const startedAt = performance.now();
    const ref = await seatOne(stage, 'quick', `start ${round}`);
    await until(stage, () => seatRunOf(board.engine.board(), 'AGENT-quick', board.engine.board().ids.get(ref) ?? '')?.state === 'ready');
    seated.push(performance.now() - startedAt);
    refs.push(ref);
    await until(stage, () => isRested(stage, 'quick', ref, 1));
  }
  const [bareStart, seatStart] = [Math.min(...bare), Math.min(...seated)];

  // A mention: from the entry on the log to the first byte at the program, which says when that was.
  const [first = ''] = refs;
  const mentioned: number[] = [];
  const delays: number[] = [];
  const stop = board.engine.onCommitted((events: readonly Recorded[]) => {
    for (const { type, payload, by } of events) {
      if (type !== 'chat.message') continue;
      if (by.type === 'human') mentioned.push(performance.timeOrigin + performance.now());
      else if ('content' in payload) delays.push(Number(payload.content.replace('heard at ', '')) - (mentioned.at(-1) ?? Number.NaN));
    }
  });
  for (let n = 0; n < MENTIONS; n += 1) {
    await ask('POST', `/sidebars/${first}/messages`, { content: `@quick ${n}` });
    await until(stage, () => delays.length > n && isRested(stage, 'quick', first, n + 2));
    // Its turns lead to nothing, and a human word counts as something.
  }
  stop();
  if (delays.some(Number.isNaN)) throw new WrongResult('a mention was not heard');

  // Many that wait: what they cost while nothing happens, and how they end.
  const before = memory();
  while (refs.length < seats) refs.push(await seatOne(stage, 'quick', `seat ${refs.length}`));
  for (const ref of refs) await until(stage, () => isRested(stage, 'quick', ref, 1));
  const each = (memory() - before) / (seats - rounds);
  const cpu = process.cpuUsage();
  const idleFrom = performance.now();
  await new Promise((resolve) => {
    setTimeout(resolve, IDLE);
  });
  const { user, system } = process.cpuUsage(cpu);
  const share = (user + system) / 1000 / (performance.now() - idleFrom);

  // Streaming, and what others notice of it.
  await ask('POST', '/agents/model/runtime', { runtime: 'model' });
  const quiet = await latencies(stage);
  const bareStream: number[] = [];
  const streamed: number[] = [];
  const talk = await seatOne(stage, 'model', 'stream');
  await until(stage, () => isRested(stage, 'model', talk, 1));
  for (let n = 0; n < rounds; n += 1) {
    bareStream.push(await readBare(url));
    const startedAt = performance.now();
    await ask('POST', `/sidebars/${talk}/messages`, { content: `@model ${n}` });
    await until(stage, () => isRested(stage, 'model', talk, n + 2));
    streamed.push(performance.now() - startedAt);
  }
  await ask('POST', `/sidebars/${talk}/messages`, { content: '@model once more' });
  const busy = await latencies(stage);
  await until(stage, () => isRested(stage, 'model', talk, rounds + 2));

  const stoppedFrom = performance.now();
  await ask('POST', '/rest', { resting: true });
  await board.seats.settled();
  const stopped = performance.now() - stoppedFrom;
  console.log('');
  console.log(
    layOut([
      ['ms', 'bare', 'as a seat', 'x'],
      ['start of a program', bareStart.toFixed(0), seatStart.toFixed(0), (seatStart / bareStart).toFixed(2)],
      [
        `${TOKENS} tokens from a model`,
        Math.min(...bareStream).toFixed(0),
        Math.min(...streamed).toFixed(0),
        (Math.min(...streamed) / Math.min(...bareStream)).toFixed(2),
      ],
      ['a command, p50, while one streams', quiet.toFixed(1), busy.toFixed(1), (busy / quiet).toFixed(2)],
    ]),
  );
  console.log(`from a mention to its program: p50 ${atPercent(delays, 50).toFixed(1)} ms, p99 ${atPercent(delays, 99).toFixed(1)} ms`);
  console.log(
    `${seats} seats that wait: ${(share * 100).toFixed(2)} % of a core, ${(each / MB).toFixed(2)} MB each; ended in ${stopped.toFixed(0)} ms`,
  );
  return [
    below(seatStart, 1.3 * bareStart + 50, 'start of a seat, against 1.3 of the bare program + 50', 'ms'),
    below(atPercent(delays, 99), 50, 'p99 from the entry of a mention to its program', 'ms'),
    below(share * 100, 1, `${seats} seats that wait`, '% of a core'),
    below(each / MB, 1, 'memory of a seat beyond its process', 'MB'),
    atLeast(Math.min(...bareStream) / Math.min(...streamed), 0.7, 'streaming through a seat against fetching and parsing'),
    below(busy / quiet, 1.5, 'a command of somebody else while a seat streams', 'x'),
    below(stopped / 1000, 5, `ending ${seats} seats`, 's'),
  ];
};

/** The median of what somebody else waits for an answer. */
const latencies = async ({ ask }: Stage): Promise<number> => {
  const { ref } = await ask('POST', '/sidebars', { parent_id: null, task_description: 'somebody else' });
  const times: number[] = [];
  for (let n = 0; n < 40; n += 1) {
    const startedAt = performance.now();
    await ask('POST', `/sidebars/${String(ref)}/messages`, { content: `word ${n}` });
    times.push(performance.now() - startedAt);
  }
  return atPercent(times, 50);
};

const memory = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const IDLE = 5000;

await runBench({ name: 'agents', keep: false }, async (scratch) => {
  const verdicts = [...deciding()];
  const tokens = await startTokens(TOKENS);
  const stage = await openStage(scratch, seats + 2, tokens.url);
  try {
    verdicts.push(...(await acting(stage, tokens.url)), ...(await joining(stage, scratch)));
  } finally {
    await stage.board.close();
    tokens.close();
  }
  verdicts.push(...(await streaming(scratch)));
  return verdicts;
});
