import { BOARD_OPERATIONS, type BoardCommand, type Reload } from '@yarnboard/protocol';

type Operations = typeof BOARD_OPERATIONS;

/**
 * PAGE-141: the commands that survive a reload while they wait for the server; their operations declare it. Each has a message id that the log keeps,
 * so that it is executed once however often it is sent; its effect shows on the board, whoever sent it; and it contains only words and references.
 */
export type KeptCommand = { [N in BoardCommand]: Operations[N] extends Pick<Extract<Reload, { kept: unknown }>, 'kept'> ? N : never }[BoardCommand];

export const isKeptCommand = (name: unknown): name is KeptCommand =>
  typeof name === 'string' && Object.hasOwn(BOARD_OPERATIONS, name) && 'kept' in BOARD_OPERATIONS[name as keyof Operations]; // looked up just before

/** What the user wanted, and the field with the words they wrote. */
export const keptLookOf = (name: KeptCommand): Extract<Reload, { kept: unknown }>['kept'] => BOARD_OPERATIONS[name].kept;
