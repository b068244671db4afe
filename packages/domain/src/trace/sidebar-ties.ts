import { linked } from '../board/links.ts';
import type { FamilyEvent } from '../messages/catalogue.ts';
import { contextIdOf, type Context, type MergePackage, type Origin } from '../messages/values.ts';
import { assertNever } from '../never.ts';
import { conflictNode, contextNode, nodeOf, sidebarNode, somebody, tier, type Around } from './nodes.ts';
import { scratchpadRefOf } from '../scratchpad/state.ts';
import type { TieMakers } from './event-ties.ts';
import type { Tie } from './ties.ts';

type SidebarEvents = FamilyEvent<'spawning' | 'sidebar' | 'merging' | 'talk'>;

const ofContext = ({ board }: Pick<Around, 'board'>, context: Context | null): string | null =>
  context === null ? null : contextNode(board, contextIdOf(context));

/** Where a sidebar branched off: the message, if known, and the conversation. */
const originOf = ({ board, places }: Pick<Around, 'board' | 'places'>, origin: Origin): readonly (string | null)[] => {
  switch (origin.kind) {
    case 'none':
    case 'fork':
      return [];
    case 'session':
      return [
        origin.leafUuid === null ? (origin.upTo === null ? null : places.at(origin.upTo)) : places.ofUuid(origin.leafUuid),
        contextNode(board, origin.sessionId),
      ];
    case 'sidebar':
      return [origin.upTo === null ? null : places.at(origin.upTo)];
    default:
      return assertNever(origin);
  }
};

const packed = (
  around: Pick<Around, 'board' | 'event'>,
  into: string | null,
  { keyFindings, newCitations, goldCandidates }: MergePackage,
): readonly Tie[] =>
  [...keyFindings, ...newCitations, ...goldCandidates].flatMap((ref) => tier(around)(nodeOf(around.board, ref), 'merged-in', into));

/** The connections of sidebars, and their messages. */
export const sidebarTies: TieMakers<SidebarEvents> = {
  'sidebar.spawned': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const [own = event.uuid] = event.refs;
    const { origin, parent, coordinator, curator, participants, forkedFrom, forkReason, testGroup, resolves } = event.payload;
    const above = parent?.kind === 'sidebar' ? parent.sidebarId : null;
    return [
      ...originOf(around, origin).flatMap((place) => tie(own, 'branched-off', place)),
      ...(above === null ? [] : tie(own, 'child-of', sidebarNode(board, above))),
      ...(forkedFrom === null ? [] : tie(own, 'forked-from', sidebarNode(board, forkedFrom), 'said', forkReason)),
      ...(resolves === null ? [] : tie(own, 'resolves', conflictNode(board, above, resolves))),
      ...(testGroup === null
        ? []
        : linked(board, 'group', testGroup)
            .filter((id) => (board.sidebars.get(id)?.position ?? Infinity) < event.position)
            .flatMap((id) => tie(own, 'compared-with', sidebarNode(board, id), 'derived', testGroup))),
      ...tie(scratchpadRefOf(own), 'part-of', own, 'derived'),
      ...tie(somebody(event.by.id), 'spawned', own),
      ...tie(somebody(coordinator), 'coordinates', own),
      ...tie(somebody(curator), 'curates', own),
      ...participants.flatMap((agent) => tie(somebody(agent), 'joined', own)),
    ];
  },
  'sidebar.waiting': (around) => {
    const { board, event } = around;
    const { dependencies, waitingFor } = event.payload;
    return dependencies.flatMap((one) =>
      tier(around)(contextNode(board, event.contextId), 'waits-for', board.sidebars.get(one)?.ref ?? nodeOf(board, one), 'said', waitingFor),
    );
  },
  'sidebar.changed': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const own = contextNode(board, event.contextId);
    const { coordinator, curator, crossRefs } = event.payload;
    return [
      ...tie(somebody(coordinator ?? ''), 'coordinates', own),
      ...tie(somebody(curator ?? ''), 'curates', own),
      ...(crossRefs ?? []).flatMap((ref) => tie(own, 'related', nodeOf(board, ref))),
    ];
  },
  'sidebar.escalated': (around) => {
    const { to, reason } = around.event.payload;
    return tier(around)(contextNode(around.board, around.event.contextId), 'escalated-to', somebody(to), 'said', reason);
  },
  'sidebar.intervened': (around) => {
    const { by, contextId, payload } = around.event;
    return tier(around)(somebody(by.id), 'intervened', contextNode(around.board, contextId), 'said', payload.what);
  },
  'sidebar.tested': (around) => {
    const { board, event } = around;
    return event.payload.findings.flatMap((ref) =>
      tier(around)(contextNode(board, event.contextId), 'rests-on', nodeOf(board, ref), 'said', event.payload.description),
    );
  },
  'merge.checked': (around) => {
    const { by, contextId, payload } = around.event;
    const fit = payload.isFit ? 'fit to merge' : 'not fit to merge';
    return tier(around)(somebody(by.id), 'validated', contextNode(around.board, contextId), 'said', payload.notes ?? fit);
  },
  'sidebar.merged': (around) => {
    const { board, event } = around;
    const own = contextNode(board, event.contextId);
    const target = ofContext(around, event.payload.target);
    return [...tier(around)(own, 'merged-into', target), ...packed(around, target, event.payload.package)];
  },
  'memory.merged': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const [message = event.uuid, exchange = null] = event.refs;
    const { sidebarId, citations } = event.payload;
    return [
      ...tie(sidebarId === '' ? null : sidebarNode(board, sidebarId), 'merged-as', message),
      ...tie(message, 'part-of', contextNode(board, event.contextId), 'derived'),
      ...tie(message, 'opens', exchange, 'derived'),
      ...citations.flatMap((ref) => tie(message, 'cites', nodeOf(board, ref))),
      ...packed(around, message, event.payload.package),
    ];
  },
  'chat.message': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const [message = event.uuid, exchange = null] = event.refs;
    const { citations, media, inReplyTo } = event.payload;
    return [
      ...tie(message, 'part-of', contextNode(board, event.contextId), 'derived'),
      ...tie(message, 'opens', exchange, 'derived'),
      ...tie(message, 'answers', inReplyTo === null ? null : nodeOf(board, inReplyTo)),
      ...citations.flatMap((ref) => tie(message, 'cites', nodeOf(board, ref))),
      ...media.flatMap((ref) => tie(nodeOf(board, ref), 'attached-to', message)),
      ...tie(somebody(event.by.id), 'said', message),
    ];
  },
  'mention.routed': (around) => {
    const { board, event, places } = around;
    const { targets, about } = event.payload;
    const place = (about === null ? null : places.ofUuid(about)) ?? contextNode(board, event.contextId) ?? somebody(event.by.id);
    return targets.flatMap((agent) => tier(around)(place, 'mentions', somebody(agent)));
  },
  'relevance.scored': (around) => {
    const { board, event } = around;
    return Object.entries(event.payload.scores).flatMap(([exchange, score]) =>
      tier(around)(nodeOf(board, exchange), 'inherited-by', contextNode(board, event.contextId), 'said', `relevance ${score}`),
    );
  },
};
