import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { InsideInput } from '@yarnboard/protocol';
import { isOtherWay, PAGE_SIZE, pageInput, pageWith, type FlowAddress, type FlowShape, type PageItems, type Told } from './flow-pages.ts';

/** Cached pages belong to one opening of a conversation: whoever comes back later loads them again. */
export const keyFor = (input: InsideInput<'conversation'>, opening: string): QueryKey => ['conversation', input, opening];

/** PAGE-13: updates the cached pages when a new end arrives. */
export const takeEnd = (
  queries: QueryClient,
  opening: string,
  address: FlowAddress,
  { shape, pages }: { readonly shape: FlowShape | null; readonly pages: PageItems },
  end: Told,
): void => {
  const isAnother = shape !== null && isOtherWay(shape, pages, end);
  for (const page of pagesKept(queries, opening)) {
    const key = keyFor(pageInput(address, page), opening);
    const told = queries.getQueryData<Told>(key);
    if (told === undefined) continue;
    const fate = isAnother ? 'asked-again' : pageWith(page, told.items, end);
    if (fate === 'asked-again') void queries.invalidateQueries({ queryKey: key, exact: true });
    else if (fate !== 'kept') queries.setQueryData<Told>(key, { ...told, total: end.total, items: fate.items });
  }
};

/** PAGE-14: limits how many pages are kept, however far somebody scrolls. */
export const dropOldest = (queries: QueryClient, opening: string): void => {
  const cache = queries.getQueryCache();
  const idle = cache.findAll({ queryKey: ['conversation'], type: 'inactive' }).filter(({ queryKey }) => queryKey[2] === opening);
  const oldestFirst = idle.toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt);
  for (const query of oldestFirst.slice(0, Math.max(0, idle.length - MOST_IDLE))) cache.remove(query);
};

/** The numbers of the cached pages, of any branch. */
const pagesKept = (queries: QueryClient, opening: string): ReadonlySet<number> =>
  new Set(
    queries
      .getQueryCache()
      .findAll({ queryKey: ['conversation'] })
      .flatMap(({ queryKey }) => {
        const [, input, of] = queryKey as readonly [string, InsideInput<'conversation'>, string?]; // made by `keyFor`
        return of === opening && typeof input.from === 'number' ? [Math.floor(input.from / PAGE_SIZE)] : [];
      }),
  );

const MOST_IDLE = 20;
