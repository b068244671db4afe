import { join } from 'node:path';
import { ENTRY_TYPES } from '@yarnboard/domain';
import type { OutputOf } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { makeBoard, walkMessages, type TestBoard } from '../operations/boards.ts';
import { recordedSteps, type Step } from './played-sdk.ts';
import { openRuns, promptTextIn, settled, writeRecorded, type RunsBench } from './runs-bench.ts';
import { readRecorded, type Recorded, textOf } from './streams.ts';

/** Plays a recorded stream to its end; `write` is told when the run is idle, as Claude Code writes beside it. */
const playOut = async (
  recorded: Recorded,
  write: (bench: RunsBench, sessionId: string, promptUuid: string) => void,
): Promise<{ readonly bench: RunsBench; readonly sessionId: string; readonly runId: string }> => {
  const bench = await openRuns((sessionId) => recordedSteps(recorded.queries[0] ?? [], sessionId));
  const { run_id: runId, session_id: sessionId } = await bench.startRun({ prompt: promptTextIn(recorded) });
  await bench.reach(runId, 'idle');
  write(bench, sessionId, textOf(bench.played.heard[0]?.['uuid']));
  await bench.command('end_run', { id: runId });
  await bench.reach(runId, 'ended');
  await settled(bench, runId);
  return { bench, sessionId, runId };
};

const numbersOf = async ({ entries }: RunsBench): Promise<ReadonlyMap<string, readonly string[]>> => {
  const numbers = new Map<string, readonly string[]>();
  for (const { payload, refs } of await entries()) {
    const uuid = textOf(payload?.['uuid'] ?? '');
    if (uuid !== '') numbers.set(uuid, [...(numbers.get(uuid) ?? []), ...refs.filter((ref) => ref.startsWith('MSG-'))]);
  }
  return numbers;
};

type Envelope = OutputOf<'envelopes'>['items'][number];
const envelopesOf = async ({ get }: TestBoard, id: string): Promise<readonly Envelope[]> => (await get('envelopes', { id, limit: 500 })).items;

const heardIn = (envelopes: readonly Envelope[]): readonly string[] =>
  envelopes
    .flatMap(({ content: { data } }) => {
      const { ev, subagent = '', role } = data;
      if (ev.t === 'text') return [`${role} ${subagent} ${ev.text}`];
      if (ev.t === 'tool-call-start' || ev.t === 'tool-call-end') return [`${ev.t} ${subagent} ${ev.call}`];
      return ev.t === 'start' || ev.t === 'stop' ? [`${ev.t} ${subagent}`] : [];
    })
    .sort();

