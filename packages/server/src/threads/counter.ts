import { Worker } from 'node:worker_threads';
import { assertNever } from '@yarnboard/domain';
import type { DailySpendingRow, Integrity, LibraryPort, LogPort, MediaPort, SpendingFilter, SpendingKey, SpendingRow, Store } from '@yarnboard/store';
import type { Home } from '../home/home.ts';
import type { HeadAt } from '../sessions/kept-heads.ts';
import { createSessionLoader } from '../sessions/session-loader.ts';
import { headOf } from '../sessions/session-outline.ts';
import { connect } from './rpc.ts';
import { usageFigures, type UsageFigures, type UsageQuestion } from './usage-figures.ts';

/** Queries over a whole board or session, however large. */
export type Question =
  | { readonly kind: 'integrity'; readonly sessionId: string | null }
  | { readonly kind: 'figures'; readonly filter: SpendingFilter; readonly split: Exclude<SpendingKey, 'day' | 'session'> | null }
  | UsageQuestion
  | { readonly kind: 'totals' }
  | { readonly kind: 'size' }
  | { readonly kind: 'media' }
  | { readonly kind: 'head'; readonly sessionId: string };

export type Totals = Awaited<ReturnType<LibraryPort['totals']>>;

/** What was spent, by every criterion shown. */
export type Figures = {
  readonly totals: Totals;
  readonly by: Readonly<Record<Exclude<SpendingKey, 'session'>, readonly SpendingRow[]>>;
  readonly daily: readonly DailySpendingRow[];
};

type Answers = {
  readonly integrity: Integrity;
  readonly figures: Figures;
  readonly usage: UsageFigures;
  readonly totals: Totals;
  readonly size: Awaited<ReturnType<LogPort['size']>>;
  readonly media: Awaited<ReturnType<MediaPort['usage']>>;
  readonly head: HeadAt;
};

export type AnswerTo<Q extends Question> = Answers[Q['kind']];

/** Answers such queries one by one. */
export type Counter = {
  readonly answer: <Q extends Question>(question: Q, signal: AbortSignal) => Promise<AnswerTo<Q>>;
  readonly close: () => Promise<void>;
};

export type CounterTask = { readonly home: Home };
type Board = Pick<Store, 'log' | 'library' | 'media'>;
type CounterMethods = { readonly answer: (question: Question) => Promise<unknown>; readonly close: () => Promise<void> };

/** In this thread: for processes that run everything in one. */
export const counterOn = (board: Board): Counter => ({
  answer: (question) => answerTo(board, question) as Promise<never>, // of this query's kind
  close: async () => {},
});

/**
 * API-52: in a thread of its own, so that nobody else waits. The first query starts it, and it ends after a while without one, since it keeps a
 * database and caches open. An abandoned query ends with its thread, at the end of the running statement.
 */
export const startCounter = (home: Home, program: string, idleAfter = IDLE): Counter => {
  let running: { readonly worker: Worker; readonly methods: CounterMethods } | null = null;
  let idle: NodeJS.Timeout | null = null;

  const start = (): CounterMethods => {
    if (idle !== null) clearTimeout(idle);
    if (running !== null) return running.methods;
    const worker = new Worker(program, { workerData: { home } satisfies CounterTask });
    worker.unref();
    const methods = connect<CounterMethods, never>(worker, ['answer', 'close'], () => {});
    worker.once('exit', () => {
      if (running?.worker === worker) running = null;
    });
    running = { worker, methods };
    return methods;
  };

  const end = async (): Promise<void> => {
    if (idle !== null) clearTimeout(idle);
    const { worker } = running ?? {};
    running = null;
    await worker?.terminate();
  };

  return {
    answer: async (question, signal) => {
      const methods = start();
      const stop = (): void => void end();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return (await methods.answer(question)) as never; // of this query's kind
      } finally {
        signal.removeEventListener('abort', stop);
        idle = setTimeout(() => void end(), idleAfter);
        idle.unref();
      }
    },
    close: end,
  };
};

export const answerTo = async ({ log, library, media }: Board, question: Question): Promise<Answers[keyof Answers]> => {
  switch (question.kind) {
    case 'integrity':
      return library.integrity(question.sessionId ?? undefined);
    case 'figures': {
      const { filter, split } = question;
      const [day, model, project, agent, tool] = await Promise.all(SPENDING_KEYS.map((key) => library.spending(key, filter)));
      return {
        totals: await library.totals(),
        by: { day: day ?? [], model: model ?? [], project: project ?? [], agent: agent ?? [], tool: tool ?? [] },
        daily: split === null ? [] : await library.dailySpending(split, filter),
      };
    }
    case 'usage':
      return usageFigures(library, question);
    case 'totals':
      return library.totals();
    case 'size':
      return log.size();
    case 'media':
      return media.usage();
    case 'head': {
      const { outline, position } = await createSessionLoader({ log, library }).load(question.sessionId);
      return { position: position ?? 0, head: headOf(outline()) };
    }
    default:
      return assertNever(question);
  }
};

const SPENDING_KEYS = ['day', 'model', 'project', 'agent', 'tool'] as const satisfies readonly SpendingKey[];
const IDLE = 30_000;
