import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { afterFile } from '../../../../tests/afterwards.ts';
import { isGoing } from '../../src/launches/spool.ts';
import { sweepOrphans } from '../../src/runtimes/process-group.ts';
import type { SeatFact } from '../../src/runtimes/port.ts';
import { createStdio, type StdioOptions } from '../../src/runtimes/stdio.ts';
import { describeRuntime, eventOf, START, startHeard } from './contract.ts';

const EXAMPLE = fileURLToPath(new URL('../../../../examples/stdio-agent.mjs', import.meta.url));
const MISBEHAVING = fileURLToPath(new URL('./misbehaving-agent.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'yarnboard-seats-'));
afterFile(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS: StdioOptions = {
  name: 'example',
  command: [process.execPath, EXAMPLE],
  cwd: folder,
  env: { PATH: process.env['PATH'] ?? '' },
  markOf: ({ agent, sidebarId }) => `test-${process.pid}/${agent}/${sidebarId}`,
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  patience: { bye: 200 },
};

describeRuntime('stdio', { make: () => createStdio(OPTIONS), toolText: 'Submit a finding, please', toolName: 'scratchpad_entry_submitted' });

const misbehaving = (manner: string, more: Partial<StdioOptions> = {}, args: readonly string[] = []) =>
  startHeard(createStdio({ ...OPTIONS, command: [process.execPath, MISBEHAVING, manner, ...args], ...more }));

const faultsIn = (facts: readonly SeatFact[]): readonly string[] => facts.flatMap((fact) => (fact.kind === 'fault' ? [fact.code] : []));

describe('a program that misbehaves', () => {
  test('[RT-3] what is no frame is refused with a code and a sentence, and what comes behind it is heard', async () => {
    const { seat, facts, until } = misbehaving('garbage');
    await until('ready');
    expect(faultsIn(facts)).toEqual(['not-json', 'not-json', 'not-json', 'unknown-frame', 'bad-frame', 'bad-frame', 'not-json']);
    expect(facts.filter((fact) => fact.kind === 'fault' && !/^[A-Z].{10,}$/u.test(fact.text))).toEqual([]);
    await seat.stop('done');
  });

  test('[RT-3] a line that is too long is let go as it comes', async () => {
    const { seat, facts, until } = misbehaving('long');
    await until('ready');
    expect(faultsIn(facts)).toEqual(['line-too-long']);
    await seat.stop('done');
  });

  test('[RT-3] a frame may come in pieces, and half a frame at the end was never said', async () => {
    const { facts, until } = misbehaving('half');
    await until('died');
    expect(facts.map(({ kind }) => kind)).toEqual(['ready', 'died']);
  });

  test('[RT-3] another version, frames before ready, ids twice: contained, each with its code', async () => {
    const version = misbehaving('version');
    expect((await version.until('fault')).code).toBe('wrong-version');
    await version.seat.stop('done');
    const early = misbehaving('early');
    await early.until('ready');
    expect(faultsIn(early.facts)).toEqual(['not-ready']);
    await early.seat.stop('done');
    const twice = misbehaving('twice');
    await twice.until('fault', ({ code }) => code === 'bad-frame');
    expect(faultsIn(twice.facts)).toEqual(['out-of-turn', 'bad-frame']);
    await twice.seat.stop('done');
  });

  test('[RT-4] of a thousand commands at once a few wait, the others are refused, and a program that never stops is ended', async () => {
    const flood = misbehaving('flood', { bounds: { commands: 10, faults: 5000 } });
    await flood.until('fault', ({ code }) => code === 'flood');
    await flood.seat.stop('done');
    expect(flood.facts.filter(({ kind }) => kind === 'command')).toHaveLength(10);
    expect(faultsIn(flood.facts)).toHaveLength(990);
    const hopeless = misbehaving('hopeless');
    expect((await hopeless.until('died')).why).toContain('it was ended after 100 faults');
    expect(faultsIn(hopeless.facts)).toHaveLength(100);
  });

  test('[RT-5] what it complained about is told when it dies, without its secrets', async () => {
    const { until } = misbehaving('crash');
    const { why } = await until('died');
    expect(why).toContain('code 7');
    expect(why).toContain('the token was');
    expect(why).not.toContain('abcdefghijklmnopqrstuvwxyz0123456789');
  });

  test('[RT-5] a program that is missing, or not executable, dies with a sentence', async () => {
    const missing = startHeard(createStdio({ ...OPTIONS, command: ['/nowhere/agent'] }));
    expect((await missing.until('died')).why).toContain('there is no program "/nowhere/agent"');
    expect(missing.seat.pid).toBeNull();
    const text = startHeard(createStdio({ ...OPTIONS, command: [EXAMPLE] }));
    expect((await text.until('died')).why).toContain('is not executable');
  });

  test('[RT-6] whoever ignores every request to end is killed with everything it started, also what left its group', async () => {
    const file = join(folder, 'children');
    const patience = { bye: 50, end: 50, term: 50 };
    const { seat, facts, until } = misbehaving('stubborn', { patience }, [file]);
    await until('ready');
    const pids = [...readFileSync(file, 'utf8').split(' ').map(Number), seat.pid ?? 0];
    expect(pids).toHaveLength(3);
    expect(pids.every((pid) => isGoing({ pid, mark: null }))).toBe(true);
    await seat.stop('done');
    await expect.poll(() => pids.filter((pid) => isGoing({ pid, mark: null }))).toEqual([]);
    expect(facts.filter(({ kind }) => kind === 'died')).toHaveLength(1);
  });

  test('[RT-6] what a server that was killed left behind is found by its mark and ended', async () => {
    const file = join(folder, 'orphans');
    const { until } = misbehaving('stubborn', { markOf: () => `gone-${process.pid}/a/b` }, [file]);
    await until('ready');
    const pids = readFileSync(file, 'utf8').split(' ').map(Number);
    expect(sweepOrphans(`gone-${process.pid}x`)).toBe(0);
    expect(sweepOrphans(`gone-${process.pid}`)).toBeGreaterThanOrEqual(3);
    await until('died');
    await expect.poll(() => pids.filter((pid) => isGoing({ pid, mark: null }))).toEqual([]);
  });
});

test('[RT-5] a program gets the environment that was chosen for it and no other, and its token neither there nor among its arguments', async () => {
  const script =
    'const e=process.env; process.stdout.write(JSON.stringify({type:"ready",protocol:1,name:Object.keys(e).sort().join(),version:process.argv.length+""})+"\\n"); process.stdin.on("end",()=>process.exit()).resume()';
  const heard = startHeard(createStdio({ ...OPTIONS, command: [process.execPath, '-e', script, '$HOME'] }));
  const { name, version } = await heard.until('ready');
  expect(name).toBe('PATH,YARNBOARD_SEAT');
  expect(version).toBe('2');
  const places = existsSync('/proc/self') ? ['cmdline', 'environ'] : [];
  const told = places.map((one) => readFileSync(`/proc/${heard.seat.pid ?? 0}/${one}`, 'utf8')).join('\0');
  expect(told).not.toContain(START.token);
  heard.seat.turn('turn-1', [eventOf(1, 'x')]);
  await heard.seat.stop('done');
});

test('[RT-1] a seat dies once, is stopped once, and hears nothing afterwards', async () => {
  const { seat, facts, until } = startHeard(createStdio(OPTIONS));
  await until('ready');
  await Promise.all([seat.stop('done'), seat.stop('done again')]);
  seat.turn('turn-1', [eventOf(1, 'Hello')]);
  seat.cancel('turn-1');
  await seat.stop('and again');
  expect(facts.map(({ kind }) => kind)).toEqual(['ready', 'died']);
});