describe.each(['sdk-0.2.50', 'sdk-0.3.325'])('a run of %s', (version) => {
  test.each(['tools', 'task', 'partask', 'parsame', 'bgtask', 'nested', 'think', 'interrupt', 'interrupttask', 'fwd', 'agents'])(
    '[RUN-11] that did "%s" and left its file gives each message one number and one set of envelopes',
    async (scenario) => {
      const recorded = readRecorded(version, scenario);
      const { bench, sessionId, runId } = await playOut(recorded, ({ folder }, session, prompt) =>
        writeRecorded(recorded, join(folder, 'projects'), session, prompt),
      );
      const entries = await bench.entries();
      const streamed = entries.filter(({ type, payload }) => type === ENTRY_TYPES.streamed && payload?.['synthetic'] === undefined);
      expect(streamed.length).toBeGreaterThan(4);
      const numbers = await numbersOf(bench);
      for (const { payload, refs } of streamed) {
        expect(refs).toEqual([]);
        expect(numbers.get(textOf(payload?.['uuid'])), `for ${textOf(payload?.['uuid'])}`).toHaveLength(1);
      }
      // Nothing was taken from the stream: the file had it all.
      expect(entries.find(({ type }) => type === ENTRY_TYPES.runSettled)?.payload).toEqual({ runId, fromFiles: streamed.length, fromStream: 0 });
      expect(entries.filter(({ type }) => type === ENTRY_TYPES.copied)).toEqual([]);
      const envelopes = await envelopesOf(bench, sessionId);
      expect(new Set(envelopes.map(({ content }) => content.data.id)).size).toBe(envelopes.length);
      // Whoever only reads the file hears the same words and calls, each as often.
      const reader = await makeBoard({ roots: [join(bench.folder, 'projects')] });
      expect(heardIn(envelopes)).toEqual(heardIn(await envelopesOf(reader, sessionId)));
      const starts = envelopes.filter(({ content }) => content.data.ev.t === 'start').map(({ content }) => content.data.subagent);
      expect(new Set(starts).size).toBe(starts.length);
    },
  );

  test.each(['tools', 'task', 'nested', 'interrupttask'])(
    '[RUN-11] that did "%s" and left no file gives each message one number, too',
    async (scenario) => {
      const recorded = readRecorded(version, scenario);
      const { bench, sessionId, runId } = await playOut(recorded, () => {});
      const entries = await bench.entries();
      const streamed = entries.filter(({ type }) => type === ENTRY_TYPES.streamed);
      const numbers = await numbersOf(bench);
      for (const { payload } of streamed) expect(numbers.get(textOf(payload?.['uuid']))).toHaveLength(1);
      expect(entries.find(({ type }) => type === ENTRY_TYPES.runSettled)?.payload).toEqual({ runId, fromFiles: 0, fromStream: streamed.length });
      expect((await walkMessages(bench, sessionId, { thread: 'all', operations: false })).length).toBe(streamed.length);
      expect((await bench.get('session', { id: sessionId })).title).toBe(promptTextIn(recorded));
      const envelopes = await envelopesOf(bench, sessionId);
      expect(new Set(envelopes.map(({ content }) => content.data.id)).size).toBe(envelopes.length);
      // A file that turns up after all brings nothing twice.
      writeRecorded(recorded, join(bench.folder, 'projects'), sessionId, textOf(bench.played.heard[0]?.['uuid']));
      await bench.board.writer.catchUp();
      const later = await numbersOf(bench);
      for (const { payload } of streamed) expect(later.get(textOf(payload?.['uuid']))).toEqual(numbers.get(textOf(payload?.['uuid'])));
      expect((await bench.get('integrity', { session: sessionId })).is_sound).toBe(true);
    },
  );

  test.each(['tools', 'partask', 'bgtask'])(
    '[RUN-11] that did "%s" and whose file was read before the stream was heard says nothing twice',
    async (scenario) => {
      const recorded = readRecorded(version, scenario);
      const pause: Step = { ask: { tool: 'Bash', input: {}, toolUseID: 'pause', requestId: 'pause' } };
      const bench = await openRuns((sessionId) =>
        recordedSteps(recorded.queries[0] ?? [], sessionId).flatMap((step): readonly Step[] => ('hear' in step ? [step, pause] : [step])),
      );
      const { run_id: runId, session_id: sessionId } = await bench.startRun({ prompt: promptTextIn(recorded) });
      await bench.reach(runId, 'waiting');
      writeRecorded(recorded, join(bench.folder, 'projects'), sessionId, textOf(bench.played.heard[0]?.['uuid']));
      await bench.board.writer.catchUp();
      await bench.command('answer_permission', { id: runId, request_id: 'pause', decision: 'allow' });
      await bench.reach(runId, 'idle');
      await bench.command('end_run', { id: runId });
      await settled(bench, runId);
      const reader = await makeBoard({ roots: [join(bench.folder, 'projects')] });
      const envelopes = await envelopesOf(bench, sessionId);
      expect(heardIn(envelopes)).toEqual(heardIn(await envelopesOf(reader, sessionId)));
      for (const [uuid, numbers] of await numbersOf(bench)) expect(numbers.length, `for ${uuid}`).toBeLessThanOrEqual(1);
    },
  );
});
