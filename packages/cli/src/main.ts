import { fileURLToPath } from 'node:url';
import { createIo } from './io.ts';
import { run } from './run.ts';

// The folder above this file, built (dist/) or not (src/).
const packageFolder = fileURLToPath(new URL('..', import.meta.url));
process.exitCode = await run(process.argv.slice(2), createIo(packageFolder));
