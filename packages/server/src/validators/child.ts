import { text } from 'node:stream/consumers';
import { doJob, type Job } from './job.ts';

// The process that runs checks: a child of the server without token, database or home. It reads one job and answers piece by piece, so that nothing
// it found is lost if it is killed.
const job = JSON.parse(await text(process.stdin)) as Job; // written by the server
await doJob(job, (piece) => void process.stdout.write(`${JSON.stringify(piece)}\n`));
// VAL-39: a thread that still waits for a hanging file system would keep the process alive.
process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'));
