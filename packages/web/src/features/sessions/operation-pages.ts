import type { InsideOutput } from '@yarnboard/protocol';

export type Told = InsideOutput<'operations'>;

/** A page of tool calls, and where it begins: null for the first. */
export type OperationPage = { readonly from: string | null; readonly told: Told };

/** Asks for the page that begins there. */
export type AskPage = (from: string | null) => Promise<Told>;

/**
 * PAGE-645: pages in which nothing can have changed are kept: full ones, whose calls all have their result. The others are loaded again, and what
 * follows the last one. If a page ends elsewhere than before, everything behind it is loaded anew.
 */
export const freshPages = async (ask: AskPage, before: readonly OperationPage[], most: number): Promise<readonly OperationPage[]> => {
  const pages: OperationPage[] = [];
  let from: string | null = null;
  let count = 0;
  let known = before;
  do {
    const old: OperationPage | undefined = known.find((page) => page.from === from);
    const told: Told = old !== undefined && isSettled(old.told) ? old.told : await ask(from);
    if (old !== undefined && old.told.nextCursor !== null && told.nextCursor !== old.told.nextCursor) known = [];
    pages.push({ from, told });
    count += told.items.length;
    from = told.nextCursor;
  } while (from !== null && count < most);
  return pages;
};

const isSettled = ({ items, nextCursor }: Told): boolean => nextCursor !== null && items.every(({ resultUuid }) => resultUuid !== null);
