import { agentWithToken, rowsOf, SYSTEM, toldAt, type Actor, type Board, type Recorded } from '@yarnboard/domain';
import { namesOf } from '../../operations/board/names.ts';
import { isBoardCommand } from '@yarnboard/protocol';
import type { Perform } from '../../operations/perform.ts';
import type { HubOptions } from './hub.ts';
import type { Engine } from '../../engine/engine.ts';

export type PresenceOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute' | 'position' | 'follow' | 'readOnly'>;
  /** Others may be connected to another server of the same database. */
  readonly isShared: boolean;
  readonly isReading: boolean;
  /** Whether somebody is present without a connection. */
  readonly keeps: (agent: string) => boolean;
  readonly newId: () => string;
  readonly onFault: (cause: unknown) => void;
};

/** What the hub needs from the board: names, who was present when the last server ended, and where to report presence. */
export const presenceOf = ({
  engine,
  isShared,
  isReading,
  keeps,
  newId,
  onFault,
}: PresenceOptions): Pick<HubOptions, 'names' | 'folded' | 'fold' | 'isBarred' | 'toldAt' | 'present' | 'onPresence'> => ({
  names: () => namesOf(engine.board()),
  folded: engine.position,
  toldAt: (agent) => toldAt(engine.board(), agent),
  isBarred: () => engine.readOnly() !== null,
  fold: engine.follow,
  present: isShared
    ? []
    : rowsOf(engine.board().agents)
        .filter(({ presence }) => presence !== 'offline')
        .map(({ id, kind }) => ({ id, type: kind })),
  ...(isReading ? {} : { onPresence: tellPresence(engine, keeps, newId, onFault) }),
});

/** AGT-5: connecting makes a member available, unless they said otherwise; disconnecting makes them offline. Only changes are logged. */
const tellPresence =
  (engine: Pick<Engine, 'board' | 'execute'>, keeps: (agent: string) => boolean, newId: () => string, onFault: (cause: unknown) => void) =>
  (actor: Actor, isThere: boolean): void => {
    if (!isThere && keeps(actor.id)) return;
    const known = engine.board().agents.get(actor.id)?.presence ?? 'offline';
    const status = isThere ? 'available' : 'offline';
    if (known === status || (isThere && known === 'busy')) return;
    engine.execute({ command: { type: 'agent.presence', agent: actor.id, status }, actor: SYSTEM, messageId: newId() }).catch(onFault); // e.g. a full disk: reported at the next change
  };

/** AGT-12: any request of an agent counts as presence; an open page sends requests without anyone in front of it. */
export const attending =
  (perform: Perform, seen: (actor: Actor) => void): Perform =>
  (name, asker, ask) => {
    if (asker.actor !== null && (asker.actor.type === 'agent' || isBoardCommand(name))) seen(asker.actor);
    return perform(name, asker, ask);
  };

/** WIRE-24: whoever loses a token is cut off at that moment, in both directions. Returns how to stop. */
export const revokeTokens = (engine: Pick<Engine, 'onCommitted'>, revoke: (agentId: string) => void): (() => void) =>
  engine.onCommitted((events) => {
    for (const agent of tokensLostIn(events)) revoke(agent);
  });

/** The agents whose tokens become invalid with these events. */
export const tokensLostIn = (events: readonly Recorded[]): readonly string[] =>
  events.flatMap(({ type, payload }) =>
    type === 'agent.retired' || (type === 'agent.changed' && payload.tokenHash !== undefined) ? [payload.agent] : [],
  );

/** AGT-3: the owner of a token. */
export const memberOf = (board: Board, tokenHash: string): Actor | null => {
  const agent = agentWithToken(board, tokenHash);
  return agent === null ? null : { id: agent.id, type: agent.kind };
};
