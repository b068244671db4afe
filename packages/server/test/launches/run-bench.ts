import { ENTRY_TYPES } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import type { JsonObject } from '@yarnboard/transcript';
import type { RunStarted } from '../../src/launches/run-entries.ts';
import { startRun, type Run, type RunOptions } from '../../src/launches/run.ts';
import { createClock, type Clock } from './clock.ts';
import { playSdk, type PlayedSdk, type Step } from './played-sdk.ts';
import { textOf } from './streams.ts';

export const S = '11111111-0000-4000-8000-000000000000';
export const HUMAN = { name: 'ada', type: 'human' } as const;

export type Told = {
  readonly type: string;
  readonly payload: JsonObject;
  readonly sender: string;
  readonly sessionId: string;
  readonly contextId: string;
};
export type Bench = {
  readonly run: Run;
  readonly clock: Clock;
  readonly played: PlayedSdk;
  readonly told: readonly Told[];
  readonly faults: readonly unknown[];
  readonly uuids: readonly (string | null)[];
  setFull: (isFull: boolean) => void;
};

export const start = (
  steps: readonly Step[] | ((sessionId: string) => readonly Step[]),
  more: Partial<RunStarted> = {},
  history?: RunOptions['history'],
): Bench => {
  const clock = createClock(Date.UTC(2026, 0, 1));
  const played = playSdk(typeof steps === 'function' ? steps : () => steps);
  const told: Told[] = [];
  const uuids: (string | null)[] = [];
  const faults: unknown[] = [];
  let isFull = false;
  let ids = 0;
  const started = {
    runId: 'run',
    cwd: '/work',
    prompt: null,
    resume: null,
    fork: false,
    resumeAt: null,
    model: null,
    permissionMode: null,
    maxTurns: null,
    ...more,
  };
  const run = startRun({
    started,
    startedAt: clock.now(),
    sessionId: S,
    sdk: played.sdk,
    env: { PATH: '/bin' },
    append: async (items: readonly Item[]) => {
      if (isFull) throw new Error('the disk is full');
      for (const { draft, payload } of items) {
        uuids.push(draft.uuid);
        told.push({
          type: draft.type,
          payload: JSON.parse(Buffer.from(payload ?? []).toString('utf8')) as JsonObject,
          sender: draft.sender,
          sessionId: draft.sessionId,
          contextId: draft.contextId,
        });
      }
    },
    now: clock.now,
    newId: () => `id-${(ids += 1)}`,
    after: clock.after,
    onFault: (cause) => faults.push(cause),
    onMove: () => {},
    ...(history === undefined ? {} : { history }),
  });
  return { run, clock, played, told, faults, uuids, setFull: (full) => (isFull = full) };
};

/** What stands on the log, in few words. */
export const summary = (told: readonly Told[]): readonly string[] =>
  told.map(({ type, payload }) => {
    const { message, status, isEnd, decision, synthetic, by } = payload as Record<string, unknown>;
    if (type === ENTRY_TYPES.turnClosed) return `closed ${textOf(status)}${isEnd === true ? ' for good' : ''} by ${textOf(by)}`;
    if (type === ENTRY_TYPES.runEnded) return `ended ${textOf(status)}`;
    if (type === ENTRY_TYPES.permissionAnswered) return `answered ${textOf(decision)}`;
    if (type !== ENTRY_TYPES.streamed || message === undefined) return type;
    const { content } = message as { readonly content: string | readonly Record<string, unknown>[] };
    const [block] = typeof content === 'string' ? [{ type: 'text', text: content } as Record<string, unknown>] : content;
    const words = textOf(block?.['text'] ?? block?.['id'] ?? block?.['tool_use_id'] ?? '');
    return `${synthetic === undefined ? '' : `(${textOf(synthetic)}) `}${textOf(block?.['type'])} ${words}`;
  });

export const of = (type: string, more: object): Step => ({ say: { type, session_id: S, parent_tool_use_id: null, ...more } });
export const text = (uuid: string, said: string, more: object = {}): Step =>
  of('assistant', { uuid, message: { role: 'assistant', content: [{ type: 'text', text: said }] }, ...more });
export const call = (uuid: string, id: string, name = 'Bash', more: object = {}): Step =>
  of('assistant', { uuid, message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input: { prompt: 'go' } }] }, ...more });
export const result = (uuid: string, id: string, more: object = {}): Step =>
  of('user', { uuid, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] }, ...more });
export const done: Step = of('result', { subtype: 'success', uuid: 'done' });
export const aborted: Step = of('result', { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools', uuid: 'aborted' });
export const hear: Step = { hear: true };
