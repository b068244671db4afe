import { countOf, objectOf, type Json, type JsonObject } from '../../json.ts';

/**
 * OPEN-8: opencode excludes cache reads from the input. It includes reasoning in the output; newer versions count it separately, which the total
 * reveals. Null if nothing was counted.
 */
export const usageOf = (tokens: JsonObject | null): JsonObject | null => {
  const cache = objectOf(tokens?.['cache']);
  const input = count(tokens?.['input']);
  const output = count(tokens?.['output']);
  const reasoning = count(tokens?.['reasoning']);
  const read = count(cache?.['read']);
  const written = count(cache?.['write']);
  if (input + output + reasoning + read + written === 0) return null;
  return {
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: isBeside(count(tokens?.['total']), input + output + read + written, reasoning) ? output + reasoning : output,
  };
};

// Older versions write no total, and include reasoning in the output.
const isBeside = (total: number, others: number, reasoning: number): boolean => reasoning > 0 && total >= others + reasoning;

const count = (value: Json | undefined): number => countOf(value) ?? 0;
