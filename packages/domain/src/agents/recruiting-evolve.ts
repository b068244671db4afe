import type { Board } from '../board/state.ts';
import type { FamilyEvent, Recorded } from '../messages/catalogue.ts';
import { sidebarIdOfContext } from '../messages/values.ts';
import { acceptRequest, endRequest, openRequest } from './requests.ts';
import { followAgent, takeSeat } from './seats.ts';
import { newcomer, type Request } from './state.ts';

type Evolvers<T extends Recorded['type']> = { readonly [K in T]: (board: Board, event: Recorded<K>) => void };

const nothing = (): void => {};

export const recruitingEvents: Evolvers<FamilyEvent<'recruiting'>> = {
  'agent.limited': (board, { payload, at }) => {
    const { agent, ...limits } = payload;
    board.agents.set(agent, { ...(board.agents.get(agent) ?? newcomer(agent, at)), limits });
    followAgent(board, agent, at);
  },
  'recruitment.requested': (board, event) => {
    const { wants, ...asked } = event.payload;
    openRequest(board, { ...requestOf(event), ...asked, state: wants === 'answer' ? 'asked' : 'queued' });
  },
  'recruitment.accepted': (board, { payload }) => acceptRequest(board, payload.request),
  'recruitment.queued': nothing,
  'queue.moved': nothing,
  'recruitment.declined': (board, { payload, at, position }) =>
    endRequest(board, payload.request, { state: 'declined', at, position, code: payload.code, answer: payload.note }),
  'recruitment.withdrawn': (board, { payload, at, position }) =>
    endRequest(board, payload.request, { state: payload.how, at, position, answer: payload.reason }),
  'agent.seated': (board, event) => {
    const { payload, at, position } = event;
    endRequest(board, payload.request, { state: 'joined', at, position });
    takeSeat(board, payload.agent, sidebarIdOfContext(event.contextId) ?? '', at);
  },
  'agent.instance': nothing,
  'capacity.noticed': nothing,
  'agent.suggested': nothing,
};

/** A new request, except for what it asks. */
export const requestOf = (
  event: Pick<Recorded, 'uuid' | 'contextId' | 'at' | 'position'>,
): Omit<Request, 'agent' | 'by' | 'note' | 'capability' | 'kind' | 'state'> => ({
  id: event.uuid,
  sidebarId: sidebarIdOfContext(event.contextId) ?? '',
  at: event.at,
  position: event.position,
  endedAt: null,
  endedPosition: null,
  code: null,
  answer: null,
  wasAway: false,
  hasActed: false,
});
