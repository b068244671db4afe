import { printable, printableLine } from '@yarnboard/transcript';
import { reworded, type BoardEvent, type Client, type OperationName, type OutputOf, type Outcome } from '@yarnboard/protocol';
import { isDone, printAnswer } from '../print/answer.ts';
import { eventLine, type Told } from '../print/events.ts';
import { toJson } from '../print/json.ts';
import { inherits, spaced } from '../print/sidebar.ts';
import { completed, readCommandLine, type Given } from '../registry/command-line.ts';
import { withFiles, withUpload, type Upload } from '../registry/files.ts';
import { lookElsewhere, withNames, type Look } from '../registry/second-look.ts';
import { findVerb, usageOf, verbsOf, type Verb } from '../registry/verbs.ts';
import { Refusal } from '../refusal.ts';
import { readTyped } from './words.ts';

export type ConversationOptions = {
  readonly client: Pick<Client, 'call' | 'subscribe'>;
  readonly sidebarId: string;
  readonly upload: Upload;
  readonly listen: (listener: (event: BoardEvent) => void) => void;
  readonly print: (text: string) => Promise<boolean>;
  readonly err: (text: string) => void;
  readonly columns: number;
  /** Whether the typed text is visible already. */
  readonly isTerminal: boolean;
};

export type Conversation = {
  /** Executes a line; false if it ends the conversation. */
  readonly take: (line: string) => Promise<boolean>;
  /** Whether every command succeeded. */
  readonly isWell: () => boolean;
};

/** Joins a sidebar: shows its last messages, and then listens for new ones. */
export const joinConversation = async (options: ConversationOptions): Promise<Conversation> => {
  const { client, print, err, columns, isTerminal } = options;
  /** Events that arrive while one of our own commands is under way, or before the history is shown. Only afterwards is it clear whose they are. */
  let held: BoardEvent[] | null = [];
  const own = new Set<string>();
  let wasRefused = false;
  let shownUpTo = 0;

  const hear = (event: BoardEvent): void => {
    if (held !== null) held.push(event);
    else void show(event);
  };
  const show = async (event: BoardEvent): Promise<void> => {
    if (event.seq > shownUpTo && !own.has(event.uuid)) await print(`${spoken(event)}\n`);
  };
  const release = async (): Promise<void> => {
    const waiting = held ?? [];
    held = null;
    for (const event of waiting) await show(event);
  };

  const refuse = (why: string): void => {
    wasRefused = true;
    err(`yarnboard: ${printableLine(why)}\n`);
  };

  const look: Look = async (name, given) => {
    const outcome = await client.call(name, given);
    return outcome.kind === 'done' ? outcome.result : null;
  };

  const perform = async (verb: Verb, given: Given, isJson: boolean): Promise<void> => {
    held ??= [];
    const outcome = await client.call(verb.name, given);
    if (outcome.kind === 'done') {
      const result = isJson ? outcome.result : await withNames(outcome.result, look);
      const events: readonly Told[] = isDone(result) ? result.events : [];
      for (const { uuid } of events) if (typeof uuid === 'string') own.add(uuid);
      const isSeen = isTerminal && verb.name === 'chat_message';
      if (isJson) await print(`${toJson(result)}\n`);
      else if (isDone(result)) for (const event of events) await (isSeen && event['type'] === 'chat_message' ? true : print(`${spoken(event)}\n`));
      else await print(printAnswer(verb.name, result, { columns }));
      for (const warning of isDone(result) ? result.warnings : []) err(`warning: ${printableLine(warning)}\n`);
      const elsewhere = isJson ? null : await lookElsewhere(verb.name, given, result, look);
      if (elsewhere !== null) await print(`${elsewhere}\n`);
    } else refuse(reasonIn(outcome, verb.name));
    await release();
  };

  const take = async (line: string): Promise<boolean> => {
    try {
      const typed = readTyped(line, options.sidebarId);
      if (typed.kind === 'quit') return false;
      if (typed.kind === 'help') await print(HELP());
      if (typed.kind === 'say') await perform(findVerb('sidebar', 'say'), { sidebar_id: options.sidebarId, content: typed.text }, false);
      if (typed.kind === 'verb') {
        const { given, fromInput, isJson } = readCommandLine(typed.verb, typed.args);
        if (fromInput.length > 0) throw new Refusal(2, 'standard input is the conversation; say it on the line');
        const read = completed(typed.verb, withFiles(typed.verb.name, given));
        await perform(typed.verb, await withUpload(typed.verb.name, read, options.upload), isJson);
      }
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      refuse(cause.message);
    }
    return true;
  };

  const sidebar = await answered(client.call('sidebar', { sidebar_id: options.sidebarId }));
  // Before reading the history, so that nothing falls in between.
  options.listen(hear);
  client.subscribe({ sessions: null, sidebars: [sidebar.sidebar_id], hasEnvelopes: false });
  const said = await lastSaid(client, options.sidebarId);
  shownUpTo = Math.max(0, ...said.items.map(({ seq }) => seq));
  const hidden = said.count - said.items.length;
  const head = [
    spaced([sidebar.sidebar_id, sidebar.status, sidebar.task_description]),
    printableLine(`inherits ${inherits(sidebar)}`),
    ...(hidden === 0 ? [] : [`… ${hidden} messages before: /memory`]),
    ...said.items.map(({ ref, sender, content }) => message(ref ?? '', sender, content)),
  ];
  await print(`${head.join('\n')}\n`);
  await release();
  return { take, isWell: () => !wasRefused };
};

