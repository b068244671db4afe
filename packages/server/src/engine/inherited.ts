import { sidebarOf, type Board, type Command, type CommandOf, type ExchangeFact } from '@yarnboard/domain';
import { inheritedAmong, readExchange, type Memory } from './memory.ts';

/** What had to be looked up of the exchanges that a command names: which of them its sidebar inherited, and what was said in one that is judged. */
export type Inherited = {
  readonly sidebarId: string;
  readonly exchanges: ReadonlySet<string>;
  readonly said: ReadonlyMap<string, ExchangeFact>;
};

type Asking = CommandOf<'relevance.score' | 'focus.change' | 'claim.verify' | 'claim.settle'>;

export const asksForInherited = (command: Command): command is Asking => ASKING.has(command.type);

export const inheritedFor = async (memory: Memory, board: Board, command: Command): Promise<Inherited | null> => {
  if (!asksForInherited(command)) return null;
  const sidebar = sidebarOf(board, command.sidebar);
  if (sidebar === null) return null;
  const none = { sidebarId: sidebar.id, exchanges: new Set<string>(), said: new Map<string, ExchangeFact>() };
  if (command.type === 'claim.verify' || command.type === 'claim.settle') {
    const name = command.claim.trim().toUpperCase();
    const said = EXCHANGE.test(name) ? await readExchange(memory, board, sidebar, name) : null;
    if (said === null) return none;
    const messages = said.map(({ ref, sender, text, confidence }) => ({ ref, by: sender, text, confidence }));
    return { ...none, said: new Map([[name, { messages }]]) };
  }
  const exchanges = command.type === 'relevance.score' ? Object.keys(command.scores) : [...(command.add ?? []), ...(command.remove ?? [])];
  return { ...none, exchanges: await inheritedAmong(memory, board, sidebar, exchanges.slice(0, MOST_EXCHANGES)) };
};

const ASKING: ReadonlySet<string> = new Set<Asking['type']>(['relevance.score', 'focus.change', 'claim.verify', 'claim.settle']);
const EXCHANGE = /^EXCH-[1-9]\d{0,15}$/u;
const MOST_EXCHANGES = 1000;
