import type { Io } from '../io.ts';

/** "importing  43 %  128 of 300 MB  21.3 MB/s  8 s left", on one line that is overwritten; only for a terminal. */
export const progressLine = (io: Io, verb: string): { readonly show: (done: number, all: number) => void; readonly end: () => void } => {
  if (!io.isErrTerminal) return { show: () => {}, end: () => {} };
  const started = io.now();
  let shownAt = 0;
  return {
    show: (done, all) => {
      const now = io.now();
      if (now - shownAt < 100 && done < all) return;
      shownAt = now;
      io.err(`\r\u001b[K${progressText(verb, done, all, (now - started) / 1000)}`);
    },
    end: () => io.err('\r\u001b[K'),
  };
};

export const progressText = (verb: string, done: number, all: number, seconds: number): string => {
  const share = all === 0 ? 1 : Math.min(1, done / all);
  const bar = `${'█'.repeat(Math.round(share * 20))}${'░'.repeat(20 - Math.round(share * 20))}`;
  const rate = seconds > 0 ? done / seconds : 0;
  const left = rate > 0 ? (all - done) / rate : 0;
  return `${verb} ${bar} ${Math.floor(share * 100)} %  ${megabytes(done)} of ${megabytes(all)}  ${megabytes(rate)}/s  ${timeText(left)} left`;
};

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;

const timeText = (seconds: number): string => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);
