import type { Frame } from './frame.ts';

/** The latest frames, without gaps: clients that were briefly away are served from here, without reading the log. */
export type Ring = {
  /** The position of the newest; the next one follows it. */
  readonly edge: () => number;
  readonly at: (seq: number) => Frame | null;
  /** Frames that don't follow the newest are ignored: the ring was reset while they were made. */
  readonly push: (frames: readonly Frame[]) => void;
  /** Empties it; the next frame comes after this position. */
  readonly reset: (edge: number) => void;
};

export const createRing = (mostFrames: number, mostBytes = MOST_BYTES): Ring => {
  let frames: Frame[] = [];
  /** How many of the oldest are gone; they are removed in batches, not one by one. */
  let gone = 0;
  let edge = 0;

  const trim = (): void => {
    let bytes = 0;
    let from = frames.length;
    while (from > gone && frames.length - from < mostFrames) {
      bytes += frames[from - 1]?.size() ?? 0;
      if (bytes > mostBytes) break;
      from -= 1;
    }
    gone = from;
    if (gone > frames.length / 2) {
      frames = frames.slice(gone);
      gone = 0;
    }
  };

  return {
    edge: () => edge,
    at: (seq) => {
      const index = frames.length - 1 - (edge - seq);
      return index < gone ? null : (frames[index] ?? null);
    },
    push: (more) => {
      if (more[0]?.seq !== edge + 1) return;
      trim();
      for (const frame of more) frames.push(frame);
      edge = more.at(-1)?.seq ?? edge;
    },
    reset: (at) => {
      frames = [];
      gone = 0;
      edge = at;
    },
  };
};

const MOST_BYTES = 32 * 1024 * 1024;
