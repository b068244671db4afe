import { BOARD_CONTEXT, type Board } from '@yarnboard/domain';
import { encodeEvent, sentenceOf } from '@yarnboard/protocol';
import type { Queued } from '../../engine/waiting-room.ts';
import { namesOf } from '../../operations/board/names.ts';
import type { OutageListener } from '../../recovery/outage-watch.ts';
import type { Hub } from './hub.ts';
import { tokensLostIn } from './presence.ts';

/** REC-65: whoever is connected hears of an outage, of what is queued and of what became of it. `foreseen` is the board with what waits. */
export const tellOutage = (hub: Pick<Hub, 'tellEmergency' | 'tellQueued' | 'tellSettled' | 'revoke'>, foreseen: () => Board): OutageListener => ({
  changed: hub.tellEmergency,
  queued: ({ asked, events }, { cacheId, position, durableIn, uuid }) => {
    const contextId = events[0]?.contextId ?? BOARD_CONTEXT;
    const names = namesOf(foreseen());
    const by = {
      senderAgentId: asked.actor.id,
      contextId: names.context(contextId),
      events: events.map((event) => encodeEvent(event, names) as never), // JSON, as it is told
    };
    const message = 'queued, not on the log yet';
    hub.tellQueued({ type: 'queued', messageId: asked.messageId, cacheId, queuePosition: position, durableIn, uuid, message, by }, contextId);
    // REC-55: whoever is retired is out at once.
    for (const agent of tokensLostIn(events)) hub.revoke(agent);
  },
  settled: ({ sender, seq: settledSeq, ...settled }) => hub.tellSettled({ type: 'settled', settledSeq, ...settled }, sender),
});

/** Where a queued command was said, and what it would do, as people read it. */
export const describeQueued =
  (board: () => Board) =>
  ({ asked, events }: Queued): { readonly context: string | null; readonly wouldDo: string } => {
    const names = namesOf(board());
    const contextId = events[0]?.contextId ?? BOARD_CONTEXT;
    return {
      context: contextId === BOARD_CONTEXT ? null : names.context(contextId),
      wouldDo: events.length === 0 ? asked.command.type : events.map((event) => sentenceOf(encodeEvent(event, names))).join('; '),
    };
  };
