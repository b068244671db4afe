// A server of its own on PostgreSQL: node child.mjs FOLDER PROGRAMS DATABASE. Prints its address and token; ends when its input does.
import { homeOf, startServer } from '@yarnboard/server';
import { join } from 'node:path';
import { programsIn, refuse, SETTINGS } from '../engine/home.ts';

const [folder = '', programs = '', database = ''] = process.argv.slice(2);
const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder, database });
const server = await startServer({ home, settings: SETTINGS, roots: [], version: 'bench', programs: programsIn(programs), port: 0, onFault: refuse });
await server.imported;
process.stdin.on('end', () => void server.close().then(() => process.exit(0)));
process.stdin.resume();
console.log(JSON.stringify({ url: server.url, token: server.token }));
