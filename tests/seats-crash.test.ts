import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterFile } from './afterwards.ts';
import { expectWhole, until } from './home.ts';
import { makeStage, type Stage } from './live-stage.ts';
import { agentCommand, processesOf, writeSettings } from './seat-stage.ts';

const SEATS = 5;

/** A model behind a URL that submits a finding, then thinks until it is let go. Every request is kept. */
const slowModel = async (gate: () => boolean): Promise<string> => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly role: string }[] }; // of our own program
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = (value: object): boolean => response.write(`data: ${JSON.stringify(value)}\n\n`);
      if (messages.at(-1)?.role !== 'tool') {
        const call = { index: 0, id: 'call-1', function: { name: 'scratchpad_entry_submitted', arguments: '{"content":"The cache is cold"}' } };
        event({ choices: [{ delta: { tool_calls: [call] } }] });
        event({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] });
        response.end('data: [DONE]\n\n');
        return;
      }
      event({ choices: [{ delta: { content: 'Thinking' } }] });
      const look = setInterval(() => {
        if (!gate()) return;
        clearInterval(look);
        event({ choices: [{ delta: { content: ' is done.' }, finish_reason: 'stop' }] });
        response.end('data: [DONE]\n\n');
      }, 20);
      response.once('close', () => clearInterval(look));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
};

const seatsOf = async ({ ask }: Stage) => (await ask('seats', { limit: 100 })).items;

test.skipIf(process.platform !== 'linux')(
  '[RT-63] [RT-6] [RT-13] SIGKILL of the server with ten seats at work: each goes on where the log says, nothing acknowledged is done again, and no process is left',
  async () => {
    const stage = await makeStage();
    const gate = join(stage.home.folder, 'go-on');
    let isOpen = false;
    const url = await slowModel(() => isOpen);
    const mark = `YARNBOARD_TEST=${stage.home.folder}`;
    Object.assign(stage.home.env, { YARNBOARD_TEST: stage.home.folder });
    const lines = { kind: 'stdio', command: agentCommand('repeating', gate) };
    const runtimes = {
      lines: { ...lines, environment: ['YARNBOARD_TEST'] },
      model: { kind: 'openai', url, model: 'slow', environment: ['YARNBOARD_TEST'] },
    };
    const agents = { processes: 2 * SEATS, turns_at_once: 2 * SEATS };
    writeSettings(stage.home.folder, { runtimes, agents });
    await stage.start();
    const sidebars: string[] = [];
    for (const name of ['lines', 'model']) {
      await stage.ask('agent_register', { agent_id: name });
      await stage.ask('agent_runtime', { agent_id: name, runtime: name });
      for (let n = 0; n < SEATS; n += 1) {
        const { ref } = await stage.ask('sidebar_spawn', { parent_id: null, task_description: `${name} ${n}`, participants: [name] });
        sidebars.push(ref ?? '');
      }
    }
    const findings = async (): Promise<readonly number[]> =>
      Promise.all(sidebars.map(async (id) => (await stage.ask('scratchpad', { sidebar_id: id })).pending_findings.length));
    // Each is in its first turn, and what it submitted was acknowledged.
    await until(async () => ((await findings()).every((count) => count === 1) ? true : null));
    expect((await seatsOf(stage)).map(({ state }) => state)).toEqual(Array.from({ length: 2 * SEATS }, () => 'working'));
    const before = new Map((await seatsOf(stage)).map((seat) => [seat.sidebar_id, seat]));
    const killed = processesOf(mark);
    expect(killed.length).toBeGreaterThanOrEqual(2 * SEATS);
    await stage.end('SIGKILL');

    await stage.start();
    // Those of before are gone, and each seat is at work again, in its second turn and in the same session.
    await until(async () => ((await seatsOf(stage)).every(({ state, turns }) => state === 'working' && turns.used === 2) ? true : null));
    expect(processesOf(mark).filter((pid) => killed.includes(pid))).toEqual([]);
    for (const seat of await seatsOf(stage)) {
      expect(seat.session_id).toBe(before.get(seat.sidebar_id)?.session_id);
      expect(seat.usd).toEqual(before.get(seat.sidebar_id)?.usd);
    }
    isOpen = true;
    writeFileSync(gate, '');
    await until(async () => ((await seatsOf(stage)).every(({ state }) => state === 'ready') ? true : null));
    expect(await findings()).toEqual(sidebars.map(() => 1));
    for (const id of sidebars) {
      const { items } = await stage.ask('sidebar_memory', { sidebar_id: id, part: 'local', limit: 200 });
      expect(items.filter(({ sender }) => sender !== 'AGENT-operator' && sender !== 'AGENT-system')).toHaveLength(1);
      const { items: turns } = await stage.ask('briefing', { sidebar_id: id, agent_id: (before.get(id)?.agent_id ?? '').replace('AGENT-', '') });
      expect(turns.map(({ turn_id: turn }) => turn)).toEqual(['turn-1', 'turn-2']);
    }
    expect(await stage.end('SIGTERM')).toBe(0);
    await until(() => (processesOf(mark).length === 0 ? true : null));
    const store = await stage.home.open();
    expect(await expectWhole(store)).toBeGreaterThan(0);
    await store.close();
  },
);

