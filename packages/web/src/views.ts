/** A view: its address and how its code is loaded. `:name` stands for one part of the address. */
export type View = { readonly path: string; readonly load: () => Promise<unknown> };

/** PAGE-121: all views in one place. Both the routes and the early loading of a view's code use this list. */
export const createViews = () =>
  ({
    home: { path: '/', load: once(() => import('./features/home/home.tsx')) },
    sessions: { path: '/sessions', load: once(() => import('./features/sessions/session-list.tsx')) },
    session: { path: '/sessions/:id', load: once(() => import('./features/sessions/session-page.tsx')) },
    graph: { path: '/sessions/:id/graph', load: once(() => import('./features/graph/graph-page.tsx')) },
    changes: { path: '/sessions/:id/changes', load: once(() => import('./features/changes/changes-page.tsx')) },
    file: { path: '/files', load: once(() => import('./features/changes/file-page.tsx')) },
    usage: { path: '/usage', load: once(() => import('./features/usage/usage-page.tsx')) },
    search: { path: '/search', load: once(() => import('./features/search/search-page.tsx')) },
    reference: { path: '/refs/:ref', load: once(() => import('./features/search/reference-page.tsx')) },
    trace: { path: '/trace/:ref', load: once(() => import('./features/trace/trace-page.tsx')) },
    sidebars: { path: '/sidebars', load: once(() => import('./features/sidebars/sidebar-board.tsx')) },
    sidebar: { path: '/sidebars/:id', load: once(() => import('./features/sidebars/sidebar-page.tsx')) },
    archive: { path: '/archive', load: once(() => import('./features/archive/archive-page.tsx')) },
    gold: { path: '/gold', load: once(() => import('./features/citations/gold-page.tsx')) },
    agents: { path: '/agents', load: once(() => import('./features/agents/agents.tsx')) },
    runs: { path: '/runs', load: once(() => import('./features/runs/runs-page.tsx')) },
    settings: { path: '/settings', load: once(() => import('./features/settings/settings.tsx')) },
    recovery: { path: '/recovery', load: once(() => import('./features/recovery/recovery-page.tsx')) },
    health: { path: '/health', load: once(() => import('./features/settings/health.tsx')) },
  }) as const satisfies Readonly<Record<string, View>>;

export type Views = ReturnType<typeof createViews>;

export const viewAt = (views: Views, address: string): View | null =>
  Object.values<View>(views).find((view) => partsOf(view, address) !== null) ?? null;

/** The named parts of an address; null if the address belongs to another view. */
export const partsOf = ({ path }: View, address: string): Readonly<Record<string, string>> | null => {
  const [names, given] = [partsIn(path), partsIn(address)];
  const isOne = names.length === given.length && names.every((name, n) => name.startsWith(':') || name === given[n]?.toLowerCase());
  if (!isOne) return null;
  return Object.fromEntries(names.flatMap((name, n) => (name.startsWith(':') ? [[name.slice(1), decoded(given[n] ?? '')] as const] : [])));
};

const partsIn = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

/** Decodes one part of an address, because the router leaves separators such as %2F encoded. */
export const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a malformed address, typed by hand: use it as it is
  }
};

/** Loads once and returns the same promise after that, so that a loaded view renders at once. A failed load is tried again. */
const once = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let begun: Promise<T> | null = null;
  return () => {
    begun ??= load().catch((cause: unknown) => {
      begun = null;
      throw cause;
    });
    return begun;
  };
};
