import { SYSTEM, type Actor } from '@yarnboard/domain';
import type { Engine } from './engine.ts';

export type CompanyOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute'>;
  readonly newId: () => string;
  readonly onFault: (cause: unknown) => void;
};

/** Who is there. */
export type Company = { readonly tell: (actor: Actor, isThere: boolean) => void };

/** AGT-5: whoever connects is available, unless it has said otherwise; whoever is gone is offline. Only what changes is put on the log. */
export const createCompany = ({ engine, newId, onFault }: CompanyOptions): Company => ({
  tell: (actor, isThere) => {
    const known = engine.board().agents.get(actor.id)?.presence ?? 'offline';
    const status = isThere ? 'available' : 'offline';
    if (known === status || (isThere && known === 'busy')) return;
    engine.execute({ command: { type: 'agent.presence', agent: actor.id, status }, actor: SYSTEM, messageId: newId() }).catch(onFault); // a full disk: it is told again when somebody comes or goes
  },
});
