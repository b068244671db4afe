import { shownText, type Sidebar } from '@yarnboard/domain';

type Occurring = readonly { readonly value: string; readonly sidebars: number }[];

export type Facets = Readonly<Record<'taskTypes' | 'participants' | 'tags' | 'archivedBy' | 'projects', Occurring>>;

/** ARCHIVE-10: the values available as archive filters, most common first. */
export const facetsOf = (archived: readonly Sidebar[], projectOf: (sidebar: Sidebar) => string | null): Facets => ({
  taskTypes: occurringIn(archived, ({ taskType }) => (taskType === null ? [] : [plainly(taskType)])),
  participants: occurringIn(archived, ({ participants, coordinator, curator }) => [...participants, coordinator, curator]),
  tags: occurringIn(archived, ({ tags }) => tags.map(plainly)),
  archivedBy: occurringIn(archived, ({ archive }) => (archive === null ? [] : [archive.by])),
  projects: occurringIn(archived, (sidebar) => projectOf(sidebar) ?? []),
});

const occurringIn = (archived: readonly Sidebar[], valuesOf: (sidebar: Sidebar) => string | readonly string[]): Occurring => {
  const counts = new Map<string, number>();
  for (const sidebar of archived) {
    const values = valuesOf(sidebar);
    for (const value of new Set(typeof values === 'string' ? [values] : values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, sidebars]) => ({ value, sidebars }))
    .toSorted((a, b) => b.sidebars - a.sidebars || (a.value < b.value ? -1 : 1))
    .slice(0, MOST);
};

/** ARCHIVE-2: types and tags compare case-insensitively. SEC-26: as everybody sees them, masked before a change of case could hide a secret's form. */
export const plainly = (text: string): string => shownText(text).trim().toLowerCase();

const MOST = 500;
