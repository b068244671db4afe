import { seatKey, SYSTEM, type Command } from '@yarnboard/domain';
import type { Engine } from '../engine/engine.ts';
import type { SeatPlace } from './port.ts';

export type SeatRequest = { readonly requestId: string; readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

export type SeatPermissionsOptions = {
  readonly engine: Pick<Engine, 'execute' | 'board'>;
  readonly newId: () => string;
  /** Why a request is refused without asking anyone: it touches a protected place. Null for all others. */
  readonly isProtected: (input: Readonly<Record<string, unknown>>, directory: string | null) => string | null;
};

/** RT-50: puts permission requests from seats before the operator. The answer comes as `permission.decided`, whatever its source. */
export type SeatPermissions = {
  /** Resolves with the reason if it is denied without even asking. */
  readonly ask: (place: SeatPlace, request: SeatRequest, directory: string | null) => Promise<string | null>;
  /** The seat has stopped working, so nobody needs to answer. */
  readonly withdraw: (place: SeatPlace) => Promise<void>;
};

export const createSeatPermissions = ({ engine, newId, isProtected }: SeatPermissionsOptions): SeatPermissions => {
  const tell = (command: Command): ReturnType<Engine['execute']> =>
    engine.execute({ command, actor: SYSTEM, messageId: newId(), client: 'yarnboard' });
  return {
    ask: async ({ agent, sidebarId }, { requestId, tool, input }, directory) => {
      const written = JSON.stringify(input);
      if (written.length > MOST_INPUT) return `the input has ${written.length} characters, more than anyone can review (${MOST_INPUT})`;
      const refusal = isProtected(input, directory);
      const asked = await tell({ type: 'permission.ask', sidebar: sidebarId, agent, key: requestId, tool, input: written, directory, refusal });
      return asked.kind === 'rejected' ? 'the request could not be put before the operator' : null;
    },
    withdraw: async ({ agent, sidebarId }) => {
      const isAny = (engine.board().permissions.get(seatKey(agent, sidebarId)) ?? []).some(({ outcome }) => outcome === null);
      if (isAny) await tell({ type: 'permission.withdraw', sidebar: sidebarId, agent });
    },
  };
};

const MOST_INPUT = 150_000;
