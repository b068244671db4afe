import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRuntimes, type OutputOf } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { afterFile } from '../../../../tests/afterwards.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';
import { startChatStub } from './chat-stub.ts';

const ACP = fileURLToPath(new URL('./acp-agent.mjs', import.meta.url));
const LISTENING = fileURLToPath(new URL('./listening-agent.mjs', import.meta.url));

/** Words that nobody would say by chance, one for each place something could leak from. */
const CANARIES = {
  parent: 'parrotfish',
  afterwards: 'anglerfish',
  here: 'hammerhead',
  hereFinding: 'flutemouth',
  there: 'threadfin',
  thereFinding: 'lumpsucker',
  thereTask: 'wobbegong',
  sibling: 'stonefish',
} as const;

const until = async <T>({ board }: TestBoard, look: () => Promise<T | null>): Promise<T> => {
  for (;;) {
    const committed = new Promise<void>((resolve) => {
      const stop = board.engine.onCommitted(() => {
        stop();
        resolve();
      });
    });
    const found = await look();
    if (found !== null) return found;
    await committed;
  }
};

type Said = OutputOf<'sidebar_memory'>['items'][number];

/** What the agent said in a sidebar, at least so often. It says everything it has heard, in hexadecimal, so that nothing is masked and nothing quoted. */
const heardIn = async (made: TestBoard, sidebar: string, turns: number): Promise<string> => {
  const said = await until(made, async () => {
    const { items } = await made.get('sidebar_memory', { sidebar_id: sidebar, part: 'local', limit: 200 });
    const own = items.filter(({ sender }: Said) => sender === 'AGENT-listener');
    return own.length >= turns ? own : null;
  });
  return said.map(({ content }) => Buffer.from(content, 'hex').toString()).join('\n');
};

const namesIn = (text: string): readonly string[] => Object.values(CANARIES).filter((word) => text.includes(word));

test('[RT-56] of one agent in two sidebars nothing of the one reaches briefing, prompts, answers or transcript of the other, also after a restart', async () => {
  const read = readRuntimes({ listening: { kind: 'stdio', command: [process.execPath, LISTENING] } });
  if (!read.ok) throw new Error(read.error);
  const options = { settings: { excludedProjects: [], roots: [], runtimes: read.value }, isImported: false };
  const made = await makeBoard(options);
  await made.board.seats.start();
  const { command } = made;
  const spawn = async (task: string, more: object = {}): Promise<string> =>
    (await command('sidebar_spawn', { parent_id: null, task_description: task, ...more })).ref ?? '';
  const say = (sidebar: string, content: string) => command('chat_message', { sidebar_id: sidebar, content });

  await command('agent_register', { agent_id: 'listener' });
  await command('agent_runtime', { agent_id: 'listener', runtime: 'listening', responds_to: 'all' });
  const parent = await spawn('The root of it');
  await say(parent, `before: ${CANARIES.parent}`);
  const here = await spawn('Look here', { parent_id: parent, participants: ['listener'] });
  await heardIn(made, here, 1);
  await say(parent, `after the branch point: ${CANARIES.afterwards}`);
  const there = await spawn(`Look there, ${CANARIES.thereTask}`, { participants: ['listener'] });
  await heardIn(made, there, 1);
  const sibling = await spawn('Somebody else', { parent_id: parent });
  await say(sibling, CANARIES.sibling);

  await say(here, `@listener remember ${CANARIES.here}`);
  await command('scratchpad_entry_submitted', { sidebar_id: here, content: CANARIES.hereFinding });
  await say(there, `@listener remember ${CANARIES.there}`);
  await command('scratchpad_entry_submitted', { sidebar_id: there, content: CANARIES.thereFinding });
  // It asks for what it should not have, by every way there is.
  const wishes = [
    ['sidebar', { sidebar_id: there }],
    ['sidebar_memory', { sidebar_id: there }],
    ['scratchpad', { sidebar_id: there }],
    ['briefing', { sidebar_id: there, agent_id: 'listener' }],
    ['search', { q: Buffer.from(CANARIES.there).toString('hex') }],
    ['search', { q: Buffer.from(CANARIES.afterwards).toString('hex') }],
    ['sidebar_memory', { sidebar_id: parent }],
    ['sidebar_memory', { sidebar_id: sibling }],
    ['inbox', {}],
    ['log', {}],
  ];
  await say(here, `@listener ask ${JSON.stringify(wishes)}`);
  await until(made, async () => ((await heardIn(made, here, 1)).includes('asked for everything') ? true : null));
  const checkHere = async (board: TestBoard, turns: number): Promise<void> => {
    const heard = await heardIn(board, here, turns);
    expect(heard).toContain(CANARIES.here);
    expect(namesIn(heard).filter((word) => word !== CANARIES.parent && word !== CANARIES.here && word !== CANARIES.hereFinding)).toEqual([]);
    const { text } = await board.get('briefing', { sidebar_id: here, agent_id: 'listener' });
    expect(namesIn(text).toSorted()).toEqual([CANARIES.parent, CANARIES.here, CANARIES.hereFinding].toSorted());
  };
  const checkThere = async (board: TestBoard, turns: number): Promise<void> => {
    const heard = await heardIn(board, there, turns);
    expect(heard).toContain(CANARIES.there);
    expect(namesIn(heard).filter((word) => word !== CANARIES.there && word !== CANARIES.thereTask && word !== CANARIES.thereFinding)).toEqual([]);
    const { text } = await board.get('briefing', { sidebar_id: there, agent_id: 'listener' });
    expect(namesIn(text).toSorted()).toEqual([CANARIES.there, CANARIES.thereTask, CANARIES.thereFinding].toSorted());
  };
  await checkHere(made, 2);
  await checkThere(made, 2);
  await made.board.seats.settled();
  await made.close();

  const again = await makeBoard({ ...options, home: made.home });
  await again.board.seats.start();
  const before = await heardIn(again, here, 1);
  await again.command('chat_message', { sidebar_id: here, content: '@listener again' });
  await until(again, async () => ((await heardIn(again, here, 1)).length > before.length ? true : null));
  await checkHere(again, 3);
  const { session_id: session } = await again.get('seat', { sidebar_id: here, agent_id: 'listener' });
  await again.board.seats.settled();
  const { messages } = await again.get('messages', { id: session ?? '', limit: 500 });
  const transcript = messages.map(({ content }) => content).join('\n');
  expect(namesIn(transcript).filter((word) => word !== CANARIES.parent && word !== CANARIES.here && word !== CANARIES.hereFinding)).toEqual([]);
  await again.close();
});

