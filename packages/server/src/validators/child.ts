import { serveJob } from './child-process.ts';
import { doJob } from './job.ts';

// The process that runs checks: a child of the server without token, database or home.
serveJob(doJob);
