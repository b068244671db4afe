import { readFileSync } from 'node:fs';

// What Linux tells of a process that runs. Elsewhere there is no /proc, and these benches say so.

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');

const numberIn = (text: string, name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'mu').exec(text)?.[1] ?? Number.NaN);

/** The most memory it has had, in bytes; null when it has just ended. */
export const peakMemory = (pid: number): number | null => {
  try {
    const peak = numberIn(read(pid, 'status'), 'VmHWM');
    return Number.isFinite(peak) ? peak * 1024 : null;
  } catch {
    return null;
  }
};

export const memoryNow = (pid: number): number => numberIn(read(pid, 'status'), 'VmRSS') * 1024;

/** Bytes that all its threads have read, from files, pipes and sockets, cached or not. */
export const bytesRead = (pid: number): number => numberIn(read(pid, 'io'), 'rchar');

/** Seconds of processor time of all its threads; null when it has just ended. */
export const cpuSeconds = (pid: number): number | null => {
  try {
    // The name of the program, in brackets, may have spaces.
    const fields = read(pid, 'stat')
      .replace(/^.*\)\s/su, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return null;
  }
};

const TICKS = 100;
