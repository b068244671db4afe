import type { InputOf } from '@yarnboard/protocol';
import { contextOf, contextWindowOf, type ContextPoint, type Node } from '@yarnboard/transcript';
import { timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { threadFor, type ConversationNeeds } from './conversation.ts';
import { placeOfSession } from './request/find-session.ts';

/** CTX-1: how full the context of a branch or sub-agent was, and what filled it. Looks up only the records it returns. */
export const showContext = async (needs: ConversationNeeds, input: InputOf<'context'>): Answer<'context'> => {
  const found = await placeOfSession(needs, input.id);
  const opened =
    found.kind === 'pending'
      ? await needs.sessions.loadPending(found.pending)
      : await needs.sessions.load(found.kind === 'kept' ? found.sessionId : found.row.sessionId);
  const { session, records } = opened;
  const thread = await threadFor(needs, input, opened, null);
  const { points, compactions, tools } = contextOf(session, thread.flow.nodes);
  const numbers = new Map(points.map(({ node }, index) => [node, index]));
  const cuts = cutsIn(thread.flow.nodes, numbers, new Set(compactions.map(({ node }) => node)));
  const shown = sampled(points, input.points, cuts);
  const rows = await records.rows([...shown.map(({ node }) => node), ...compactions.map(({ node }) => node)]);
  const placeOf = (node: Node) => ({
    uuid: node.uuid,
    ref: rows.get(node)?.ref ?? null,
    at: timeOf(Number.isFinite(node.entry.at) ? node.entry.at : null),
  });
  const peak = points.reduce((most, { tokens }) => Math.max(most, tokens), 0);
  return {
    sessionId: session.id,
    thread: thread.sidechain?.id ?? 'main',
    responses: points.length,
    window: contextWindowOf(points.at(-1)?.model ?? null, peak),
    peak,
    points: shown.map(({ node, tokens, output, model, fill }) => ({ ...placeOf(node), index: numbers.get(node) ?? 0, tokens, output, model, fill })),
    compactions: compactions.map(({ node, trigger, before, after }, n) => ({
      ...placeOf(node),
      index: cuts[n] ?? points.length,
      trigger,
      before,
      after,
    })),
    tools: tools.slice(0, MOST_TOOLS),
  };
};

/** The number of responses before each of these records. */
const cutsIn = (path: readonly Node[], numbers: ReadonlyMap<Node, number>, wanted: ReadonlySet<Node>): readonly number[] => {
  const cuts: number[] = [];
  let before = 0;
  for (const node of path) {
    const number = numbers.get(node);
    if (number !== undefined) before = number + 1;
    if (wanted.has(node)) cuts.push(before);
  }
  return cuts;
};

/** CTX-3: keeps the first point, the last, those around compactions, and the fullest of each stretch. */
const sampled = (points: readonly ContextPoint[], most: number, cuts: readonly number[]): readonly ContextPoint[] => {
  if (points.length <= most) return points;
  const kept = new Set([0, points.length - 1, ...cuts.flatMap((at) => [at - 1, at]).filter((at) => at >= 0 && at < points.length)]);
  const stretches = Math.max(1, most - kept.size);
  const size = points.length / stretches;
  for (let n = 0; n < stretches; n += 1) {
    let best = Math.floor(n * size);
    for (let at = best; at < Math.min(points.length, Math.floor((n + 1) * size)); at += 1) {
      if ((points[at]?.tokens ?? 0) > (points[best]?.tokens ?? 0)) best = at;
    }
    kept.add(best);
  }
  return [...kept].toSorted((a, b) => a - b).flatMap((at) => points[at] ?? []);
};

const MOST_TOOLS = 50;
