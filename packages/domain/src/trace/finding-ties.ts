import type { FamilyEvent } from '../messages/catalogue.ts';
import { assertNever } from '../never.ts';
import { scratchpadRefOf } from '../scratchpad/state.ts';
import type { TieMakers } from './event-ties.ts';
import { contentNode, contextNode, episodeNode, findingNode, goldNode, itemNode, mediaNode, nodeOf, sidebarNode, somebody, tier } from './nodes.ts';
import type { Around } from './nodes.ts';
import type { Tie } from './ties.ts';

type FindingEvents = FamilyEvent<'scratchpad' | 'memory' | 'citations' | 'marks'>;

/** The connections of findings, citations, media, GOLD and claims. */
export const findingTies: TieMakers<FindingEvents> = {
  'finding.submitted': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const own = findingNode(board, event.contextId, event.uuid);
    const { sourceRefs, supersedes } = event.payload;
    return [
      ...tie(own, 'part-of', scratchpadRefOf(contextNode(board, event.contextId) ?? ''), 'derived'),
      ...sourceRefs.flatMap((ref) => tie(own, 'rests-on', nodeOf(board, ref))),
      ...tie(own, 'revises', supersedes === null ? null : findingNode(board, event.contextId, supersedes)),
      ...tie(somebody(event.by.id), 'made', own),
    ];
  },
  'finding.validated': (around) => {
    const { board, event } = around;
    const { finding, status, notes } = event.payload;
    const said = notes === null ? status : `${status}: ${notes}`;
    return tier(around)(somebody(event.by.id), 'validated', findingNode(board, event.contextId, finding), 'said', said);
  },
  'finding.annotated': (around) => {
    const { board, event } = around;
    const { finding, note } = event.payload;
    return tier(around)(somebody(event.by.id), 'annotated', findingNode(board, event.contextId, finding), 'said', note);
  },
  'conflict.detected': (around) => {
    const { board, event } = around;
    const own = itemNode(board, event.contextId, 'CONFLICT', event.uuid);
    const [first, ...others] = event.payload.findings.map((id) => findingNode(board, event.contextId, id));
    if (first === undefined) return [];
    return [
      ...[first, ...others].flatMap((finding) => tier(around)(own, 'between', finding, 'inferred')),
      ...others.flatMap((finding) => tier(around)(first, 'contradicts', finding, 'inferred', event.payload.description)),
    ];
  },
  'conflict.resolved': (around) => {
    const { board, event } = around;
    const { conflict, notes } = event.payload;
    return tier(around)(somebody(event.by.id), 'judged', itemNode(board, event.contextId, 'CONFLICT', conflict), 'said', notes);
  },
  'checkpoint.created': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const own = itemNode(board, event.contextId, 'CHECKPOINT', event.uuid);
    return [
      ...tie(own, 'part-of', contextNode(board, event.contextId), 'derived'),
      ...event.payload.findings.flatMap((id) => tie(findingNode(board, event.contextId, id), 'in-checkpoint', own)),
      ...tie(somebody(event.by.id), 'made', own),
    ];
  },
  'checkpoint.annotated': (around) => {
    const { board, event } = around;
    const { checkpoint, note } = event.payload;
    return tier(around)(somebody(event.by.id), 'annotated', itemNode(board, event.contextId, 'CHECKPOINT', checkpoint), 'said', note);
  },
  'episodic.archived': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const own = episodeNode(board, event.uuid);
    const { finding, gold, about, pointers, sourceSidebar, sourceCheckpoint, supersedes, trigger } = event.payload;
    const home = board.sidebars.get(sourceSidebar ?? '')?.contextId ?? event.contextId;
    return [
      ...tie(finding === null ? null : findingNode(board, home, finding), 'kept-as', own, 'said', trigger),
      ...tie(gold === null ? null : goldNode(board, gold), 'kept-as', own, 'said', trigger),
      // A complete sidebar gets its tie below.
      ...tie(about === null || pointers !== null ? null : nodeOf(board, about), 'kept-as', own, 'said', trigger),
      ...tie(own, 'kept-at', sourceCheckpoint === null ? null : itemNode(board, home, 'CHECKPOINT', sourceCheckpoint)),
      ...tie(own, 'part-of', sourceSidebar === null ? null : sidebarNode(board, sourceSidebar), 'derived'),
      ...tie(supersedes === null ? null : episodeNode(board, supersedes), 'superseded-by', own),
    ];
  },
  'episodic.superseded': (around) => {
    const { episode, by, why } = around.event.payload;
    return tier(around)(episodeNode(around.board, episode), 'superseded-by', by === null ? null : episodeNode(around.board, by), 'said', why);
  },
  'confidence.set': (around) => {
    const { about, confidence, reason } = around.event.payload;
    return tier(around)(somebody(around.event.by.id), 'judged', nodeOf(around.board, about), 'said', `confidence ${confidence}: ${reason}`);
  },
  'citation.created': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const [own = event.uuid] = event.refs;
    return [
      ...tie(own, 'part-of', contextNode(board, event.contextId), 'derived'),
      ...sourceOf(around, own),
      ...tie(somebody(event.by.id), 'made', own),
    ];
  },
  'media.uploaded': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const [own = event.uuid] = event.refs;
    const { inResponseTo } = event.payload;
    return [
      ...tie(own, 'attached-to', contextNode(board, event.contextId)),
      ...tie(own, 'in-response-to', inResponseTo === null ? null : nodeOf(board, inResponseTo)),
      ...tie(somebody(event.by.id), 'made', own),
    ];
  },
  'media.processed': (around) => {
    const { media, sha256 } = around.event.payload;
    return tier(around)(contentNode(around.board, sha256), 'content-of', mediaNode(around.board, media), 'derived');
  },
  'gold.created': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const [own = event.uuid] = event.refs;
    return [
      ...tie(own, 'part-of', contextNode(board, event.contextId), 'derived'),
      ...event.payload.sourceRefs.flatMap((ref) => tie(own, 'made-of', nodeOf(board, ref))),
      ...tie(somebody(event.by.id), 'made', own),
    ];
  },
  'gold.validated': (around) => {
    const { gold, status, notes } = around.event.payload;
    const said = notes === null ? status : `${status}: ${notes}`;
    return tier(around)(somebody(around.event.by.id), 'validated', goldNode(around.board, gold), 'said', said);
  },
  'gold.superseded': (around) => {
    const { gold, by, why } = around.event.payload;
    return tier(around)(goldNode(around.board, gold), 'superseded-by', by === null ? null : goldNode(around.board, by), 'said', why);
  },
  'gold.surfaced': (around) => {
    const { board, event, places } = around;
    const tie = tier(around);
    const { gold, condition, about } = event.payload;
    const own = goldNode(board, gold);
    return [
      ...tie(own, 'shown-in', contextNode(board, event.contextId), 'inferred', condition),
      ...tie(own, 'shown-in', about === null ? null : places.ofUuid(about), 'inferred', condition),
    ];
  },
  'gold.answered': (around) => {
    const { gold, answer } = around.event.payload;
    return tier(around)(somebody(around.event.by.id), 'judged', goldNode(around.board, gold), 'said', answer === 'useful' ? 'useful' : 'not now');
  },
  'claim.noted': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const own = itemNode(board, event.contextId, 'CLAIM', event.uuid);
    const { exchange, messages } = event.payload;
    return [
      ...tie(own, 'part-of', contextNode(board, event.contextId), 'derived'),
      ...tie(own, 'about', exchange === '' ? null : nodeOf(board, exchange)),
      ...messages.flatMap((ref) => tie(own, 'about', nodeOf(board, ref))),
    ];
  },
  'claim.verified': (around) => {
    const { board, event } = around;
    const tie = tier(around);
    const { claim, verification, notes, evidence } = event.payload;
    const own = itemNode(board, event.contextId, 'CLAIM', claim);
    return [
      ...tie(somebody(event.by.id), 'judged', own, 'said', notes === null ? verification : `${verification}: ${notes}`),
      ...evidence.flatMap((ref) => tie(own, 'rests-on', nodeOf(board, ref), 'said', verification)),
    ];
  },
  'claim.settled': (around) => {
    const { board, event } = around;
    const { claim, verification, notes } = event.payload;
    return tier(around)(somebody(event.by.id), 'judged', itemNode(board, event.contextId, 'CLAIM', claim), 'said', `${verification}: ${notes}`);
  },
};

/** What a citation points at. For a file, its card is the one of its path; its content at that time is another. */
const sourceOf = (around: Around<'citation.created'>, own: string): readonly Tie[] => {
  const { board, event } = around;
  const tie = tier(around);
  const { source } = event.payload;
  switch (source.kind) {
    case 'reference':
      return tie(own, 'cites', nodeOf(board, source.ref));
    case 'file': {
      const { path, hash, from, to } = source;
      const lines = from === null ? null : to === null || to === from ? `line ${from}` : `lines ${from}–${to}`;
      const content = hash === null ? null : contentNode(board, hash);
      return [
        ...tie(own, 'cites-lines', path, 'said', lines),
        ...tie(own, 'cites', content, 'said', lines),
        ...tie(content, 'content-of', path, 'said'),
      ];
    }
    case 'external':
      return tie(own, 'points-at', source.url);
    default:
      return assertNever(source);
  }
};
