import { nearestOf } from '@yarnboard/domain';
import type { Operation } from '@yarnboard/protocol';

/** The operation that somebody may have meant, by its name or by its words in a terminal; null when nothing is like it. */
export const nearestTool = (wanted: string, registry: Readonly<Record<string, Operation>>): string | null => {
  const names = new Map(
    Object.values(registry).flatMap(({ name, terminal }) =>
      [name, ...(terminal === undefined ? [] : [terminal.words.join('_')])].map((one) => [one, name] as const),
    ),
  );
  const [best] = nearestOf(wanted, [...names.keys()], 1);
  return best === undefined ? null : (names.get(best) ?? null);
};
