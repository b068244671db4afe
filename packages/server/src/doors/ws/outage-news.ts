import { BOARD_CONTEXT, maskSecrets, type Board } from '@yarnboard/domain';
import { encodeEvent, sentenceOf } from '@yarnboard/protocol';
import type { Queued } from '../../engine/waiting-room.ts';
import { namesOf } from '../../operations/board/names.ts';
import { contextOf, type OutageListener, type SettledNews } from '../../recovery/outage-watch.ts';
import type { Hub } from './hub.ts';
import { tokensLostIn } from './presence.ts';

/** REC-65: whoever is connected hears of an outage, of what is queued and of what became of it. `foreseen` is the board with what waits. */
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
    // REC-55: whoever is retired is out at once.
    for (const agent of tokensLostIn(events)) hub.revoke(agent);
  },
  settled: tellSettled(hub, foreseen),
});

/** REC-69: why it is refused may quote what was said, and others hear it, too. */
export const tellSettled =
  (hub: Pick<Hub, 'tellSettled'>, board: () => Board) =>
  ({ sender, contextId, seq: settledSeq, message, ...settled }: SettledNews): void => {
    const told = { ...settled, ...(message === undefined ? {} : { message: maskSecrets(message).text }) };
    const context = contextId === null ? null : namesOf(board()).context(contextId);
    hub.tellSettled({ type: 'settled', settledSeq, ...told, senderAgentId: sender, contextId: context }, { sender, contextId });
  };

/** Where a queued command was said, and what it would do, as people read it. */
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
