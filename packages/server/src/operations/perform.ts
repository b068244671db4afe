import { maskJson } from '@yarnboard/domain';
import { REGISTRY, type Operation, type OperationName, type ProblemCode } from '@yarnboard/protocol';
import { StoreFault } from '@yarnboard/store';
import { handlersFor, type OperationsNeeds } from './handlers.ts';
import type { Asker, Asking } from './request/asker.ts';
import { Refused } from './request/refusal.ts';

export type Given = Readonly<Record<string, unknown>>;

/** What somebody asks with. Parts of a path are named already: nobody may name them again. */
export type Asked = {
  readonly given: Given;
  readonly inPath?: Given;
  /** What the door itself knows of a command: the id of its frame, and which kind of client it is. */
  readonly messageId?: string;
  readonly client?: string;
  /** Aborted when nobody waits for the answer any longer. */
  readonly signal?: AbortSignal;
};

/** Does one operation of the registry for whoever asks; refuses by throwing `Refused`. */
export type Perform = (name: OperationName, asker: Asker, ask: () => Asked | Promise<Asked>) => Promise<unknown>;

/** The one way to an operation, whichever door somebody comes through: who may, what is understood and what is shown is decided here. */
export const createPerform = (needs: OperationsNeeds, onAnswer: (isWellFormed: () => boolean) => void = () => {}): Perform => {
  const handlers = handlersFor(needs);
  return async (name, asker, ask) => {
    const { isOperator, actor } = asker;
    const operation: Operation = REGISTRY[name];
    if (operation.who === 'member' && actor === null) {
      throw new Refused(
        'token-needed',
        `${operation.method} ${operation.path} needs a token, which says who you are: that of the operator, or the one an agent was given (yarnboard agent add); send "Authorization: Bearer …", on a WebSocket as token of hello`,
      );
    }
    if (operation.who === 'operator' && actor !== null && !isOperator) {
      throw new Refused('operator-only', `${operation.name} is for the human operator; you are ${actor.id}`);
    }
    if (operation.who === 'operator' && !isOperator) {
      throw new Refused(
        'token-needed',
        `${operation.method} ${operation.path} needs the operator's token: send "Authorization: Bearer …" with what is in operator.token of the Yarnboard home; on a WebSocket, send it as token of hello`,
      );
    }
    const asked = await ask();
    const input = inputOf(operation, asked);
    const isRevealed = input['reveal'] === true;
    if (isRevealed && !isOperator) {
      throw new Refused('operator-only', 'only the human operator may see masked secrets; leave out reveal, or send the operator token');
    }
    const handle = handlers[name] as (input: unknown, asking: Asking) => Promise<unknown>; // the registry's names are the handlers'
    const answer = await handle(input, {
      asker,
      messageId: asked.messageId ?? null,
      client: asked.client ?? 'api',
      signal: asked.signal ?? NEVER,
    });
    onAnswer(() => operation.output.safeParse(answer).success);
    return isRevealed || operation.isShownWhole === true ? answer : shown(answer);
  };
};

const NEVER = new AbortController().signal;

/** SEC-11: every answer goes out through here, so that no door can forget it. Only a cursor must come back as it was. */
export const shown = <T>(answer: T): T => {
  const masked = maskJson(answer) as T; // same shape, other texts
  const isPage = typeof answer === 'object' && answer !== null && 'next_cursor' in answer;
  return isPage ? { ...masked, next_cursor: answer.next_cursor } : masked;
};

/** What an operation is asked to do; refused where it cannot be understood. */
export const inputOf = (operation: Operation, { given, inPath = {} }: Asked): Given => {
  const { shape } = operation.input;
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(shape, key) || Object.hasOwn(inPath, key));
  if (unknown !== undefined) {
    const known = Object.keys(shape).filter((key) => !Object.hasOwn(inPath, key));
    throw new Refused('bad-request', `there is no parameter "${unknown}"; there are ${known.join(', ') || 'none'}`);
  }
  const input = operation.input.safeParse({ ...given, ...inPath });
  if (input.success) return input.data;
  throw new Refused('bad-request', input.error.issues.map(({ path, message }) => `${path.join('.') || 'the request'}: ${message}`).join('; '));
};

/** The parameters of a query are texts in an address; where they come as JSON, `true` is what "true" is there. */
export const asQuery = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]));

/** What went wrong, as it is told outside. */
export const problemFrom = (cause: unknown): { readonly code: ProblemCode; readonly detail: string } => {
  if (cause instanceof Refused) return { code: cause.code, detail: cause.message };
  if (cause instanceof StoreFault) {
    const code = {
      full: 'store-full',
      corrupt: 'store-damaged',
      locked: 'store-unavailable',
      unreachable: 'store-unavailable',
      'read-only': 'store-unavailable',
      failed: 'store-unavailable',
      stale: 'store-unavailable',
    } as const;
    return { code: code[cause.kind], detail: cause.message };
  }
  return { code: 'internal', detail: 'something went wrong here; the server wrote down what' };
};
