import type { Recorded } from '@yarnboard/domain';
import { isClaudeKind, type RuntimeSettings } from '@yarnboard/protocol';
import { DEFAULT_PRICES, priceOf } from '@yarnboard/transcript';

/** RT-73: whoever gives an agent a model that has no price is told which limit is left. Programs tell their costs themselves. */
export const unpricedIn = (events: readonly Recorded[], settings: readonly RuntimeSettings[]): readonly string[] =>
  events.flatMap((event) => {
    if (event.type !== 'agent.equipped') return [];
    const runtime = settings.find(({ name }) => name === event.payload.runtime);
    if (runtime === undefined) return [];
    const model = event.payload.model ?? runtime.model;
    const isUnpriced = runtime.kind === 'openai' || (isClaudeKind(runtime.kind) && model !== null && priceOf(DEFAULT_PRICES, model) === null);
    if (!isUnpriced) return [];
    const tokens = runtime.limits.tokens.toLocaleString('en');
    return [`no price is known for ${model ?? 'its model'}: limits in USD don’t apply; it stops at ${tokens} tokens in a sidebar`];
  });
