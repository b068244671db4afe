import { sidebarOf, type Board, type Command, type CommandOf, type ExchangeFact, type Sidebar } from '@yarnboard/domain';
import { inheritedAmong, readExchange, type Memory } from './memory.ts';

/** What had to be looked up of the exchanges that a command names: which of them its sidebar inherited, and what was said in one that is judged. */
export type Inherited = {
  readonly sidebarId: string;
  readonly exchanges: ReadonlySet<string>;
  readonly said: ReadonlyMap<string, ExchangeFact>;
};

type Asking = CommandOf<'relevance.score' | 'focus.change' | 'claim.verify' | 'claim.settle' | 'claim.validate'>;

export const asksForInherited = (command: Command): command is Asking => ASKING.has(command.type);

export const inheritedFor = async (memory: Memory, board: Board, command: Command): Promise<Inherited | null> => {
  if (!asksForInherited(command)) return null;
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

/** What was said in an exchange that a sidebar inherited; null when it did not. */
export const exchangeFact = async (memory: Memory, board: Board, sidebar: Sidebar, name: string): Promise<ExchangeFact | null> => {
  const said = await readExchange(memory, board, sidebar, name);
  return said === null ? null : { messages: said.map(({ ref, sender, text, confidence }) => ({ ref, by: sender, text, confidence })) };
};

const ASKING: ReadonlySet<string> = new Set<Asking['type']>(['relevance.score', 'focus.change', 'claim.verify', 'claim.settle', 'claim.validate']);
const EXCHANGE = /^EXCH-[1-9]\d{0,15}$/u;
const MOST_EXCHANGES = 1000;
