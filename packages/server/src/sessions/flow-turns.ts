import { addUsage, type FlowStep, type Node } from '@yarnboard/transcript';
import type { CountedResponse } from './flow-records.ts';
import type { ThreadFlow } from './session-flow.ts';
import { usageView, usdOf } from './session-view.ts';

/** The place of a reply in its turn: one prompt with everything said and done for it. */
export type TurnPlace = {
  /** Whether this step continues the turn of the step before it. */
  readonly isGoingOn: boolean;
  /** For the last step of a turn, the total of the turn. `replies` is null if unknown, or if adding them up would take too long. */
  readonly whole: { readonly replies: readonly Node[] | null; readonly durationMs: number | null } | null;
};

/** API-61: the place of a step in its turn; null if it is not a reply. A part of a session may begin in the middle of a turn. */
export const turnPlaceOf = ({ flow: { steps, stepOf } }: Pick<ThreadFlow, 'flow'>, step: FlowStep, isPart: boolean): TurnPlace | null => {
  const at = step.nodes[0] === undefined ? undefined : stepOf.get(step.nodes[0]);
  if (step.kind !== 'reply' || at === undefined) return null;
  const isReply = (index: number): boolean => steps[index]?.kind === 'reply';
  const isGoingOn = isReply(at - 1);
  if (isReply(at + 1)) return { isGoingOn, whole: null };
  let first = at;
  while (isReply(first - 1) && at - first < MOST_STEPS) first -= 1;
  if (isReply(first - 1) || (isPart && first === 0)) return { isGoingOn, whole: { replies: null, durationMs: null } };
  const replies = steps.slice(first, at + 1).flatMap(({ nodes }) => nodes.filter(({ entry }) => entry.role === 'reply'));
  const asked = steps[first - 1];
  const from = asked?.kind === 'prompt' ? timeIn(asked.nodes[0]) : timeIn(steps[first]?.nodes[0]);
  const to = timeIn(step.nodes.at(-1));
  return { isGoingOn, whole: { replies, durationMs: from === null || to === null || to < from ? null : to - from } };
};

const timeIn = (node: Node | undefined): number | null => (node === undefined || !Number.isFinite(node.entry.at) ? null : node.entry.at);

/** Longer turns are not added up each time their last step is shown. */
const MOST_STEPS = 500;

export type Spent = { readonly usage: ReturnType<typeof usageView> | null; readonly costUsd: number | null };

export const spentOn = (responses: readonly CountedResponse[]): Spent => {
  const [first, ...rest] = responses;
  if (first === undefined) return NOTHING_SPENT;
  const usage = rest.reduce((sum, response) => addUsage(sum, response.usage), first.usage);
  const priced = responses.flatMap(({ costNano }) => costNano ?? []);
  return { usage: usageView(usage), costUsd: priced.length === 0 ? null : usdOf(priced.reduce((a, b) => a + b, 0)) };
};

const NOTHING_SPENT: Spent = { usage: null, costUsd: null };
