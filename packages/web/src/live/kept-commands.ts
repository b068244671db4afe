import { BOARD_OPERATIONS, type BoardCommand, type Reload } from '@yarnboard/protocol';

type Operations = typeof BOARD_OPERATIONS;

/**
 * PAGE-141: the commands that outlive a reload while they wait for the server; which these are stands with their operations. Each has a message id that
 * the log keeps, so that it is done once however often it is sent; what it does is seen on the board, whoever asked; and it holds words and references only.
 */
export type KeptCommand = { [N in BoardCommand]: Operations[N] extends Pick<Extract<Reload, { kept: unknown }>, 'kept'> ? N : never }[BoardCommand];

export const isKeptCommand = (name: unknown): name is KeptCommand =>
  typeof name === 'string' && Object.hasOwn(BOARD_OPERATIONS, name) && 'kept' in BOARD_OPERATIONS[name as keyof Operations]; // looked up just before

/** What it was to be, and where in it the words are that somebody wrote. */
export const keptLookOf = (name: KeptCommand): Extract<Reload, { kept: unknown }>['kept'] => BOARD_OPERATIONS[name].kept;
