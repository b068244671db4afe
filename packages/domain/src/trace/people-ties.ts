import type { FamilyEvent } from '../messages/catalogue.ts';
import type { TieMakers } from './event-ties.ts';
import { contextNode, nodeOf, somebody, tier } from './nodes.ts';

type PeopleEvents = FamilyEvent<'agents' | 'recruiting' | 'runtimes'>;

/** Who brought whom where, and the briefings of seats. */
export const peopleTies: TieMakers<PeopleEvents> = {
  'agent.joined': (around) => {
    const { board, event } = around;
    const { agent, recruitedBy } = event.payload;
    const own = contextNode(board, event.contextId);
    return [
      ...tier(around)(somebody(agent), 'joined', own),
      ...(agent === recruitedBy ? [] : tier(around)(somebody(recruitedBy), 'recruited', somebody(agent), 'said', own)),
    ];
  },
  'seat.told': (around) => {
    const { board, event } = around;
    const { agent, sessionId, runtime } = event.payload;
    const session = sessionId === '' ? null : sessionId;
    return [
      ...tier(around)(session, 'seat-of', contextNode(board, event.contextId), 'said', runtime),
      ...tier(around)(session, 'seat-of', somebody(agent), 'said', runtime),
    ];
  },
  'turn.told': (around) => {
    const { board, event } = around;
    const { agent, briefing } = event.payload;
    return (briefing?.refs ?? []).flatMap((ref) => tier(around)(somebody(agent), 'briefed-with', nodeOf(board, ref)));
  },
};