test('[RT-56] [RT-33] an agent of the Agent Client Protocol in two sidebars is sent nothing of the other, whatever it asks its tools for', async () => {
  const kept = mkdtempSync(join(tmpdir(), 'yarnboard-kept-'));
  afterFile(() => rmSync(kept, { recursive: true, force: true }));
  const read = readRuntimes({ acp: { kind: 'acp', command: [process.execPath, ACP, 'well', `${kept}/`] } });
  if (!read.ok) throw new Error(read.error);
  const made = await makeBoard({ settings: { excludedProjects: [], roots: [], runtimes: read.value }, isImported: false });
  await made.board.seats.start();
  const { command } = made;
  const spawn = async (task: string, more: object = {}): Promise<string> =>
    (await command('sidebar_spawn', { parent_id: null, task_description: task, ...more })).ref ?? '';
  const say = (sidebar: string, content: string) => command('chat_message', { sidebar_id: sidebar, content });
  const turns = (sidebar: string, least: number) =>
    until(made, async () => {
      const { items } = await made.get('sidebar_memory', { sidebar_id: sidebar, part: 'local', limit: 200 });
      return items.filter(({ sender }: Said) => sender === 'AGENT-listener').length >= least ? true : null;
    });
  await command('agent_register', { agent_id: 'listener' });
  await command('agent_runtime', { agent_id: 'listener', runtime: 'acp' });
  const parent = await spawn('The root of it');
  await say(parent, `before: ${CANARIES.parent}`);
  const here = await spawn('Look here', { parent_id: parent, participants: ['listener'] });
  await turns(here, 1);
  await say(parent, `after the branch point: ${CANARIES.afterwards}`);
  const there = await spawn(`Look there, ${CANARIES.thereTask}`, { participants: ['listener'] });
  await turns(there, 1);
  await say(there, `@listener remember ${CANARIES.there}`);
  await command('scratchpad_entry_submitted', { sidebar_id: there, content: CANARIES.thereFinding });
  await turns(there, 2);
  const hidden = (word: string): string => `hex:${Buffer.from(word).toString('hex')}`;
  const wishes = [
    ['search', { q: hidden(CANARIES.there) }],
    ['search', { q: hidden(CANARIES.afterwards) }],
    ['sidebar_memory', { sidebar_id: there }],
    ['scratchpad', { sidebar_id: there }],
    ['messages', { id: there }],
    ['trace', { ref: there }],
    ['trace', { ref: 'AGENT-listener' }],
    ['briefing', { sidebar_id: there, agent_id: 'listener' }],
    ['inbox', {}],
    ['log', {}],
  ];
  await say(here, `@listener use ${JSON.stringify(wishes)}`);
  await turns(here, 2);
  const heard = (sidebar: string): string => readFileSync(join(kept, sidebar), 'utf8');
  expect(namesIn(heard(here))).toEqual([CANARIES.parent]);
  // It did ask: all but its own trace is refused, and there are neither resources nor prompts.
  expect(heard(here).match(/^not-participant: /gmu)).toHaveLength(wishes.length - 1);
  expect(heard(here).match(/Method not found/gu)).toHaveLength(3);
  expect(namesIn(heard(there)).filter((word) => word !== CANARIES.there && word !== CANARIES.thereTask && word !== CANARIES.thereFinding)).toEqual(
    [],
  );
  expect(heard(there)).toContain(CANARIES.there);
  await made.close();
});

