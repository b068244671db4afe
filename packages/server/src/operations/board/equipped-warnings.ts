import type { Recorded } from '@yarnboard/domain';
import { isClaudeKind, type RuntimeSettings } from '@yarnboard/protocol';
import { DEFAULT_PRICES, priceOf } from '@yarnboard/transcript';
import type { RuntimesView } from '../../runtimes/runtimes-view.ts';

/** RT-73: warnings for whoever gives an agent a runtime: why it can't run yet, and which limits still apply if its model has no price. */
export const equippedWarnings = (
  events: readonly Recorded[],
  { settings, problemOf }: Pick<RuntimesView, 'settings' | 'problemOf'>,
): readonly string[] =>
  events.flatMap((event) => {
    if (event.type !== 'agent.equipped') return [];
    const runtime = settings.find(({ name }) => name === event.payload.runtime);
    if (runtime === undefined) return [];
    const problem = problemOf(runtime);
    return [...(problem === null ? [] : [`${runtime.name} can’t run yet: ${problem}`]), ...unpriced(runtime, event.payload.model ?? runtime.model)];
  });

/** Programs report their own costs. */
const unpriced = ({ kind, limits }: RuntimeSettings, model: string | null): readonly string[] => {
  const isUnpriced = kind === 'openai' || (isClaudeKind(kind) && model !== null && priceOf(DEFAULT_PRICES, model) === null);
  if (!isUnpriced) return [];
  const tokens = limits.tokens.toLocaleString('en');
  return [`no price is known for ${model ?? 'its model'}: limits in USD don’t apply; it stops at ${tokens} tokens in a sidebar`];
};
