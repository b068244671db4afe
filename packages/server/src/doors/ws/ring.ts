import type { Frame } from './frame.ts';

/** The latest frames, without gaps: whoever was away for a moment is served from here, and nobody reads the log for it. */
export type Ring = {
  /** The position of the newest; the one after it is the next to come. */
  readonly edge: () => number;
  readonly at: (seq: number) => Frame | null;
  /** Frames that do not follow the newest are not taken: the ring was set elsewhere while they were made. */
  readonly push: (frames: readonly Frame[]) => void;
  /** Empty, and the next one to come is behind this position. */
  readonly reset: (edge: number) => void;
};

export const createRing = (mostFrames: number, mostBytes = MOST_BYTES): Ring => {
  let frames: Frame[] = [];
  /** How many of the oldest are gone; they are cut off now and then, not one by one. */
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
