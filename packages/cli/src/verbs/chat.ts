import { randomUUID } from 'node:crypto';
import { createClient, type BoardEvent, type Client } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { WebSocket } from 'ws';
import { operatorTokenOf } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import { doorOf, serverOf } from '../board/reach.ts';
import { answered, joinConversation } from '../chat/conversation.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { uploadOver, type Upload } from '../registry/files.ts';
import { VERSION } from '../version.ts';
import { ownToken } from './registry.ts';

/** `yarnboard chat [SB-n]`: a sidebar as a conversation in the terminal. */
export const chat = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('chat', args, BOARD_OPTIONS);
  if (positionals.length > 1) throw new Refusal(2, `chat takes one sidebar; \`yarnboard help chat\` tells more`);
  const [wanted] = positionals;
  if (wanted === undefined && !io.typing.isTerminal) throw new Refusal(2, 'which sidebar? Without a terminal, name it: `yarnboard chat SB-n`');
  const place = placeOf(values, io);
  const server = await serverOf(place);
  if (server === null)
    throw new Refusal(3, `chat needs a running server, and there is none for ${place.home.folder}; \`yarnboard start\` starts one`);
  const token = ownToken(io) ?? operatorTokenOf(place);
  const line = await connect(`${server.url.replace(/^http/u, 'ws')}/ws`, token, io);
  const upload = uploadOver((bytes) => doorOf(server).upload(bytes, token));
  try {
    return await converse(line, wanted, upload, io);
  } finally {
    line.client.close();
  }
};

/** An open connection; messages go to the latest listener. */
type Line = {
  readonly client: Client;
  readonly onEvent: (listener: (event: BoardEvent) => void) => void;
  /** Resolves with the reason once the server refuses us. */
  readonly refused: Promise<string>;
};

const connect = async (url: string, token: string, io: Io): Promise<Line> => {
  let listener: (event: BoardEvent) => void = () => {};
  let open = (): void => {};
  let refuse = (_why: string): void => {};
  const opened = new Promise<null>((resolve) => {
    open = () => resolve(null);
  });
  const refused = new Promise<string>((resolve) => {
    refuse = resolve;
  });
  let isOpen = false;
  let isLost = false;
  let trouble = '';
  const client = createClient({
    url,
    WebSocket,
    client: `terminal/${VERSION}`,
    ...(token === '' ? {} : { token }),
    subscription: { sessions: null, sidebars: [], hasEnvelopes: false },
    onEntry: () => {},
    onEvent: (event) => listener(event),
    onState: (state) => {
      if (state.kind === 'open') {
        if (isLost) io.err('(connected again)\n');
        [isOpen, isLost] = [true, false];
        open();
      }
      if (state.kind === 'waiting' && !isLost) {
        isLost = true;
        io.err(`(the connection is lost: ${printableLine(state.why)}; trying again)\n`);
      }
      if (state.kind === 'refused') refuse(trouble === '' ? state.why : trouble);
    },
    onEpoch: () => io.err('(an older copy of the board was restored: messages and numbers from before may be gone or mean something else)\n'),
    onTrouble: (one) => {
      if (one.kind !== 'error') return;
      // The reason for closing was sent before, in more detail.
      trouble = one.message;
      if (isOpen) io.err(`yarnboard: ${printableLine(one.message)}\n`);
    },
    newId: randomUUID,
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
  });
  const late = new AbortController();
  const tooLate = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve('it does not answer'), PATIENCE);
    late.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const why = await Promise.race([opened, refused, tooLate]);
  late.abort();
  if (why !== null) {
    client.close();
    throw new Refusal(3, `the server will not talk: ${why}`);
  }
  return { client, refused, onEvent: (next) => (listener = next) };
};

const converse = async ({ client, onEvent, refused }: Line, wanted: string | undefined, upload: Upload, io: Io): Promise<ExitCode> => {
  const { isTerminal } = io.typing;
  const opened = io.typing.open(isTerminal ? '> ' : '');
  const print = isTerminal ? opened.print : io.out;
  const lines = opened.lines[Symbol.asyncIterator]();
  const stop = new AbortController();
  const stopped = io.untilStopped(stop.signal).then((): null => null);
  const next = async (): Promise<string | null> => {
    const read = lines.next().then(({ done, value }) => (done === true ? null : value));
    const gone = refused.then((why) => {
      throw new Refusal(3, `the server closed the conversation: ${why}`);
    });
    return Promise.race([read, stopped, gone]);
  };
  try {
    const sidebarId = wanted ?? (await choose(client, print, next));
    if (sidebarId === null) return 0;
    const joined = await joinConversation({ client, sidebarId, upload, listen: onEvent, print, err: io.err, columns: io.columns, isTerminal });
    if (isTerminal) await print('What you type is said; /help lists what else can be done, /quit leaves.\n');
    for (let line = await next(); line !== null && (await joined.take(line));) line = await next();
    // A user at the terminal has seen what was refused; a script needs the exit code.
    return isTerminal || joined.isWell() ? 0 : 3;
  } finally {
    stop.abort();
    opened.close();
  }
};

/** The sidebar to join if none was named: the latest active one, another, or a new one. Null if nobody answers. */
const choose = async (client: Client, print: (text: string) => Promise<boolean>, next: () => Promise<string | null>): Promise<string | null> => {
  const { statuses } = await answered(client.call('lifecycle', {}));
  const ended = new Set(statuses.filter(({ is_ended: isEnded }) => isEnded).map(({ status }) => status));
  const { items } = await answered(client.call('sidebars', { limit: 100 }));
  const latest = items.find(({ status }) => !ended.has(status));
  await print(
    latest === undefined
      ? 'No sidebar is at work. What is a new one about?\n'
      : `${printableLine(`${latest.sidebar_id} is the latest (${latest.status}): ${latest.task_description}`)}\nEnter goes on in it; SB-n is another; anything else is what a new one is about.\n`,
  );
  for (;;) {
    const typed = (await next())?.trim() ?? null;
    if (typed === null || typed === '/quit') return null;
    if (/^SB-\d+$/iu.test(typed)) return typed.toUpperCase();
    if (typed === '' && latest !== undefined) return latest.sidebar_id;
    if (typed === '') continue;
    const done = await answered(client.call('sidebar_spawn', { task_description: typed, parent_id: null }));
    return done.ref ?? null;
  }
};

const PATIENCE = 10_000;
