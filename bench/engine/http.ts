import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openReader, startServer } from '@yarnboard/server';
import { WrongResult } from '../measure/run.ts';
import { createRandom } from '../tree/random.ts';
import { homeIn, programsIn, refuse, SETTINGS } from './home.ts';
import type { ClientsOrder, CommandsOrder } from './job.ts';
import { createTalk } from './talk.ts';

type Answered = { readonly seconds: number; readonly answerBytes: number };

/** The same commands through the server's port, the clients in a process of their own. */
export const measureHttp = async (folder: string, order: CommandsOrder): Promise<Answered> => {
  const home = homeIn(folder);
  const server = await startServer({
    home,
    settings: SETTINGS,
    roots: [],
    version: 'bench',
    programs: programsIn(order.programs),
    port: 0,
    onFault: refuse,
  });
  await server.imported;
  const sidebars: string[] = [];
  for (let i = 0; i < SIDEBARS; i += 1) sidebars.push(await spawnSidebar(server.url, server.token));
  const answered = await runClients({ ...order, url: server.url, token: server.token, sidebars });
  await server.close();
  const { log, close } = await openReader(home);
  // A server keeps entries of its own as well.
  const said = (await log.positionsOfType('chat.message')).length;
  await close();
  const wanted = order.commands + WARMING;
  if (said !== wanted) throw new WrongResult(`${order.commands} commands over HTTP: ${said} messages instead of ${wanted}`);
  return answered;
};

/** Seconds of a server that reads what it is sent and answers as much, and does nothing else. */
export const measureBareHttp = async (order: CommandsOrder, answerBytes: number): Promise<number> => {
  const answer = JSON.stringify({ ref: 'MSG-1', filler: 'x'.repeat(Math.max(0, answerBytes - 30)) });
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (data: Buffer) => parts.push(data));
    incoming.on('end', () => {
      JSON.parse(Buffer.concat(parts).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  const { seconds } = await runClients({ ...order, url: `http://127.0.0.1:${port}`, token: 'none', sidebars: ['SB-1'] });
  server.close();
  server.closeAllConnections();
  return seconds;
};

/** Clients that keep their connection and wait for each answer. Run in the process of the clients. */
export const actAsClients = async ({ url, token, sidebars, clients, commands, seed }: ClientsOrder): Promise<Answered> => {
  const talk = createTalk(createRandom(seed));
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const bodies = Array.from({ length: commands + WARMING }, () => JSON.stringify({ content: talk.message(200) }));
  let next = 0;
  let answerBytes = 0;
  const clientUpTo = async (end: number): Promise<void> => {
    for (let i = next; i < end; i = next) {
      next += 1;
      const path = `/api/v1/sidebars/${sidebars[i % sidebars.length] ?? ''}/messages`;
      const text = await post(agent, `${url}${path}`, token, bodies[i] ?? '');
      answerBytes = Buffer.byteLength(text);
      if (!text.includes('MSG-')) throw new WrongResult(`POST ${path} is answered with ${text.slice(0, 300)}`);
    }
  };
  const all = (end: number): Promise<unknown> => Promise.all(Array.from({ length: clients }, () => clientUpTo(end)));
  await all(WARMING);
  const startedAt = performance.now();
  await all(WARMING + commands);
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { seconds, answerBytes };
};

const spawnSidebar = async (url: string, token: string): Promise<string> => {
  const agent = new Agent();
  const text = await post(agent, `${url}/api/v1/sidebars`, token, JSON.stringify({ parent_id: null, task_description: 'why is login slow?' }));
  const { ref } = JSON.parse(text) as { readonly ref?: string };
  if (ref === undefined) throw new WrongResult(`spawning is answered with ${text.slice(0, 300)}`);
  return ref;
};

export const post = (agent: Agent, url: string, token: string, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });

const runClients = async (order: ClientsOrder): Promise<Answered> => {
  const { url, token, sidebars, clients, commands, seed } = order;
  const given = JSON.stringify({ url, token, sidebars, clients, commands, seed } satisfies ClientsOrder);
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'clients', given], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new WrongResult(`the clients ended with ${code}`);
  return JSON.parse(printed) as Answered; // printed by child.ts
};

const SIDEBARS = 8;
/** Before anything is timed: the first requests of a server and of a client are the slowest. */
const WARMING = 300;
