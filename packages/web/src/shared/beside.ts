import { createContext, useContext } from 'react';

/** What is shown in the panel beside a view, and how to change that. */
export type Beside = {
  /** SB-n or an id; `LISTED` for the list of a session's sidebars; null while the panel is closed. */
  readonly shown: string | null;
  /** What follows the `?` in the address of what is shown. */
  readonly search: string;
  readonly open: (ref: string, search?: string, isReplacing?: boolean) => void;
  readonly close: () => void;
};

/** Null where there is no panel: then links lead to pages. */
export const BesideContext = createContext<Beside | null>(null);

export const useBeside = (): Beside | null => useContext(BesideContext);

/** Stands in the address for all sidebars of the session. */
export const LISTED = 'all';

/** PAGE-600: what of an address says what is beside the view: `?panel=SB-3`, or `?panel=SB-3?tab=claims` with its own part. */
export const besideIn = (search: string): { readonly shown: string | null; readonly search: string } => {
  const [name = '', ...rest] = (new URLSearchParams(search).get('panel') ?? '').split('?');
  return NAME.test(name) ? { shown: name === LISTED ? name : nameOf(name), search: rest.join('?') } : { shown: null, search: '' };
};

const nameOf = (name: string): string => (/^sb-/iu.test(name) ? name.toUpperCase() : name);

/** An address with something else beside it; null closes the panel. */
export const withBeside = (search: string, beside: string | null): string => {
  const params = new URLSearchParams(search);
  if (beside === null) params.delete('panel');
  else params.set('panel', beside);
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
};

/** PAGE-600: the panel stays while one goes on within a view, and closes with it. */
export const keptBeside = (to: string, here: { readonly path: string; readonly search: string }): string => {
  const [path, query] = splitAt(to);
  const { shown } = besideIn(here.search);
  if (shown === null || (path !== '' && path !== here.path) || new URLSearchParams(query).has('panel')) return to;
  return `${path}${withBeside(query, new URLSearchParams(here.search).get('panel'))}`;
};

const splitAt = (to: string): readonly [string, string] => {
  const at = to.indexOf('?');
  return at < 0 ? [to, ''] : [to.slice(0, at), to.slice(at + 1)];
};

const NAME = /^(?:all|SB-\d+|[0-9a-f]{8}-[0-9a-f-]{27})$/iu;
