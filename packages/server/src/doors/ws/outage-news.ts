import { BOARD_CONTEXT, maskSecrets, type Board } from '@yarnboard/domain';
import { encodeEvent, sentenceOf } from '@yarnboard/protocol';
import type { Queued } from '../../engine/waiting-room.ts';
import { namesOf } from '../../operations/board/names.ts';
import { contextOf, type OutageListener, type SettledNews } from '../../recovery/outage-watch.ts';
import type { Hub } from './hub.ts';
import { tokensLostIn } from './presence.ts';

/** REC-65: informs connected clients of an outage, of queued commands and of their outcomes. `foreseen` is the board including the queue. */
export const tellOutage = (hub: Pick<Hub, 'tellEmergency' | 'tellQueued' | 'tellSettled' | 'revoke'>, foreseen: () => Board): OutageListener => ({
  changed: hub.tellEmergency,
  queued: (queued, { cacheId, position, durableIn, uuid }) => {
    const { asked, events } = queued;
    hub.tellQueued({
      messageId: asked.messageId,
      uuid,
      cacheId,
      queuePosition: position,
      durableIn,
      sender: asked.actor.id,
      contextId: contextOf(queued),
      events,
      names: () => namesOf(foreseen()),
    });
    // REC-55: a retired member is disconnected at once.
    for (const agent of tokensLostIn(events)) hub.revoke(agent);
  },
  settled: tellSettled(hub, foreseen),
});

/** REC-69: a refusal may quote a message, and others receive it, too. */
export const tellSettled =
  (hub: Pick<Hub, 'tellSettled'>, board: () => Board) =>
  ({ sender, contextId, seq: settledSeq, message, ...settled }: SettledNews): void => {
    const told = { ...settled, ...(message === undefined ? {} : { message: maskSecrets(message).text }) };
    const context = contextId === null ? null : namesOf(board()).context(contextId);
    hub.tellSettled({ type: 'settled', settledSeq, ...told, senderAgentId: sender, contextId: context }, { sender, contextId });
  };

/** The place and effect of a queued command, in readable form. */
export const describeQueued =
  (board: () => Board) =>
  ({ asked, events }: Queued): { readonly context: string | null; readonly wouldDo: string } => {
    const names = namesOf(board());
    const contextId = contextOf({ events });
    return {
      context: contextId === BOARD_CONTEXT ? null : names.context(contextId),
      wouldDo: events.length === 0 ? asked.command.type : events.map((event) => sentenceOf(encodeEvent(event, names))).join('; '),
    };
  };