test.skipIf(process.platform !== 'linux')(
  '[RT-29] [RT-6] [RT-13] SIGKILL of the server with seats on Claude at work: each goes on in its own session, is told the same again, and no Claude of before is left',
  async () => {
    const stage = await makeStage();
    const mark = `YARNBOARD_TEST=${stage.home.folder}`;
    Object.assign(stage.home.env, { YARNBOARD_TEST: stage.home.folder });
    const claude = { kind: 'claude-sdk', directories: [stage.work], environment: ['YARNBOARD_TEST'] };
    writeSettings(stage.home.folder, { runtimes: { claude } });
    await stage.start();
    await stage.ask('agent_register', { agent_id: 'sec' });
    await stage.ask('agent_runtime', { agent_id: 'sec', runtime: 'claude' });
    const sidebars: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { ref } = await stage.ask('sidebar_spawn', { parent_id: null, task_description: `part ${n}`, participants: ['sec'] });
      sidebars.push(ref ?? '');
    }
    const all = async (state: string, turns: number): Promise<true | null> => {
      const seats = await seatsOf(stage);
      return seats.length === sidebars.length && seats.every((seat) => seat.state === state && seat.turns.used === turns) ? true : null;
    };
    await until(() => all('ready', 1));
    // It uses a tool that takes until there is a file of that name.
    for (const id of sidebars) await stage.ask('chat_message', { sidebar_id: id, content: '@sec tool:@go-on' });
    await until(() => all('working', 2));
    const sessions = new Map((await seatsOf(stage)).map((seat) => [seat.sidebar_id, seat.session_id]));
    expect(new Set(sessions.values()).size).toBe(sidebars.length);
    const killed = processesOf(mark);
    expect(killed.length).toBeGreaterThanOrEqual(sidebars.length);
    await stage.end('SIGKILL');

    await stage.start();
    await until(() => all('working', 3));
    expect(processesOf(mark).filter((pid) => killed.includes(pid))).toEqual([]);
    expect(new Map((await seatsOf(stage)).map((seat) => [seat.sidebar_id, seat.session_id]))).toEqual(sessions);
    writeFileSync(join(stage.work, 'go-on'), '');
    await until(() => all('ready', 3));
    for (const id of sidebars) {
      const { items } = await stage.ask('sidebar_memory', { sidebar_id: id, part: 'local', limit: 200 });
      expect(items.filter(({ sender }) => sender === 'AGENT-sec')).toHaveLength(2);
    }
    expect(await stage.end('SIGTERM')).toBe(0);
    await until(() => (processesOf(mark).length === 0 ? true : null));
    const store = await stage.home.open();
    expect(await expectWhole(store)).toBeGreaterThan(0);
    await store.close();
  },
);
