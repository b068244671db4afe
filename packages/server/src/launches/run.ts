import { assertNever } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import { createOutgoing, type After } from './outgoing.ts';
import type { By, RunStarted } from './run-entries.ts';
import type { PromptImage } from './prompt-content.ts';
import { createInput, promptOf } from './run-input.ts';
import { standingOf, type Answered } from './run-permissions.ts';
import { beginRun, takesPrompts, type AfterFlush, type Answer, type Patience, type ProgressEffect, type ProgressInput } from './run-progress.ts';
import { stepRun } from './run-steps.ts';
import { viewOf, type RunView } from './run-view.ts';
import type { CanUseTool, LoadSdk, PermissionResult, Sdk, SdkOptions, SdkQuery } from './sdk.ts';

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
  /** Called when the run continues in another session. */
  readonly onMove: (sessionId: string) => void;
  /** Resolves when the history that a fork copies is on the log, or when we stop waiting. It is written once the session has begun. */
  readonly history?: () => Promise<void>;
  readonly patience?: Patience;
  readonly setting?: RunSetting;
};

/** The settings of a run that belongs to a seat. */
export type RunSetting = {
  /** Loads another program than the installed SDK. */
  readonly loadSdk?: LoadSdk;
  /** The complete environment. */
  readonly env: SdkOptions['env'];
  /** These override the user's settings. */
  readonly sdkOptions: Partial<SdkOptions>;
  /** Called for everything that happens to the run, after it was processed. */
  readonly hear: (heard: ProgressInput) => void;
  /** Called when it has ended and nothing more will be written. */
  readonly onOver: (why: string | null) => void;
};

export type Run = {
  readonly view: () => RunView;
  /** Resolves with the message's uuid when it is on the log; null if the run was already over. */
  readonly send: (text: string, isQueued?: boolean, uuid?: string, images?: readonly PromptImage[]) => Promise<string | null>;
  /** RUN-24: replaces the text of a queued message; false if there is none with this uuid. */
  readonly change: (uuid: string, text: string) => boolean;
  /** RUN-23: removes a queued message; false if there is none with this uuid. */
  readonly unsend: (uuid: string) => boolean;
  readonly answer: (requestId: string, answer: Answer, by: By) => Promise<Answered>;
  /** Ends the turn; the run continues. */
  readonly interrupt: () => Promise<void>;
  /** Ends the run after its current turn. */
  readonly end: () => void;
  /** RUN-8: ends the run now. Resolves when all its messages and its end are on the log, or could not be sent. */
  readonly stop: (reason: { readonly why: string; readonly by: 'run' | 'switch'; readonly isHurried?: true }) => Promise<void>;
  /** Resolves when the run has ended for whatever reason. */
  readonly over: Promise<void>;
};

