import { nameOfBundle, stackId, type Bundle, type YarnBoard, type YarnCard } from './yarn-board.ts';
import type { TreeRow } from '../../ui/tree.tsx';

/** A line of the outline: a card, a bundle of strings at a card, a card whose own line is elsewhere, or a stack. */
export type OutlineRow = TreeRow &
  (
    | { readonly kind: 'card'; readonly card: YarnCard; /** The bundle it hangs by. */ readonly by: Bundle | null }
    | { readonly kind: 'bundle'; readonly card: YarnCard; readonly bundle: Bundle; readonly shown: number; readonly more: number }
    | {
        readonly kind: 'again';
        readonly card: YarnCard;
        readonly by: Bundle;
        readonly at: string;
        /** Where the card's own line is. */ readonly where: 'above' | 'below';
      }
    | { readonly kind: 'stack'; readonly card: YarnCard; readonly bundle: Bundle; readonly more: number }
  );

/**
 * PAGE-236: the whole board as a tree: a card's bundles below it, and below each bundle the cards at its other ends. Each card appears once with
 * everything that hangs on it; any further mention links to that line.
 */
export const outlineOf = ({ root, cards }: YarnBoard): readonly OutlineRow[] => {
  const rows: OutlineRow[] = [];
  const first = cards.get(root);
  if (first === undefined) return rows;
  // Keeps pending lines on a stack instead of recursing, so no tree is too deep.
  const waiting: (() => readonly Step[])[] = [() => stepsOf(first, null, 1, cards)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const steps = next();
    const [head] = steps;
    if (head === undefined) continue;
    rows.push(head.row);
    for (const below of head.below.toReversed()) waiting.push(below);
  }
  const lines = new Map(rows.map(({ id }, n) => [id, n]));
  return rows.map((row, n) => (row.kind === 'again' && (lines.get(row.card.node.ref) ?? 0) > n ? { ...row, where: 'below' } : row));
};

type Step = { readonly row: OutlineRow; readonly below: readonly (() => readonly Step[])[] };

const stepsOf = (card: YarnCard, by: Bundle | null, level: number, cards: YarnBoard['cards']): readonly Step[] => {
  const { node, bundles, isUnfolded } = card;
  const isOpen = bundles.length === 0 ? null : isUnfolded;
  const row: OutlineRow = { kind: 'card', id: node.ref, level, isOpen, card, by };
  if (isOpen !== true) return [{ row, below: [] }];
  return [
    {
      row,
      below: bundles.map(({ end, kind, shown, more, isStacked }) => () => {
        const bundle: Bundle = { end, kind };
        const id = bundleId(node.ref, bundle);
        return [
          {
            row: { kind: 'bundle', id, level: level + 1, isOpen: shown.length > 0, card, bundle, shown: shown.length, more } as const,
            below: [
              ...shown.flatMap((ref) => {
                const other = cards.get(ref);
                if (other === undefined) return [];
                const isHere = other.from?.ref === node.ref && isOf(other, bundle, node.ref);
                return [() => (isHere ? stepsOf(other, bundle, level + 2, cards) : [again(other, bundle, node.ref, level + 2)])];
              }),
              ...(isStacked
                ? [
                    () => [
                      {
                        row: { kind: 'stack', id: stackId(node.ref, bundle), level: level + 2, isOpen: null, card, bundle, more } as const,
                        below: [],
                      },
                    ],
                  ]
                : []),
            ],
          },
        ];
      }),
    },
  ];
};

const isOf = ({ from }: YarnCard, { end, kind }: Bundle, ref: string): boolean =>
  from?.string.kind === kind && (from.string.from === ref) === (end === 'out');

const again = (card: YarnCard, by: Bundle, at: string, level: number): Step => ({
  row: { kind: 'again', id: `${bundleId(at, by)} ${card.node.ref}`, level, isOpen: null, card, by, at, where: 'above' },
  below: [],
});

const bundleId = (ref: string, bundle: Bundle): string => `${ref} | ${nameOfBundle(bundle)}`;
