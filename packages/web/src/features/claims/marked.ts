import type { InsideOutput } from '@yarnboard/protocol';

type Item = InsideOutput<'sidebar_memory'>['items'][number];

/** What only the server knows of an inherited message: how sure its author was, and what other sidebars found. */
export type Marked = { readonly originalConfidence: number | null; readonly elsewhere: NonNullable<Item['mark']>['elsewhere'] };

export const markedOf = ({ originalConfidence, mark }: Item): Marked => ({ originalConfidence, elsewhere: mark?.elsewhere ?? [] });

export const UNMARKED: Marked = { originalConfidence: null, elsewhere: [] };
