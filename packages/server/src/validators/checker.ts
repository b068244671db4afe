import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { ValidationAttempt } from '@yarnboard/domain';
import type { Checked, Question } from './check.ts';
import { jobLine } from './child-process.ts';
import { doJob, type Job, type Piece, type Place } from './job.ts';
import { validatorOf } from './validators.ts';

export type Checker = {
  /** VAL-6: there is an answer for every method, even if it only says that the method took too long. */
  readonly check: (question: Question, place: Place, signal?: AbortSignal, lane?: Lane) => Promise<readonly Checked[]>;
  /** The current stamps of files; null for a file that is gone. Files outside the allowed folders are left out. */
  readonly stamps: (paths: readonly string[], place: Place) => Promise<ReadonlyMap<string, string | null>>;
  /** Which methods work here, and why the others don't. */
  readonly methods: (place: Place) => Promise<readonly Extract<Piece, { readonly kind: 'method' }>[]>;
  readonly close: () => Promise<void>;
};

/** VAL-51: who is waiting for a check. Earlier lanes go first. */
const LANES = ['person', 'agent', 'nobody'] as const;
export type Lane = (typeof LANES)[number];

type Waiting = { readonly lane: Lane; readonly work: () => Promise<void> };

type Options = {
  /** The command line of the checking program; null runs checks in this process. */
  readonly command: readonly string[] | null;
  readonly now: () => number;
  /** Milliseconds per claim. */
  readonly patience?: number;
};

/** Runs jobs one at a time, each in its own process, which is killed if it takes too long. */
export const createChecker = ({ command, now, patience = PATIENCE }: Options): Checker => {
  const closing = new AbortController();
  const waiting: Waiting[] = [];
  let working: Promise<void> | null = null;

  const run = async (job: Job, signal: AbortSignal): Promise<readonly Piece[]> => {
    const pieces: Piece[] = [];
    if (signal.aborted) return pieces;
    const tell = (piece: Piece): void => void pieces.push(piece);
    await (command === null ? doJob(job, tell) : inChild(command, job, tell, { patience, signal }));
    return pieces;
  };

  /** One at a time, so that checks don't slow down the machine for others. */
  const queued = (job: Job, lane: Lane, stop?: AbortSignal): Promise<readonly Piece[]> => {
    const signal = stop === undefined ? closing.signal : AbortSignal.any([closing.signal, stop]);
    return new Promise((resolve, reject) => {
      waiting.push({ lane, work: () => run(job, signal).then(resolve, reject) });
      working ??= workOff();
    });
  };

  const workOff = async (): Promise<void> => {
    // Let requests of the same moment queue up before the first one is chosen.
    await Promise.resolve();
    for (let next = takeNext(); next !== undefined; next = takeNext()) await next.work();
    working = null;
  };

  const takeNext = (): Waiting | undefined => {
    const lane = LANES.find((one) => waiting.some((job) => job.lane === one));
    const [next] = waiting.splice(
      waiting.findIndex((job) => job.lane === lane),
      lane === undefined ? 0 : 1,
    );
    return next;
  };

  return {
    check: async (question, place, signal, lane = 'person') => {
      const startedAt = now();
      const pieces = await queued({ kind: 'check', place, question }, lane, signal);
      const checked = pieces.flatMap((piece) => (piece.kind === 'checked' ? piece.checked : []));
      const answered = new Set(checked.map(({ attempt }) => attempt.method));
      // In the order of the table, whichever answered first.
      return validatorOf(question.type).methods.flatMap(({ name, environment }) =>
        answered.has(name)
          ? checked.filter(({ attempt }) => attempt.method === name)
          : [{ attempt: unanswered(name, environment, startedAt, patience), files: [] }],
      );
    },
    stamps: async (paths, place) => {
      const pieces = await queued({ kind: 'stamps', place, paths }, 'nobody');
      return new Map(pieces.flatMap((piece) => (piece.kind === 'stamp' ? [[piece.path, piece.stamp] as const] : [])));
    },
    methods: async (place) => (await queued({ kind: 'methods', place }, 'person')).flatMap((piece) => (piece.kind === 'method' ? [piece] : [])),
    close: async () => {
      closing.abort();
      await working;
    },
  };
};

const unanswered = (method: string, environment: ValidationAttempt['environment'], startedAt: number, patience: number): ValidationAttempt => ({
  method,
  environment,
  startedAt,
  duration: patience,
  says: 'nothing',
  isDecisive: false,
  evidence: '',
  fault: 'it took too long',
  foundAt: [],
});

type ChildOptions = { readonly patience: number; readonly signal: AbortSignal };

const inChild = (command: readonly string[], job: Job, tell: (piece: Piece) => void, { patience, signal }: ChildOptions): Promise<void> =>
  new Promise((resolve) => {
    const [file = '', ...args] = command;
    const child = spawn(file, args, {
      // VAL-39: some threads may hang on a file system that does not answer; the others keep working.
      env: { PATH: '/usr/bin:/bin', LANG: 'C', UV_THREADPOOL_SIZE: '64' },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      shell: false,
    });
    const { pid } = child;
    const groups = new Set(pid === undefined ? [] : [pid]);
    const kill = (): void => {
      for (const group of groups) {
        try {
          process.kill(-group, 'SIGKILL');
        } catch {
          // The group is already gone.
        }
      }
    };
    const hear = (piece: Piece): void => {
      if (piece.kind !== 'group') tell(piece);
      else if (piece.isOver) groups.delete(piece.pid);
      else groups.add(piece.pid);
    };
    const timer = setTimeout(kill, patience);
    signal.addEventListener('abort', kill, { once: true });
    try {
      if (pid !== undefined) setPriority(pid, 10);
    } catch {
      // it has already ended
    }
    const lines = createInterface({ input: child.stdout });
    let bytes = 0;
    lines.on('line', (line) => {
      bytes += line.length;
      if (bytes > MOST_BYTES) kill();
      else tellLine(line, hear);
    });
    let isOver = false;
    const done = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      kill();
      child.stdin.destroy();
      resolve();
    };
    child.once('error', done);
    lines.once('close', done);
    child.stdin.on('error', () => {}); // it exited before reading everything; its exit is handled elsewhere
    // VAL-52: it stays open, so that the child notices when this process is gone.
    child.stdin.write(jobLine(job));
  });

const tellLine = (line: string, tell: (piece: Piece) => void): void => {
  let piece: Piece;
  try {
    piece = JSON.parse(line) as Piece; // written by our own program
  } catch {
    return; // half a line: the program was killed while writing
  }
  tell(piece);
};

const PATIENCE = 15_000;
const MOST_BYTES = 1_000_000;
