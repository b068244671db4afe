// A server with a backlog: node child.mjs FOLDER PROGRAMS ROOT. Prints its address and token as soon as it listens.
import { startServer } from '@yarnboard/server';
import { homeIn, programsIn, refuse, SETTINGS } from '../engine/home.ts';

const [folder = '', programs = '', root = ''] = process.argv.slice(2);
const server = await startServer({
  home: homeIn(folder),
  settings: SETTINGS,
  roots: [root],
  version: 'bench',
  programs: programsIn(programs),
  port: 0,
  onFault: refuse,
});
console.log(JSON.stringify({ url: server.url, token: server.token }));
