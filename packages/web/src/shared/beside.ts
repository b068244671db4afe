import { createContext, useContext } from 'react';

/** What is shown in the panel beside a view, and how to change that. */
export type Beside = {
  /** SB-n or an id; `LISTED` for the list of a session's sidebars; null while the panel is closed. */
  readonly shown: string | null;
  /** The query part of the panel's address. */
  readonly search: string;
  readonly open: (ref: string, search?: string, isReplacing?: boolean) => void;
  readonly close: () => void;
};

/** Null without a panel: then links lead to pages. */
export const BesideContext = createContext<Beside | null>(null);

export const useBeside = (): Beside | null => useContext(BesideContext);

/** Stands for all sidebars of the session in the address. */
export const LISTED = 'all';

/** PAGE-600: the part of an address that names the panel's content: `?panel=SB-3`, or `?panel=SB-3?tab=claims` with a query of its own. */
export const besideIn = (search: string): { readonly shown: string | null; readonly search: string } => {
  const [name = '', ...rest] = (new URLSearchParams(search).get('panel') ?? '').split('?');
  return NAME.test(name) ? { shown: name === LISTED ? name : nameOf(name), search: rest.join('?') } : { shown: null, search: '' };
};

const nameOf = (name: string): string => (/^sb-/iu.test(name) ? name.toUpperCase() : name);

/** The address with different panel content; null closes the panel. */
export const withBeside = (search: string, beside: string | null): string => {
  const params = new URLSearchParams(search);
  if (beside === null) params.delete('panel');
  else params.set('panel', beside);
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
};

/** PAGE-600: the panel stays open while navigating within a view, and closes with it. */
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
