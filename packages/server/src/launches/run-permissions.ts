import type { Item } from '@yarnboard/store';
import type { JsonObject } from '@yarnboard/transcript';
import { answeredItem, askedItem, type By, type PermissionAnswered, type PermissionAsked } from './run-entries.ts';
import type { CanUseTool, PermissionResult } from './sdk.ts';

export type Answer =
  | { readonly decision: 'allow'; readonly updatedInput: JsonObject | null }
  | { readonly decision: 'deny'; readonly message: string | null; readonly interrupt: boolean };

/** What became of an answer: `withdrawn` when the question was taken back before it came. */
export type Answered = 'done' | 'unknown' | 'answered' | 'withdrawn';

export type Pending = Omit<PermissionAsked, 'runId'> & { readonly askedAt: number };

export type PermissionOptions = {
  readonly runId: string;
  readonly place: (by?: By) => { readonly sessionId: string; readonly at: number; readonly by?: By };
  readonly newId: () => string;
  /** Puts an entry on its way to the log. */
  readonly post: (item: Item) => void;
  /** Resolves when everything on its way is on the log. */
  readonly flush: () => Promise<void>;
  readonly release: (call: string) => void;
  /** The number of questions is another. */
  readonly onChange: () => void;
  readonly isOver: () => boolean;
};

export type Permissions = {
  readonly ask: CanUseTool;
  readonly answer: (requestId: string, answer: Answer, by: By) => Promise<Answered>;
  readonly withdrawAll: () => void;
  readonly pending: () => readonly Pending[];
  readonly count: () => number;
};

type Asked = { readonly pending: Pending; readonly resolve: (result: PermissionResult) => void };

/** RUN-10: what a run asks before it uses a tool, and who answered what. */
export const createPermissions = ({ runId, place, newId, post, flush, release, onChange, isOver }: PermissionOptions): Permissions => {
  const asked = new Map<string, Asked>();
  const settled = new Map<string, 'answered' | 'withdrawn'>();
  let count = 0;

  const ask: CanUseTool = (tool, input, about) =>
    new Promise((resolve) => {
      const { sessionId, at } = place();
      const pending: Pending = {
        requestId: about.requestId ?? newId(),
        tool,
        input,
        toolUseId: about.toolUseID ?? null,
        agentId: about.agentID ?? null,
        suggestions: about.suggestions ?? [],
        title: about.title ?? about.description ?? null,
        askedAt: at,
      };
      const { requestId, toolUseId, askedAt: _askedAt, ...rest } = pending;
      const item = askedItem({ sessionId, at }, { runId, requestId, toolUseId, ...rest });
      count += 1;
      asked.set(requestId, { pending, resolve });
      if (toolUseId !== null) release(toolUseId);
      post(item);
      onChange();
      if (isOver() || about.signal.aborted) withdraw(requestId);
      else about.signal.addEventListener('abort', () => withdraw(requestId), { once: true });
    });

  const conclude = (requestId: string, how: 'answered' | 'withdrawn', told: Omit<PermissionAnswered, 'runId' | 'requestId'>, by?: By): void => {
    // Made first: whatever goes wrong with it must leave the question as it was.
    const item = answeredItem(place(by), { runId, requestId, ...told });
    asked.delete(requestId);
    settled.set(requestId, how);
    post(item);
    onChange();
  };

  const withdraw = (requestId: string): void => {
    const one = asked.get(requestId);
    if (one === undefined) return;
    conclude(requestId, 'withdrawn', WITHDRAWN);
    one.resolve({ behavior: 'deny', message: 'the run was stopped before anybody answered', interrupt: true });
  };

  return {
    ask,
    answer: async (requestId, answer, by) => {
      const one = asked.get(requestId);
      if (one === undefined) return settled.get(requestId) ?? 'unknown';
      conclude(requestId, 'answered', toldOf(answer), by);
      // Who allowed it is on the log before it is done.
      await flush();
      one.resolve(resultOf(answer, one.pending.input));
      return 'done';
    },
    withdrawAll: () => {
      for (const requestId of asked.keys()) withdraw(requestId);
    },
    pending: () => [...asked.values()].map((one) => one.pending),
    count: () => count,
  };
};

const toldOf = (answer: Answer): Omit<PermissionAnswered, 'runId' | 'requestId'> =>
  answer.decision === 'allow'
    ? { decision: 'allow', message: null, updatedInput: answer.updatedInput, interrupt: false }
    : { decision: 'deny', message: answer.message, updatedInput: null, interrupt: answer.interrupt };

const resultOf = (answer: Answer, input: JsonObject): PermissionResult => {
  if (answer.decision === 'allow') return { behavior: 'allow', updatedInput: answer.updatedInput ?? input };
  const message = answer.message ?? 'the operator said no';
  return answer.interrupt ? { behavior: 'deny', message, interrupt: true } : { behavior: 'deny', message };
};

export const WITHDRAWN = { decision: 'withdrawn', message: null, updatedInput: null, interrupt: false } as const;
