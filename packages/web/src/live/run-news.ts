import type { InsideOutput } from '@yarnboard/protocol';

export type Run = InsideOutput<'run'>;

/** PAGE-402: the later of two states of a run: answers overtake each other. A run that has ended stays ended. */
export const newerRun = (known: Run | null, told: Run): Run => {
  if (known === null || known.runId !== told.runId) return told;
  if ((known.state === 'ended') !== (told.state === 'ended')) return known.state === 'ended' ? known : told;
  return told.revision > known.revision ? told : known;
};

/** A prompt that was given here, and that the server has not answered yet. */
export type Outgoing = {
  readonly uuid: string;
  readonly text: string;
  readonly isQueued: boolean;
  /** How many images go with it. */ readonly images?: number;
};

export type WaitingPrompt = { readonly uuid: string; readonly text: string; readonly images: number; readonly isSent: boolean };

/** PAGE-402: the prompts waiting for a run, in order: those the server has, then those on their way. */
export const waitingPrompts = (run: Pick<Run, 'queued'>, outgoing: readonly Outgoing[]): readonly WaitingPrompt[] => {
  const known = new Set(run.queued.map(({ uuid }) => uuid));
  return [
    ...run.queued.map(({ uuid, text, images }) => ({ uuid, text, images, isSent: true })),
    ...outgoing.filter(({ uuid }) => !known.has(uuid)).map(({ uuid, text, images = 0 }) => ({ uuid, text, images, isSent: false })),
  ];
};

/** The latest known state of each run. */
export type RunNews = {
  readonly take: (run: Run) => void;
  readonly of: (runId: string) => Run | null;
  readonly subscribe: (listener: () => void) => () => void;
};

export const createRunNews = (): RunNews => {
  const latest = new Map<string, Run>();
  const listeners = new Set<() => void>();
  return {
    take: (run) => {
      const known = latest.get(run.runId) ?? null;
      const next = newerRun(known, run);
      if (next === known) return;
      latest.delete(run.runId);
      latest.set(run.runId, next);
      for (const oldest of latest.keys()) {
        if (latest.size <= MOST) break;
        latest.delete(oldest);
      }
      for (const listener of listeners) listener();
    },
    of: (runId) => latest.get(runId) ?? null,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/** A page that is open for weeks sees many. */
const MOST = 500;
