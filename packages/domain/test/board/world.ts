import { createLanguage } from '@yarnboard/language';
import {
  contextIdOfSidebar,
  decide,
  emptyBoard,
  evolve,
  inheritedBy,
  isComingUp,
  maskSecrets,
  OPERATOR,
  rowsOf,
  SYSTEM,
  type Actor,
  type Board,
  type Command,
  type Decision,
  type Facts,
  type Happening,
  type NumberedType,
  type Recorded,
  type RefFact,
  type Sidebar,
} from '../../src/index.ts';

/** A board with a log in memory: what is decided gets its place and its numbers, and is folded. */
export type World = {
  readonly board: Board;
  readonly log: readonly Recorded[];
  readonly now: () => number;
  readonly pass: (ms: number) => void;
  /** Something was said in a session, elsewhere; gives its EXCH-n. */
  readonly hear: (sessionId: string) => string;
  /** Without doing it. */
  readonly decide: (command: Command, actor: Actor, more?: Partial<Facts>) => Decision;
  /** Puts it on the log and into the board when it is not refused. */
  readonly perform: (command: Command, actor: Actor, more?: Partial<Facts>) => Decision;
  readonly refs: ReadonlyMap<string, RefFact>;
};

export const actorOf = (name: string): Actor => {
  if (name === 'operator') return OPERATOR;
  return name === 'system' ? SYSTEM : { id: `AGENT-${name}`, type: 'agent' };
};

export const createWorld = (): World => {
  const board = emptyBoard();
  const log: Recorded[] = [];
  const counters = new Map<NumberedType, number>();
  const refs = new Map<string, RefFact>();
  const language = createLanguage({ mask: (text) => maskSecrets(text).text });
  let position = 0;
  let time = 1_000_000;
  let ids = 0;

  const numbered = (type: NumberedType, contextId: string): string => {
    const number = (counters.get(type) ?? 0) + 1;
    counters.set(type, number);
    if (type === 'MSG' || type === 'EXCH') refs.set(`${type}-${number}`, { contextId, position });
    return `${type}-${number}`;
  };

  const record = ({ numbers, ...happening }: Happening): void => {
    position += 1;
    const event = { ...happening, position, at: time, refs: numbers.map((type) => numbered(type, happening.contextId)) } as Recorded; // type and payload stay together
    log.push(event);
    evolve(board, event);
  };

  const isInherited = (sidebar: Sidebar, exchange: string): boolean => {
    const fact = refs.get(exchange.toUpperCase());
    return (
      fact !== undefined &&
      inheritedBy(board, sidebar).some(
        (segment) =>
          fact.position <= segment.upTo &&
          fact.contextId === (segment.kind === 'session' ? segment.sessionId : contextIdOfSidebar(segment.sidebarId)),
      )
    );
  };

  const factsFor = (actor: Actor): Facts => ({
    now: time,
    actor,
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    refs,
    isInherited,
    exchange: (sidebar, exchange) =>
      isInherited(sidebar, exchange) ? { messages: [{ ref: null, by: 'AGENT-claude', text: 'the cache is enabled', confidence: null }] } : null,
    said: (ref) =>
      refs.has(ref) ? { messages: [{ ref: ref.replace('EXCH', 'MSG'), by: 'AGENT-claude', text: `what ${ref} says`, confidence: null }] } : null,
    surfacings: (text) =>
      rowsOf(board.golds)
        .filter(isComingUp)
        .flatMap(({ id, triggerConditions }) =>
          triggerConditions.filter((condition) => text.includes(condition)).map((condition) => ({ gold: id, score: 1, condition })),
        ),
    language,
  });

  const judge: World['decide'] = (command, actor, more = {}) => decide(board, command, { ...factsFor(actor), ...more });

  return {
    board,
    log,
    refs,
    now: () => time,
    pass: (ms) => void (time += ms),
    hear: (sessionId) => {
      position += 1;
      return numbered('EXCH', sessionId);
    },
    decide: judge,
    perform: (command, actor, more) => {
      time += 1;
      const decision = judge(command, actor, more);
      if (decision.ok) for (const happening of decision.value) record(happening);
      return decision;
    },
  };
};

/** Everything the board knows, as text: two boards that know the same give the same. */
export const dumpOf = (board: Board): string =>
  Object.entries(board)
    .map(([name, table]) => [name, [...table.entries()].sort(([a], [b]) => (a < b ? -1 : 1))] as const)
    .map((part) => JSON.stringify(part))
    .join('\n');

/** The board as the log tells it, from the beginning. */
export const refolded = (log: readonly Recorded[]): Board => {
  const board = emptyBoard();
  for (const event of log) evolve(board, event);
  return board;
};