type MemoryItem = OutputOf<'sidebar_memory'>['items'][number];

/** Memory is listed from its beginning: the latest messages are at the end of the last page. */
const lastSaid = async (
  client: ConversationOptions['client'],
  sidebarId: string,
): Promise<{ readonly items: readonly MemoryItem[]; readonly count: number }> => {
  let items: readonly MemoryItem[] = [];
  let count = 0;
  for (let cursor: string | undefined; ;) {
    const page = await answered(client.call('sidebar_memory', { sidebar_id: sidebarId, limit: 500, ...(cursor === undefined ? {} : { cursor }) }));
    items = [...items, ...page.items].slice(-LAST);
    count += page.items.length;
    if (page.next_cursor === null) return { items, count };
    cursor = page.next_cursor;
  }
};

/** The answer to a query; any failure ends the command. */
export const answered = async <T>(asked: Promise<Outcome<T>>): Promise<T> => {
  const outcome = await asked;
  if (outcome.kind === 'done') return outcome.result;
  throw new Refusal(3, reasonIn(outcome));
};

const reasonIn = (outcome: Exclude<Outcome<unknown>, { kind: 'done' }>, asked: OperationName | null = null): string => {
  if (outcome.kind === 'rejected') return `${outcome.code}: ${reworded(outcome, outcome.message, 'terminal', asked)}`;
  return outcome.kind === 'unknown' ? `it may or may not have been done: ${outcome.why}` : outcome.message;
};

const spoken = (event: Told): string => {
  const { type, content, refs, sender_agent_id: sender } = event;
  if (type !== 'chat_message' || typeof content !== 'string' || typeof sender !== 'string') return `· ${eventLine(event)}`;
  return message(Array.isArray(refs) && typeof refs[0] === 'string' ? refs[0] : '', sender, content);
};

const message = (ref: string, sender: string, content: string): string => {
  const [first = '', ...rest] = printable(content).split('\n');
  return [`${ref === '' ? '' : `${printableLine(ref)}  `}${printableLine(sender)}: ${first}`, ...rest.map((line) => `    ${line}`)].join('\n');
};

const HELP = (): string => `What you type is said. /status shows the sidebar, /quit leaves; // says a slash. In /VERB the sidebar is filled in:
${verbsOf('sidebar')
  .map(
    (verb) =>
      `  ${usageOf(verb)
        .replace('yarnboard sidebar ', '/')
        .replace(/ [A-Z-]*SIDEBAR-ID/u, '')}`,
  )
  .join('\n')}
`;

const LAST = 10;