/** Starts a run of the Agent SDK. `stepRun` decides what each input leads to; this code performs the effects on the SDK and the log. */
export const startRun = (options: RunOptions): Run => {
  const { started, sdk, now, newId, after, onFault, patience = PATIENCE } = options;
  let progress = beginRun(started, options.sessionId, options.history !== undefined);
  const begun = promised();
  const over = promised();
  // RUN-18: in a fork, new messages come after the copied history.
  const history = options.history === undefined ? null : begun.promise.then(options.history).catch(onFault);
  history?.then(() => hear({ kind: 'history-told' })).catch(onFault);
  const send = async (items: readonly Item[]): Promise<unknown> => {
    await history;
    return options.append(items);
  };
  const outgoing = createOutgoing<Item>({ send, after, onFault, bytesOf: ({ payload }) => payload?.length ?? 0 });
  const input = createInput();
  const aborting = new AbortController();
  const questions = new Map<string, (result: PermissionResult) => void>();
  let running: SdkQuery | null = null;
  let callOff: () => void = () => {};

  /** Resolves when there is room for more and the work behind a flush is done. Awaiting it makes the SDK wait. */
  const hear = async (heard: ProgressInput): Promise<void> => {
    const stepped = stepRun(patience, progress, heard);
    ({ progress } = stepped);
    options.setting?.hear(heard);
    let room: Promise<void> = Promise.resolve();
    const following: Promise<void>[] = [];
    // Without awaiting in between, so that no other input interferes.
    for (const effect of stepped.effects) {
      if (effect.kind === 'post') room = outgoing.add(effect.item, { calls: effect.calls }).catch(onFault);
      else if (effect.kind === 'flush') following.push(follow(outgoing.flush(), effect.behind));
      else if (effect.kind === 'make-room') following.push(follow(room, effect.behind));
      else act(effect);
    }
    await Promise.all([room, ...following]);
  };

  const follow = async (before: Promise<void>, behind: AfterFlush): Promise<void> => {
    await before;
    await hear({ kind: 'flushed', behind, at: now() });
  };

  /** For callers that need not wait. */
  const tell = (heard: ProgressInput): void => {
    hear(heard).catch(onFault);
  };

  const act = (effect: Exclude<ProgressEffect, { kind: 'post' | 'flush' | 'make-room' }>): void => {
    switch (effect.kind) {
      case 'release':
        outgoing.release(effect.call);
        break;
      case 'say':
        input.push(promptOf(effect.uuid, effect));
        break;
      case 'settle':
        questions.get(effect.requestId)?.(effect.result);
        questions.delete(effect.requestId);
        break;
      case 'begun':
        begun.resolve();
        break;
      case 'moved':
        options.onMove(effect.sessionId);
        break;
      case 'end-input':
        input.end();
        break;
      case 'interrupt':
        void interrupt(effect.stage);
        break;
      case 'wait':
        callOff();
        callOff = after(effect.ms, () => tell({ kind: 'timeout', stage: effect.stage, at: now() }));
        break;
      case 'call-off':
        callOff();
        break;
      case 'abort':
        aborting.abort();
        break;
      case 'write-out':
        outgoing.close(patience.send).then(({ unsent }) => tell({ kind: 'written', unsent }), onFault);
        break;
      case 'fault':
        onFault(new Error(effect.message));
        break;
      case 'over':
        over.resolve();
        break;
      default:
        assertNever(effect);
    }
  };

  // Interrupting fails if the query is over or its process is gone.
  const interruptTurn = async (): Promise<void> => {
    await running?.interrupt().catch(() => {});
  };

  const interrupt = async (stage: number): Promise<void> => {
    await interruptTurn();
    tell({ kind: 'interrupt-heard', stage, at: now() });
  };

  const ask: CanUseTool = (tool, given, about) =>
    new Promise((resolve) => {
      // A reused id would answer the earlier question.
      const isNew = about.requestId !== undefined && standingOf(progress, about.requestId) === 'unknown';
      const requestId = isNew && about.requestId !== undefined ? about.requestId : newId();
      questions.set(requestId, resolve);
      const { toolUseID: toolUseId = null, agentID: agentId = null, suggestions = [] } = about;
      const title = about.title ?? about.description ?? null;
      tell({ kind: 'asked', question: { requestId, tool, input: given, toolUseId, agentId, suggestions, title, askedAt: now() } });
      const takeBack = (): void => tell({ kind: 'taken-back', requestId, at: now() });
      if (about.signal.aborted) takeBack();
      else about.signal.addEventListener('abort', takeBack, { once: true });
    });

  const consume = async (): Promise<string | null> => {
    try {
      running = sdk.query({ prompt: input, options: sdkOptions() });
      for await (const value of running) await hear({ kind: 'message', value, at: now() });
      return null;
    } catch (cause) {
      return cause instanceof Error ? cause.message : String(cause);
    }
  };

  const sdkOptions = (): SdkOptions => {
    const { cwd, resume, fork, resumeAt, model, permissionMode, maxTurns } = started;
    return {
      cwd,
      env: options.env,
      abortController: aborting,
      // With this mode it would never be called, and the SDK complains about it.
      ...(permissionMode === 'bypassPermissions' ? {} : { canUseTool: ask }),
      stderr: (text) => tell({ kind: 'complained', text }),
      systemPrompt: { type: 'preset', preset: 'claude_code' },
      settingSources: ['user', 'project', 'local'],
      forwardSubagentText: true,
      // We choose the id, so that we know the session before its first message.
      ...(resume === null || fork ? { sessionId: options.sessionId } : {}),
      ...(resume === null ? {} : { resume }),
      ...(fork ? { forkSession: true } : {}),
      ...(resumeAt === null ? {} : { resumeSessionAt: resumeAt }),
      ...(model === null ? {} : { model }),
      ...(permissionMode === null ? {} : { permissionMode }),
      ...(permissionMode === 'bypassPermissions' ? { allowDangerouslySkipPermissions: true } : {}),
      ...(maxTurns === null ? {} : { maxTurns }),
      ...options.setting?.sdkOptions,
    };
  };

  consume()
    .then((reason) => tell({ kind: 'consumed', reason, at: now() }))
    .catch(onFault);

  return {
    over: over.promise,
    view: () => viewOf(progress, options.startedAt),
    send: async (text, isQueued = false, uuid = newId(), images = []) => {
      if (!takesPrompts(progress)) return null;
      await hear({ text, ...(images.length === 0 ? {} : { images }), kind: isQueued ? 'queued' : 'prompt', uuid, at: now() });
      return uuid;
    },
    answer: async (requestId, answer, by) => {
      const standing = standingOf(progress, requestId);
      if (standing !== 'open') return standing;
      await hear({ kind: 'answered', requestId, answer, by, at: now() });
      return 'done';
    },
    change: (uuid, text) => {
      const isThere = progress.queued.some((one) => one.uuid === uuid);
      if (isThere) tell({ kind: 'changed', uuid, text });
      return isThere;
    },
    unsend: (uuid) => {
      const isThere = progress.queued.some((one) => one.uuid === uuid);
      if (isThere) tell({ kind: 'unsent', uuid });
      return isThere;
    },
    interrupt: interruptTurn,
    end: () => tell({ kind: 'end' }),
    stop: ({ why, by, isHurried = false }) => {
      tell({ kind: 'stop', why, by, isHurried, at: now() });
      return over.promise;
    },
  };
};

const promised = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

const PATIENCE: Patience = { interrupt: 5000, end: 3000, abort: 5000, send: 10_000 };
