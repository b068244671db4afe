import { maskSecrets } from '@yarnboard/domain';
import { NOWHERE, type Item } from '@yarnboard/store';
import { assertNever, readEntry, type TurnStatus } from '@yarnboard/transcript';
import { convert, convertPrompt, initialConverter, interrupt, type Converted, type Fact } from './convert.ts';
import { createOutgoing, type After } from './outgoing.ts';
import { endedItem, lastTurnUuid, movedItem, streamedItem, turnClosedItem, type By, type RunCounts, type RunStarted } from './run-entries.ts';
import { createInput, promptOf } from './run-input.ts';
import { createPermissions, type Answer, type Answered, type Pending } from './run-permissions.ts';
import type { Sdk, SdkOptions, SdkQuery } from './sdk.ts';
import { isObject } from './sdk-message.ts';

export const RUN_STATES = ['starting', 'running', 'waiting', 'idle', 'ended'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A run as everybody may see it. */
export type RunView = {
  readonly runId: string;
  readonly sessionId: string;
  readonly state: RunState;
  readonly cwd: string;
  readonly prompt: string | null;
  readonly model: string | null;
  readonly permissionMode: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly status: TurnStatus | null;
  readonly why: string | null;
  readonly pending: readonly Pending[];
  readonly counts: RunCounts;
};

export type RunOptions = {
  readonly started: RunStarted;
  readonly startedAt: number;
  readonly sessionId: string;
  readonly sdk: Sdk;
  readonly env: SdkOptions['env'];
  readonly append: (items: readonly Item[]) => Promise<unknown>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly after: After;
  readonly onFault: (cause: unknown) => void;
  /** It goes on in this session. */
  readonly onMove: (sessionId: string) => void;
  /** Resolves when the history that a fork copies is on the log, or is not to be waited for any longer. It is written once the session has begun. */
  readonly history?: () => Promise<void>;
  readonly patience?: Patience;
};

/** How long is waited for what must come: the end of an interrupted turn, of a process without input, of an aborted one, and for what is to be sent. */
export type Patience = { readonly interrupt: number; readonly end: number; readonly abort: number; readonly send: number };

export type Run = {
  readonly view: () => RunView;
  /** Resolves with the uuid it was sent under, when it is on the log; null when the run was over before. */
  readonly send: (text: string) => Promise<string | null>;
  readonly answer: (requestId: string, answer: Answer, by: By) => Promise<Answered>;
  /** Ends it when its turn is over. */
  readonly end: () => void;
  /** RUN-8: ends it now. Resolves when everything that it said, and its end, is on the log, or could not be sent. */
  readonly stop: (reason: { readonly why: string; readonly by: 'run' | 'switch'; readonly isHurried?: true }) => Promise<void>;
  /** Resolves when it has ended, for whatever reason. */
  readonly over: Promise<void>;
};

type Ending = { readonly status: TurnStatus; readonly why: string | null; readonly by: 'run' | 'switch' };

/** One run of the Agent SDK: what it says goes to the log in order, what is said to it goes in, and its turns never stay open. */
export const startRun = (options: RunOptions): Run => {
  const { started, sdk, now, newId, after, onFault, patience = PATIENCE } = options;
  const { runId } = started;
  // RUN-18: what is said in a fork comes behind the history it was copied with.
  let onBegun: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve;
  });
  let history: Promise<void> | null = options.history === undefined ? null : begun.then(options.history).catch(onFault);
  history = history?.finally(() => (history = null)) ?? null;
  const send = async (items: readonly Item[]): Promise<unknown> => {
    await history;
    return options.append(items);
  };
  const outgoing = createOutgoing<Item>({ send, after, onFault, bytesOf: ({ payload }) => payload?.length ?? 0 });
  const input = createInput();
  const aborting = new AbortController();
  const counts = { messages: 0, records: 0, turns: 0 };
  let converter = initialConverter({ sessionId: options.sessionId, cwd: started.cwd, tip: started.fork ? null : started.resumeAt });
  let { sessionId } = options;
  let state: RunState = started.prompt === null ? 'idle' : 'starting';
  let isTurnOpen = false;
  let isEnding = false;
  let lastOutcome: Extract<Fact, { readonly kind: 'ready' | 'cancelled' | 'failed' }> | null = null;
  let ending: Ending | null = null;
  let ended: { readonly at: number; readonly status: TurnStatus; readonly why: string | null } | null = null;
  let complaints = '';
  let onTurnStart: () => void = () => {};
  let onTurnEnd: () => void = () => {};
  let running: SdkQuery | null = null;
  let isConsumed = false;

  const place = (by?: By) => ({ sessionId, at: now(), ...(by === undefined ? {} : { by }) });
  const viewCounts = (): RunCounts => ({ ...counts, permissions: permissions.count(), left: Object.fromEntries(converter.left) });

  const showWork = (): void => {
    if (state !== 'ended') state = permissions.pending().length > 0 ? 'waiting' : isTurnOpen ? 'running' : 'idle';
  };

  /** Puts records on their way: a call of the main conversation is held back a little, everything else is not. */
  const tell = async ({ state: next, records }: Converted): Promise<void> => {
    converter = next;
    let room = Promise.resolve();
    // All at once, so that nothing gets in between; then waiting for room, which keeps the SDK waiting.
    for (const record of records) {
      counts.records += 1;
      const { uses, results, more, isSidechain } = readEntry(record, NOWHERE);
      for (const { toolUseId } of results) outgoing.release(toolUseId);
      if (more?.parentToolUseId != null) outgoing.release(more.parentToolUseId);
      room = outgoing.add(streamedItem(record, now()), { calls: isSidechain ? [] : uses.map(({ id }) => id) });
    }
    await room;
  };

  const take = async (value: unknown): Promise<void> => {
    counts.messages += 1;
    if (isObject(value) && value['type'] !== 'command_lifecycle') onBegun();
    if (state === 'starting') showWork();
    const converted = convert(converter, value, now());
    // The session first: what is told after it stands in it.
    for (const fact of converted.facts) if (fact.kind === 'session') await moveTo(fact.id);
    await tell(converted);
    for (const fact of converted.facts) if (fact.kind !== 'session') await handle(fact);
  };

  const moveTo = async (to: string): Promise<void> => {
    const from = sessionId;
    sessionId = to;
    options.onMove(to);
    await outgoing.add(movedItem(place(), { runId, from, to }, newId()));
  };

  const handle = async (fact: Exclude<Fact, { readonly kind: 'session' }>): Promise<void> => {
    switch (fact.kind) {
      case 'working':
        isTurnOpen = true;
        showWork();
        onTurnStart();
        break;
      case 'ready':
      case 'cancelled':
      case 'failed':
        await closeTurn(fact);
        break;
      default:
        assertNever(fact);
    }
  };

  // RUN-7: everything of the turn is on the log before its end is.
  const closeTurn = async (outcome: NonNullable<typeof lastOutcome>): Promise<void> => {
    lastOutcome = outcome;
    counts.turns += 1;
    await tell(interrupt(converter, now(), 'turn'));
    await outgoing.flush();
    const status = ending !== null && outcome.kind !== 'ready' ? 'cancelled' : STATUS[outcome.kind];
    await outgoing.add(turnClosedItem(place(), { status, isEnd: false, by: ending?.by ?? 'run' }, newId()));
    isTurnOpen = false;
    showWork();
    if (isEnding) input.end();
    onTurnEnd();
  };

  /** Behind everything else; whoever cannot wait for room need not. */
  const post = (item: Item): void => {
    outgoing.add(item).catch(onFault);
  };

  const permissions = createPermissions({
    runId,
    place,
    newId,
    post,
    flush: outgoing.flush,
    release: outgoing.release,
    onChange: () => showWork(),
    isOver: () => ending !== null || ended !== null,
  });

  const consume = async (): Promise<{ readonly cause: unknown } | null> => {
    try {
      running = sdk.query({ prompt: input, options: sdkOptions() });
      for await (const value of running) await take(value);
      return null;
    } catch (cause) {
      return { cause };
    }
  };

  const work = async (): Promise<void> => {
    const thrown = await consume();
    isConsumed = true;
    await finish(ending ?? endingOf(thrown));
  };

  const endingOf = (thrown: { readonly cause: unknown } | null): Ending => {
    // What is thrown behind the result of a turn that went wrong tells the same again.
    if (!isTurnOpen && lastOutcome !== null && (thrown === null || lastOutcome.kind !== 'ready'))
      return { status: STATUS[lastOutcome.kind], why: lastOutcome.kind === 'failed' ? lastOutcome.why : null, by: 'run' };
    if (thrown !== null) return { status: 'failed', why: reasonOf(thrown.cause, complaints), by: 'run' };
    return isTurnOpen
      ? { status: 'failed', why: 'Claude Code ended in the middle of a turn', by: 'run' }
      : { status: 'completed', why: null, by: 'run' };
  };

  let onOver: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    onOver = resolve;
  });
  let finishing: Promise<void> | null = null;
  const finish = (how: Ending): Promise<void> => {
    finishing ??= (async () => {
      onBegun();
      isTurnOpen = false;
      input.end();
      permissions.withdrawAll();
      const { state: closed, records } = interrupt(converter, now(), 'everything');
      // Not waiting for room: a log that takes nothing must not keep the run from ending.
      converter = closed;
      for (const record of records) post(streamedItem(record, now()));
      counts.records += records.length;
      post(turnClosedItem(place(), { status: how.status, isEnd: true, by: how.by }, lastTurnUuid(runId)));
      post(endedItem(place(), { runId, status: how.status, why: how.why, counts: viewCounts() }));
      ended = { at: now(), status: how.status, why: how.why };
      const { unsent } = await outgoing.close(patience.send);
      if (unsent > 0)
        onFault(new Error(`${unsent} entries of run ${runId} could not be written to the log; the next start closes what they left open`));
      // Not before: whoever sees that it has ended may go on with its session.
      state = 'ended';
      onOver();
    })();
    return finishing;
  };

  const within = (ms: number, what: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      const callOff = after(ms, resolve);
      const done = (): void => {
        callOff();
        resolve();
      };
      what.then(done, done);
    });

  let stopping: Promise<void> | null = null;
  const stop: Run['stop'] = ({ why, by, isHurried }) => {
    if (ended !== null) return over;
    ending ??= { status: 'cancelled', why, by };
    stopping ??= stopNow(ending, isHurried === true ? HURRY : 1);
    return stopping;
  };

  const stopNow = async (how: Ending, share: number): Promise<void> => {
    permissions.withdrawAll();
    // More than once: what waited for the turn to end may begin another.
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const turnEnd = new Promise<void>((resolve) => {
        onTurnEnd = resolve;
      });
      // A query that is over rejects; so does one whose process has gone.
      const interrupted = running === null ? Promise.resolve() : running.interrupt().catch(() => {});
      await within(patience.interrupt * share, Promise.race([consumed, isTurnOpen ? turnEnd : interrupted]));
      if (isConsumed || isTurnOpen) break;
      const turnStart = new Promise<void>((resolve) => {
        onTurnStart = resolve;
      });
      await within(QUIET, Promise.race([consumed, turnStart]));
      if (!isTurnOpen) break;
    }
    input.end();
    await within(patience.end * share, consumed);
    if (!isConsumed) {
      aborting.abort();
      await within(patience.abort * share, consumed);
    }
    // Whatever it still says is not waited for; what it said is told, and its turn closed.
    await finish(how);
  };

  const sdkOptions = (): SdkOptions => {
    const { cwd, resume, fork, resumeAt, model, permissionMode, maxTurns } = started;
    return {
      cwd,
      env: options.env,
      abortController: aborting,
      // It would never be called, and the SDK complains about it.
      ...(permissionMode === 'bypassPermissions' ? {} : { canUseTool: permissions.ask }),
      stderr: (text) => {
        complaints = (complaints + text).slice(-MOST_KEPT);
      },
      systemPrompt: { type: 'preset', preset: 'claude_code' },
      settingSources: ['user', 'project', 'local'],
      forwardSubagentText: true,
      // Chosen by us, so that the session is known before it speaks.
      ...(resume === null || fork ? { sessionId: options.sessionId } : {}),
      ...(resume === null ? {} : { resume }),
      ...(fork ? { forkSession: true } : {}),
      ...(resumeAt === null ? {} : { resumeSessionAt: resumeAt }),
      ...(model === null ? {} : { model }),
      ...(permissionMode === null ? {} : { permissionMode }),
      ...(permissionMode === 'bypassPermissions' ? { allowDangerouslySkipPermissions: true } : {}),
      ...(maxTurns === null ? {} : { maxTurns }),
    };
  };

  const consumed = work();
  consumed.catch(onFault);

  return {
    over,
    view: () => ({
      runId,
      sessionId,
      state,
      cwd: started.cwd,
      prompt: started.prompt,
      model: started.model,
      permissionMode: started.permissionMode,
      startedAt: options.startedAt,
      endedAt: ended?.at ?? null,
      status: ended?.status ?? null,
      why: ended?.why ?? null,
      pending: permissions.pending(),
      counts: viewCounts(),
    }),
    send: async (text) => {
      if (ended !== null || ending !== null || isEnding) return null;
      const uuid = newId();
      const isQueued = isTurnOpen;
      isTurnOpen = true;
      if (state === 'idle') showWork();
      await tell(convertPrompt(converter, { uuid, text, at: now(), isQueued }));
      // Nobody works on what is not on the log, but for a fork, whose history is only written when it works.
      if (history === null) await outgoing.flush();
      input.push(promptOf(uuid, text));
      return uuid;
    },
    answer: permissions.answer,
    end: () => {
      isEnding = true;
      if (!isTurnOpen) input.end();
    },
    stop,
  };
};

const reasonOf = (cause: unknown, complaints: string): string => {
  const message = cause instanceof Error ? cause.message : String(cause);
  const last = endOf(complaints);
  return last === '' || message.includes(last) ? message : `${message}; it said: ${last}`;
};

// Masked before it is cut: half a secret is not recognised any more. For the same reason not with a line whose beginning is gone.
const endOf = (complaints: string): string => {
  const whole = complaints.length < MOST_KEPT ? complaints : complaints.slice(complaints.indexOf('\n') + 1);
  return maskSecrets(whole).text.trim().slice(-MOST_COMPLAINTS);
};

const STATUS = { ready: 'completed', cancelled: 'cancelled', failed: 'failed' } as const satisfies Record<string, TurnStatus>;
const PATIENCE: Patience = { interrupt: 5000, end: 3000, abort: 5000, send: 10_000 };
/** What share of its patience a server has that is about to end. */
const HURRY = 0.4;
const QUIET = 100;
const MOST_ROUNDS = 3;
const MOST_COMPLAINTS = 2000;
const MOST_KEPT = 65_536;
