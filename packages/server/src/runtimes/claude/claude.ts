import type { SeatEvent } from '@yarnboard/protocol';
import type { JsonObject } from '@yarnboard/transcript';
import type { After } from '../../launches/outgoing.ts';
import type { Answer, ProgressInput } from '../../launches/run-progress.ts';
import type { RunRefusal } from '../../launches/run-refusal.ts';
import type { Runs } from '../../launches/runs.ts';
import type { LoadSdk, SdkOptions, SdkTools } from '../../launches/sdk.ts';
import type { Runtime, SeatFact, SeatProcess, SeatStart } from '../port.ts';
import { markedEnv, sweepMarked } from '../process-group.ts';
import { promptOf } from '../seat-words.ts';
import type { ToolCall } from '../tool-call.ts';
import { contextFor, type ContextParts } from './context.ts';
import { hearMessage, silence, type HeardEnd } from './facts.ts';

export type ClaudeOptions = ContextParts & {
  readonly name: string;
  readonly runs: Pick<Runs, 'start' | 'send' | 'answer' | 'interrupt' | 'abort'>;
  /** Replaces the installed SDK. */
  readonly loadSdk?: LoadSdk;
  /** The complete environment of its processes. */
  readonly env: Readonly<Record<string, string>>;
  readonly permissionMode: string | null;
  /** Whether to apply the user's own settings: servers, hooks, memory. */
  readonly hasUserSettings: boolean;
  /** Claude Code rules for what no seat may read or change. */
  readonly denied: readonly string[];
  /** The registry's tools for one seat. */
  readonly toolsFor: (call: ToolCall) => SdkTools;
  readonly markOf: (place: SeatStart['place']) => string;
  readonly now: () => number;
  readonly after: After;
};

/** RT-27: a seat on Claude is a run that belongs to an agent, its instance and a sidebar. Like any run, it has its messages on the log. */
export const createClaude = (options: ClaudeOptions): Runtime => ({
  name: options.name,
  keepsRecords: true,
  contextFor: (wish) => contextFor(options, wish),
  start: (start, hear) => startSeat(options, start, hear),
});

type OpenTurn = { readonly id: string; isCancelled: boolean; /** Prompts that arrived during the turn. */ toldMeanwhile: boolean };

