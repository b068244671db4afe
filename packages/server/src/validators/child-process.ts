import { createInterface } from 'node:readline';
import { jsonLine } from '@yarnboard/transcript';
import type { Job, Piece } from './job.ts';

/** The job is a line of its own: whoever asks keeps the input open for as long as they live. */
export const jobLine = (job: Job): string => jsonLine(job);

/**
 * Does the job that comes in on standard input, answering piece by piece on standard output: nothing it found is lost if it is killed. VAL-52: the end of
 * the input means that the server is gone, however it went. Then nobody waits for an answer, and this process ends with every program it started.
 */
export const serveJob = (work: (job: Job, tell: (piece: Piece) => void) => Promise<void>): void => {
  const groups = new Set<number>();
  const end = (): void => {
    for (const group of groups) {
      try {
        process.kill(-group, 'SIGKILL');
      } catch {
        // The group is already gone.
      }
    }
    // VAL-39: a thread that still waits for a hanging file system would keep the process alive.
    process.kill(process.pid, 'SIGKILL');
  };
  const tell = (piece: Piece): void => {
    if (piece.kind === 'group' && !piece.isOver) groups.add(piece.pid);
    else if (piece.kind === 'group') groups.delete(piece.pid);
    process.stdout.write(jsonLine(piece));
  };
  process.stdout.once('error', end);
  const lines = createInterface({ input: process.stdin });
  lines.once('close', end);
  lines.once('line', (line) => {
    void work(JSON.parse(line) as Job, tell) // written by the server
      .catch(() => {}) // what it said before counts
      .then(() => process.stdout.write('', end));
  });
};
