import { readFileSync } from 'node:fs';

/** Processor time of a process's first thread, in seconds: the server's writer and indexer have threads of their own. As Linux tells it. */
export const mainThreadSeconds = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
