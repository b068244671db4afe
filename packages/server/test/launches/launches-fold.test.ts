import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { evolveLaunch, initialLaunch, type Happening } from '../../src/launches/launch.ts';
import { createSpoolReader, type NumberedLine } from '../../src/launches/spool-reader.ts';
import {
  appendSpool,
  isLaunchId,
  launchFiles,
  parseSpoolLine,
  readControl,
  writeControl,
  type ControlCommand,
  type SpoolLine,
} from '../../src/launches/spool.ts';

const folder = mkdtempSync(join(tmpdir(), 'yarnboard-spool-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const L = '11111111-0000-4000-8000-000000000001';
const text = fc.string({ unit: 'binary', maxLength: 8 });
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary);
const sessionId = fc.constantFrom('A', 'B', 'C');
const at = fc.integer({ min: 0, max: 1000 });
const anyLine: fc.Arbitrary<SpoolLine> = fc.oneof(
  fc.record({
    kind: fc.constant('started' as const),
    at,
    pid: fc.nat(),
    mark: nullable(text),
    host: text,
    args: fc.array(text),
    cwd: text,
    isFork: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('spawned' as const), at, pid: fc.nat(), mark: nullable(text) }),
  fc.record({
    kind: fc.constant('session' as const),
    at,
    sessionId,
    transcriptPath: text,
    source: fc.constantFrom('startup', 'resume', 'clear', 'compact', 'fork'),
    cwd: text,
  }),
  fc.record({ kind: fc.constant('session-end' as const), at, sessionId, transcriptPath: text, reason: text }),
  fc.record({ kind: fc.constant('released' as const), at, nonce: text }),
  fc.record({ kind: fc.constant('wants-back' as const), at }),
  fc.record({ kind: fc.constant('taken-back' as const), at, sessionId, nonce: nullable(text) }),
  fc.record({ kind: fc.constant('ended' as const), at, code: nullable(fc.nat(255)), signal: nullable(text), stoppedBy: nullable(text) }),
  fc.record({ kind: fc.constant('lost' as const), at }),
);

describe('lines', () => {
  test('[LAUNCH-5] survive the way through a spool, whatever they say and however the file is read while it grows', () => {
    let ordinal = 0;
    fc.assert(
      fc.property(fc.array(anyLine), fc.array(fc.nat(40), { minLength: 1 }), (lines, steps) => {
        ordinal += 1;
        const id = `${String(ordinal).padStart(8, '0')}${L.slice(8)}`;
        for (const line of lines) appendSpool(folder, id, line);
        const { spool } = launchFiles(folder, id);
        const bytes = lines.length === 0 ? Buffer.alloc(0) : readFileSync(spool);
        const growing = `${spool}.growing`;
        writeFileSync(growing, '');
        const reader = createSpoolReader(growing);
        const read: NumberedLine[] = [];
        for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
          const to = from + 1 + (steps[turn % steps.length] ?? 0);
          appendFileSync(growing, bytes.subarray(from, to));
          read.push(...reader.read());
          from = to;
        }
        expect(read.map(({ line }) => line)).toEqual(lines);
        expect(reader.bad()).toBeNull();
        // Their numbers are what their entries' uuids are made of.
        const whole = createSpoolReader(growing).read();
        expect(read).toEqual(whole);
      }),
    );
  });

  test('[LAUNCH-11] anything else is refused with the reason, never thrown at', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          anyLine.map((line) => JSON.stringify({ ...line, at: 'soon' })),
        ),
        (line) => {
          expect(parseSpoolLine(line)).toMatchObject({ fault: expect.any(String) as unknown });
        },
      ),
    );
    expect(parseSpoolLine('{"kind":"constructor","at":1}')).toEqual({ fault: 'of an unknown kind "constructor"' });
    expect(parseSpoolLine('{"kind":"released","at":1}')).toEqual({ fault: 'nonce of "released" must be a text' });
  });

  test('[LAUNCH-13] what the server asks reaches the terminal as it was written; anything else is no command', () => {
    const commands: readonly ControlCommand[] = [
      { kind: 'release', at: 1, nonce: 'a', sessionId: 'S' },
      { kind: 'take-back', at: 2, nonce: 'b', sessionId: 'S' },
      { kind: 'refuse', at: 3, nonce: 'c', why: 'no' },
    ];
    expect(readControl(folder, L)).toBeNull();
    for (const command of commands) {
      writeControl(folder, L, command);
      expect(readControl(folder, L)).toEqual(command);
    }
    writeFileSync(launchFiles(folder, L).control, '{"kind":"release"');
    expect(readControl(folder, L)).toBeNull();
  });

  test('[LAUNCH-4] only a uuid is the id of a launch: it becomes the name of a file', () => {
    expect(isLaunchId(L)).toBe(true);
    for (const bad of ['', '..', '../x', L.slice(1), `${L}/x`, `${L}\n`, L.toUpperCase().replace(/1/gu, 'G')]) expect(isLaunchId(bad)).toBe(false);
  });
});

type Closed = Extract<Happening, { kind: 'closed' }>;

const play = (lines: readonly SpoolLine[]) => {
  let launch = initialLaunch(L);
  const all: Happening[] = [];
  for (const line of lines) {
    const evolved = evolveLaunch(launch, line);
    launch = evolved.launch;
    all.push(...evolved.happenings);
  }
  return { launch, all };
};

describe('the fold', () => {
  test('[LAUNCH-7] after an end every session it was in is closed, as often as it was opened, and nothing is open', () => {
    fc.assert(
      fc.property(fc.array(anyLine), (lines) => {
        const { launch, all } = play([...lines, { kind: 'lost', at: 2000 }]);
        expect(launch.exit).not.toBeNull();
        expect(launch.open).toEqual([]);
        expect(all.filter(({ kind }) => kind === 'ended').length).toBe(1);
        for (const one of launch.transcripts.keys()) {
          const last = all.findLast((happening): happening is Closed => happening.kind === 'closed' && happening.sessionId === one);
          expect(last?.isEnd).toBe(true);
        }
      }),
    );
  });

  test('[LAUNCH-6] what follows an end changes nothing but a session that was told too late', () => {
    fc.assert(
      fc.property(fc.array(anyLine), fc.array(anyLine), (before, after) => {
        const once = play([...before, { kind: 'lost', at: 2000 }]);
        const more = play([...before, { kind: 'lost', at: 2000 }, ...after]);
        expect(more.launch).toMatchObject({ state: once.launch.state, exit: once.launch.exit, endedAt: once.launch.endedAt });
        const kinds = more.all.slice(once.all.length).map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind !== 'moved' && kind !== 'closed' && kind !== 'started')).toEqual([]);
        expect(kinds.filter((kind) => kind === 'moved').length).toBe(kinds.filter((kind) => kind === 'closed').length);
      }),
    );
  });
});