const startSeat = (options: ClaudeOptions, start: SeatStart, tell: (fact: SeatFact) => void): SeatProcess => {
  const { runs, now, after } = options;
  const mark = options.markOf(start.place);
  const calls = new Map<string, (answer: Awaited<ReturnType<ToolCall>>) => void>();
  let hearing = silence;
  let turn: OpenTurn | null = null;
  let isBriefed = start.briefing === null;
  let asked = 0;
  let isOver = false;
  let isStopping = false;
  let callOff: () => void = () => {};
  let onDied: () => void = () => {};
  const died = new Promise<void>((resolve) => {
    onDied = resolve;
  });

  const hear = (fact: SeatFact): void => {
    if (!isOver) tell(fact);
  };

  const die = (why: string): void => {
    if (isOver) return;
    callOff();
    // RT-6: Claude Code may have left something running.
    sweepMarked(mark);
    isOver = true;
    tell({ kind: 'died', why });
    onDied();
  };

  const call: ToolCall = (name, input) =>
    new Promise((resolve) => {
      asked += 1;
      const id = `c${asked}`;
      calls.set(id, resolve);
      hear({ kind: 'command', id, name, input });
    });

  const onProgress = (heard: ProgressInput): void => {
    if (heard.kind === 'message') onMessage(heard.value);
    else if (heard.kind === 'asked') {
      const { requestId, tool, input } = heard.question;
      hear({ kind: 'permission', requestId, tool, input });
    } else if (heard.kind === 'taken-back') hear({ kind: 'permitted', requestId: heard.requestId });
  };

  const onMessage = (value: unknown): void => {
    const next = hearMessage(hearing, value, now());
    ({ hearing } = next);
    if (next.isWorking) callOff();
    for (const fact of next.facts) hear(fact);
    if (next.end !== null) endTurn(next.end);
  };

  const endTurn = (end: HeardEnd): void => {
    if (turn === null) return;
    callOff();
    const finish = (): void => {
      const { id = '', isCancelled = false } = turn ?? {};
      turn = null;
      hear({ kind: 'turn-ended', turnId: id, ...end, status: isCancelled && end.status === 'failed' ? 'cancelled' : end.status });
    };
    // A prompt that arrived too late for this turn starts another in Claude Code. For us it is still the same turn.
    if (turn.toldMeanwhile && end.status === 'completed') {
      turn.toldMeanwhile = false;
      callOff = after(QUIET, finish);
    } else finish();
  };

  const begin = async (): Promise<string | null> => {
    const { native, cwd } = start.context;
    const request = {
      cwd: cwd ?? options.cwd,
      prompt: null,
      resume: native?.sessionId ?? null,
      fork: native?.isFork ?? false,
      resumeAt: native?.leafUuid ?? null,
      model: start.model,
      permissionMode: options.permissionMode,
      maxTurns: null,
      seat: { agent: start.place.agent, instance: start.instance, sidebar: start.sidebarRef },
    };
    const setting = {
      ...(options.loadSdk === undefined ? {} : { loadSdk: options.loadSdk }),
      // Its tools are few and meant to be used, so don't make it search for them.
      env: { ...options.env, ENABLE_TOOL_SEARCH: 'false', ...markedEnv(mark) },
      sdkOptions: sdkOptionsOf(options, start, options.toolsFor(call)),
      hear: onProgress,
      onOver: (why: string | null) => die(why ?? 'Claude Code has ended'),
    };
    for (;;) {
      const begun = await runs.start(request, { name: start.place.agent, type: 'agent' }, setting);
      if (begun.ok) {
        hear({ kind: 'ready', name: 'claude', version: null, sessionId: begun.value.sessionId });
        return begun.value.runId;
      }
      if (begun.error.kind !== 'importing' || isStopping) {
        die(whyOf(begun.error));
        return null;
      }
      hear({ kind: 'held-up' });
    }
  };

  const began = begin().catch((cause: unknown) => {
    die(cause instanceof Error ? cause.message : String(cause));
    return null;
  });

  const send = async (text: string): Promise<void> => {
    const runId = await began;
    if (runId !== null) await runs.send(runId, text).catch((cause: unknown) => die(String(cause)));
  };

  const permit = async (requestId: string, answer: Answer): Promise<void> => {
    const runId = await began;
    if (runId !== null) await runs.answer(runId, requestId, answer, YARNBOARD);
  };

  const cancel = async (turnId: string): Promise<void> => {
    if (turn?.id !== turnId) return;
    turn.isCancelled = true;
    const runId = await began;
    if (runId !== null) await runs.interrupt(runId);
  };

  return {
    pid: null,
    turn: (id, events) => {
      turn = { id, isCancelled: false, toldMeanwhile: false };
      const briefing = isBriefed ? '' : `${start.briefing?.text ?? ''}\n\n`;
      isBriefed = true;
      void send(`${briefing}${promptOf(events)}`);
    },
    tell: (_, event: SeatEvent) => {
      if (turn !== null) turn.toldMeanwhile = true;
      void send(promptOf([event]));
    },
    answer: (id, isDone, answer) => {
      const settle = calls.get(id);
      calls.delete(id);
      settle?.(isDone ? { ok: true, value: answer } : { ok: false, error: answer as { readonly code: string; readonly detail: string } }); // in the form of a refusal
    },
    permit: (requestId, { decision, message, input }) => {
      const updatedInput = input as JsonObject | null; // out of JSON
      void permit(requestId, decision === 'allow' ? { decision, updatedInput } : { decision, message, interrupt: false });
    },
    cancel: (turnId) => void cancel(turnId),
    stop: async () => {
      isStopping = true;
      const runId = await began;
      if (runId !== null) await runs.abort(runId);
      await died;
    },
  };
};

/** RT-30: the user's own settings apply only if the runtime says so: their servers use other tokens, and their hooks report elsewhere. */
const sdkOptionsOf = ({ hasUserSettings, denied }: ClaudeOptions, { instructions }: SeatStart, instance: SdkTools): Partial<SdkOptions> => {
  const permissions: JsonObject = { allow: ['mcp__yarnboard', 'mcp__yarnboard__*'], deny: [...denied] };
  return {
    settingSources: hasUserSettings ? ['user', 'project', 'local'] : ['project'],
    settings: hasUserSettings ? { permissions } : { permissions, disableAllHooks: true, autoMemoryEnabled: false },
    strictMcpConfig: !hasUserSettings,
    mcpServers: { yarnboard: { type: 'sdk', name: 'yarnboard', instance } },
    ...(instructions === null ? {} : { systemPrompt: { type: 'preset', preset: 'claude_code', append: instructions } }),
  };
};

const whyOf = (refusal: RunRefusal): string => {
  if (refusal.kind === 'bad-directory') return `Claude cannot work in ${refusal.cwd}: ${DIRECTORY[refusal.why]}`;
  if (refusal.kind === 'busy') return `the session ${refusal.sessionId} is in use`;
  return 'why' in refusal ? refusal.why : refusal.kind;
};

const DIRECTORY = {
  relative: 'it is not an absolute path',
  missing: 'it does not exist',
  'no-directory': 'it is not a directory',
  excluded: 'it belongs to a project that is excluded',
} as const;

/** The seat's own request records who decided. */
const YARNBOARD = { name: 'yarnboard', type: 'agent' } as const;

/** How long to wait for a follow-up turn after one has ended, in milliseconds. */
const QUIET = 1000;
