import {
  mentionedIn,
  nearestOf,
  OPERATOR,
  provisionalAmong,
  refOfFinding,
  rowsOf,
  sidebarIdOfContext,
  type Board,
  type Recorded,
} from '@yarnboard/domain';

import { restsOnContradicted } from './mark-warnings.ts';

/** ENGINE-19: things that were done, but could be better. */
export const warningsOf = (board: Board, events: readonly Recorded[]): readonly string[] => [
  ...events.flatMap((event) =>
    event.type === 'sidebar.spawned' && event.payload.successCriteria === null && event.by.type !== 'system' ? [NO_CRITERIA] : [],
  ),
  ...events.flatMap((event) => {
    const isGone =
      event.type === 'agent.joined' && board.agents.get(event.payload.agent)?.presence === 'offline' && event.by.id !== event.payload.agent;
    return isGone ? [`${event.payload.agent} is offline and will find this in its inbox`] : [];
  }),
  ...citedTooEarly(board, events),
  ...mistyped(board, events),
  ...outOfReach(board, events),
  ...saidAgain(board, events),
  ...restsOnContradicted(board, events),
];

/** PAD-21: warns that a submitted finding repeats an earlier one. */
const saidAgain = (board: Board, events: readonly Recorded[]): readonly string[] =>
  events.flatMap((event) => {
    const sidebar = event.type === 'finding.submitted' ? board.sidebars.get(sidebarIdOfContext(event.contextId) ?? '') : undefined;
    const finding = sidebar?.scratchpad.findings.find(({ id }) => id === event.uuid);
    const before = sidebar?.scratchpad.findings.find(({ id }) => id === finding?.sameAs);
    if (sidebar === undefined || finding === undefined || before === undefined) return [];
    return [
      `${refOfFinding(sidebar.ref, finding)} says the same as ${refOfFinding(sidebar.ref, before)}, which is ${before.status}; they are linked`,
    ];
  });

const NO_CRITERIA = 'without success criteria, no one will know when this is done; you can add them later';

/** CITE-6: warns that a citation may still be withdrawn. */
const citedTooEarly = (board: Board, events: readonly Recorded[]): readonly string[] => {
  const cited = events.flatMap((event): readonly string[] => {
    if (event.type === 'chat.message') return event.by.type === 'system' ? [] : event.payload.citations;
    if (event.type === 'finding.submitted' || event.type === 'gold.created') return event.payload.sourceRefs;
    return event.type === 'citation.created' && event.payload.source.kind === 'reference' ? [event.payload.source.ref] : [];
  });
  return provisionalAmong(board, [...new Set(cited)]).map((ref) => `${ref} is provisional: it may still be rejected or revised`);
};

/** LOAD-13: warns that somebody is absent, or doesn't take part, and may not answer soon. */
const outOfReach = (board: Board, events: readonly Recorded[]): readonly string[] =>
  events.flatMap((event) => {
    const sidebar = board.sidebars.get(sidebarIdOfContext(event.contextId) ?? '');
    const mentioned = event.type === 'mention.routed' && event.by.type !== 'system' ? event.payload.targets : [];
    return mentioned.flatMap((id) => {
      const agent = board.agents.get(id);
      if (agent === undefined || agent.kind === 'human') return [];
      const isAway = agent.presence === 'offline' ? [`${id} is offline and will find this in its inbox`] : [];
      const isOut = sidebar === undefined || sidebar.participants.includes(id);
      return [...isAway, ...(isOut ? [] : [`${id} was told, and does not take part in ${sidebar.ref}: recruit it if it should`])];
    });
  });

/** TALK-6: an unknown name similar to a known one was mistyped: the intended person hasn't been notified. */
const mistyped = (board: Board, events: readonly Recorded[]): readonly string[] => {
  const mentioned = events.flatMap((event) =>
    event.type === 'chat.message' && event.by.type !== 'system' ? mentionedIn(event.payload.content) : [],
  );
  if (mentioned.length === 0) return [];
  const names = [OPERATOR.id, ...rowsOf(board.agents).flatMap(({ id, isRetired }) => (isRetired || id === OPERATOR.id ? [] : [id]))];
  return mentioned
    .filter((id) => !names.includes(id))
    .flatMap((id) => {
      const near = nearestOf(bare(id), names.map(bare));
      return near.length === 0
        ? []
        : [`there is no @${bare(id)} on this board, so no one was notified; did you mean ${near.map((name) => `@${name}`).join(' or ')}?`];
    });
};

const bare = (id: string): string => id.replace(/^AGENT-/u, '');