test('[RT-56] [RT-24] of one agent on a model behind a URL, no request of one sidebar has anything of another, whatever the model asks for, also after a restart', async () => {
  const stub = await startChatStub();
  const read = readRuntimes({ model: { kind: 'openai', url: stub.url, model: 'stub-1' } });
  if (!read.ok) throw new Error(read.error);
  const options = { settings: { excludedProjects: [], roots: [], runtimes: read.value }, isImported: false };
  const made = await makeBoard(options);
  await made.board.seats.start();
  const { command } = made;
  const spawn = async (task: string, more: object = {}): Promise<string> =>
    (await command('sidebar_spawn', { parent_id: null, task_description: task, ...more })).ref ?? '';
  const say = (sidebar: string, content: string) => command('chat_message', { sidebar_id: sidebar, content });
  const turns = (board: TestBoard, sidebar: string, least: number) =>
    until(board, async () => {
      const seat = await board.get('seat', { sidebar_id: sidebar, agent_id: 'listener' }).catch(() => null);
      return seat !== null && seat.state === 'ready' && seat.turns.used >= least ? true : null;
    });
  await command('agent_register', { agent_id: 'listener' });
  await command('agent_runtime', { agent_id: 'listener', runtime: 'model' });
  const parent = await spawn('The root of it');
  await say(parent, `before: ${CANARIES.parent}`);
  const here = await spawn('Look here', { parent_id: parent, participants: ['listener'] });
  await turns(made, here, 1);
  await say(parent, `after the branch point: ${CANARIES.afterwards}`);
  const there = await spawn(`Look there, ${CANARIES.thereTask}`, { participants: ['listener'] });
  await turns(made, there, 1);
  const sibling = await spawn('Somebody else', { parent_id: parent });
  await say(sibling, CANARIES.sibling);
  await say(there, `@listener remember ${CANARIES.there}`);
  await turns(made, there, 2);
  await command('scratchpad_entry_submitted', { sidebar_id: there, content: CANARIES.thereFinding });
  await command('scratchpad_entry_submitted', { sidebar_id: here, content: CANARIES.hereFinding });
  const refs = (
    await Promise.all([parent, there, sibling].map((id) => made.get('sidebar_memory', { sidebar_id: id, part: 'local', limit: 200 })))
  ).flatMap(({ items }) => items.flatMap(({ ref, content }) => (content.includes(CANARIES.parent) ? [] : [ref])));
  expect(refs.length).toBeGreaterThanOrEqual(4);
  const wishes = [
    ...refs.map((ref) => ['message', { ref }] as const),
    ['sidebar_memory', { sidebar_id: there }],
    ['scratchpad', { sidebar_id: there }],
    ['search', { q: 'anything' }],
  ];
  await say(here, `@listener remember ${CANARIES.here} [[use:${Buffer.from(JSON.stringify(wishes)).toString('hex')}]]`);
  await turns(made, here, 2);
  const textOf = (messages: readonly object[]): string => JSON.stringify(messages);
  const sentFor = (task: string): string =>
    stub.requests
      .filter(({ messages }) => textOf(messages).includes(task))
      .map(({ messages }) => textOf(messages))
      .join('\n');
  const check = (): void => {
    expect(namesIn(sentFor('Look here')).toSorted()).toEqual([CANARIES.parent, CANARIES.here, CANARIES.hereFinding].toSorted());
    const own = new Set<string>([CANARIES.there, CANARIES.thereTask, CANARIES.thereFinding]);
    expect(namesIn(sentFor('Look there')).filter((word) => !own.has(word))).toEqual([]);
    // Each request belongs to one of the two.
    expect(stub.requests.every(({ messages }) => textOf(messages).includes('Look here') !== textOf(messages).includes('Look there'))).toBe(true);
  };
  check();
  // It did ask, and what it was answered is in the next request.
  expect(stub.requests.some(({ messages }) => messages.filter(({ role }) => role === 'tool').length === wishes.length)).toBe(true);
  await made.board.seats.settled();
  await made.close();

  const again = await makeBoard({ ...options, home: made.home });
  await again.board.seats.start();
  await again.command('chat_message', { sidebar_id: here, content: '@listener go on' });
  await turns(again, here, 3);
  await again.command('chat_message', { sidebar_id: there, content: '@listener go on' });
  await turns(again, there, 3);
  check();
  await again.close();
});
