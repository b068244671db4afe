import { reasonOf } from '../home/reason.ts';

export type Trouble = { readonly path: string; readonly why: string; readonly since: number };

/** Files that can't be read for now, and since when. */
export type Troubles = {
  readonly note: (path: string, cause: unknown) => void;
  /** It was read, or is gone. */
  readonly clear: (path: string) => void;
  /** What the latest walk over all folders could not read; replaces the previous walk's result. */
  readonly walked: (unreadable: readonly { readonly file: string; readonly reason: string }[], isThere: (path: string) => boolean) => void;
  readonly all: () => readonly Trouble[];
};

export const createTroubles = (now: () => number): Troubles => {
  const reading = new Map<string, Trouble>();
  let walking = new Map<string, Trouble>();
  return {
    note: (path, cause) => {
      reading.set(path, { path, why: reasonOf(cause), since: reading.get(path)?.since ?? now() });
    },
    clear: (path) => {
      reading.delete(path);
    },
    walked: (unreadable, isThere) => {
      walking = new Map(unreadable.map(({ file, reason }) => [file, { path: file, why: reason, since: walking.get(file)?.since ?? now() }]));
      for (const path of reading.keys()) if (!isThere(path)) reading.delete(path);
    },
    all: () => [...new Map([...walking, ...reading]).values()],
  };
};
