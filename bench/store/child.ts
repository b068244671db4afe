// One measurement in a process of its own: node store.mjs JOB ORDER. Prints one line of JSON.
import { measureAppends } from './appends.ts';
import type { AppendsOrder, VerifyOrder } from './job.ts';
import { measureVerify } from './verify.ts';

const [job = '', order = '{}'] = process.argv.slice(2);
// Written by bench/store.ts and by nobody else.
const result = job === 'appends' ? await measureAppends(JSON.parse(order) as AppendsOrder) : await measureVerify(JSON.parse(order) as VerifyOrder);
console.log(JSON.stringify(result));
