import { parseRef, sidebarOf, type Board, type Command, type CommandOf, type ExchangeFact, type Sidebar } from '@yarnboard/domain';
import { inheritedAmong, readExchange, readSaid, type Memory, type Remembered } from './memory.ts';

/** Look-ups for the exchanges of a command: which of them its sidebar inherited, and the text of one to be judged. */
export type Inherited = {
  readonly sidebarId: string;
  readonly exchanges: ReadonlySet<string>;
  readonly said: ReadonlyMap<string, ExchangeFact>;
};

type Asking = CommandOf<'relevance.score' | 'focus.change' | 'claim.verify' | 'claim.settle' | 'claim.validate' | 'memory.archive'>;

export const asksForInherited = (command: Command): command is Asking => ASKING.has(command.type);

export const inheritedFor = async (memory: Memory, board: Board, command: Command): Promise<Inherited | null> => {
  if (!asksForInherited(command)) return null;
  if (command.type === 'memory.archive') return { sidebarId: '', exchanges: new Set(), said: await saidUnder(memory, command.refs) };
  const sidebar = sidebarOf(board, command.sidebar);
  if (sidebar === null) return null;
  const none = { sidebarId: sidebar.id, exchanges: new Set<string>(), said: new Map<string, ExchangeFact>() };
  if (command.type === 'claim.verify' || command.type === 'claim.settle' || command.type === 'claim.validate') {
    const name = command.claim.trim().toUpperCase();
    const fact = EXCHANGE.test(name) ? await exchangeFact(memory, board, sidebar, name) : null;
    return fact === null ? none : { ...none, said: new Map([[name, fact]]) };
  }
  const exchanges = command.type === 'relevance.score' ? Object.keys(command.scores) : [...(command.add ?? []), ...(command.remove ?? [])];
  return { ...none, exchanges: await inheritedAmong(memory, board, sidebar, exchanges.slice(0, MOST_EXCHANGES)) };
};

/** EPI-7: the text under the references that somebody wants to keep. */
const saidUnder = async (memory: Memory, refs: readonly string[]): Promise<ReadonlyMap<string, ExchangeFact>> => {
  const said = new Map<string, ExchangeFact>();
  for (const text of refs.slice(0, MOST_KEPT_AT_ONCE)) {
    const read = parseRef(text);
    if (!read.ok || read.value.kind !== 'numbered') continue;
    const { type, number } = read.value;
    const messages = await readSaid(memory, type, number);
    if (messages !== null) said.set(`${type}-${number}`, factOf(messages));
  }
  return said;
};

/** The text of an exchange that a sidebar inherited; null if it didn't. */
export const exchangeFact = async (memory: Memory, board: Board, sidebar: Sidebar, name: string): Promise<ExchangeFact | null> => {
  const said = await readExchange(memory, board, sidebar, name);
  return said === null ? null : factOf(said);
};

const factOf = (said: readonly Remembered[]): ExchangeFact => ({
  messages: said.map(({ ref, sender, text, confidence }) => ({ ref, by: sender, text, confidence })),
});

const ASKING: ReadonlySet<string> = new Set<Asking['type']>([
  'relevance.score',
  'focus.change',
  'claim.verify',
  'claim.settle',
  'claim.validate',
  'memory.archive',
]);
const EXCHANGE = /^EXCH-[1-9]\d{0,15}$/u;
const MOST_EXCHANGES = 1000;
const MOST_KEPT_AT_ONCE = 50;
