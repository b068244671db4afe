import {
  decide,
  emptyBoard,
  evolve,
  maskSecrets,
  OPERATOR,
  type Board,
  type Command,
  type Facts,
  type Happening,
  type Recorded,
} from '@yarnboard/domain';
import { createLanguage } from '@yarnboard/language';
import { WrongResult } from '../measure/run.ts';

export type Ledger = { readonly facts: Facts; readonly record: (happening: Happening) => Recorded };

/** One for all, as a server has one. */
const LANGUAGE = createLanguage({ mask: (text) => maskSecrets(text).text });

/** Stands for the log: places and numbers in a row. */
export const createLedger = (isFirst = false): Ledger => {
  const start = isFirst ? 0 : 1_000_000;
  const last = new Map<string, number>();
  let position = start;
  let ids = start;
  const number = (type: string): string => {
    const next = (last.get(type) ?? start) + 1;
    last.set(type, next);
    return `${type}-${next}`;
  };
  return {
    facts: {
      now: NOON,
      actor: OPERATOR,
      newId: () => {
        ids += 1;
        return `id-${ids}`;
      },
      refs: new Map(),
      isInherited: () => false,
      surfacings: () => [],
      language: LANGUAGE,
    },
    record: ({ numbers, ...happening }) => {
      position += 1;
      return { ...happening, position, at: NOON, refs: numbers.map(number) };
    },
  };
};

export const apply = (board: Board, command: Command, { facts, record }: Ledger): void => {
  const decision = decide(board, command, facts);
  if (!decision.ok) throw new WrongResult(`${command.type} is refused: ${decision.error.reason}`);
  for (const happening of decision.value) evolve(board, record(happening));
};

export const boardWith = (sidebars: number): Board => {
  const board = emptyBoard();
  const ledger = createLedger(true);
  for (let i = 0; i < sidebars; i += 1) apply(board, SPAWN, ledger);
  return board;
};

export const SPAWN: Command = { type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'why is login slow?' };

const NOON = Date.UTC(2026, 2, 14, 12);
