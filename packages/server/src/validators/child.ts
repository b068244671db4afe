import { text } from 'node:stream/consumers';
import { doJob, type Job } from './job.ts';

// The process that checks: a child of the server without token, database or home. It reads one job and answers piece by piece, so that what it found out
// before it was ended is not lost.
const job = JSON.parse(await text(process.stdin)) as Job; // the server wrote it
await doJob(job, (piece) => void process.stdout.write(`${JSON.stringify(piece)}\n`));
// VAL-39: what still waits for a file system that does not answer would keep it from ending by itself.
process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'));
