import type { InsideInput } from '@yarnboard/protocol';

export type SearchFilters = {
  readonly project: string;
  readonly actor: string;
  readonly tool: string;
  readonly sessionTool: string;
  readonly model: string;
  readonly since: string;
  readonly until: string;
  readonly error: string;
  /** '1' excludes superseded and rejected hits. */
  readonly standing: string;
  readonly session: string;
  readonly agent: string;
};

export type SearchWish = SearchFilters & { readonly q: string; /** Empty: whichever finds best. */ readonly mode: string };

/** PAGE-242: what to search by. */
export const MODES = [
  { value: '', label: 'Best' },
  { value: 'words', label: 'Words' },
  { value: 'semantic', label: 'Meaning' },
] as const;

/** PAGE-244: excludes superseded and rejected hits. */
export const STANDING_ONLY = { label: 'Current only', hint: 'Leave out what was superseded or rejected' } as const;

export const FILTERS = [
  'project',
  'actor',
  'tool',
  'sessionTool',
  'model',
  'since',
  'until',
  'error',
  'standing',
  'session',
  'agent',
] as const satisfies readonly (keyof SearchFilters)[];

/** Reads a search from its URL. Drops values that nobody could have chosen, because the server would refuse the whole request. */
export const wishIn = (params: URLSearchParams): SearchWish => {
  const text = (name: string): string => params.get(name)?.trim() ?? '';
  const fitting = (name: string, pattern: RegExp): string => (pattern.test(text(name)) ? text(name) : '');
  return {
    q: params.get('q') ?? '',
    mode: fitting('mode', /^(?:words|semantic)$/u),
    project: text('project'),
    actor: fitting('actor', /^(?:human|agent|system)$/u),
    tool: text('tool'),
    sessionTool: text('sessionTool'),
    model: text('model'),
    since: fitting('since', DAY),
    until: fitting('until', DAY),
    error: fitting('error', /^1$/u),
    standing: fitting('standing', /^1$/u),
    session: text('session'),
    agent: text('agent'),
  };
};

/** The URL of a search. It holds only the fields that are set, so that the same search always has the same URL. */
export const addressOf = (wish: Partial<SearchWish>): URLSearchParams => {
  const params = new URLSearchParams();
  for (const name of ['q', 'mode', ...FILTERS] as const) {
    const value = wish[name] ?? '';
    if (value !== '') params.set(name, value);
  }
  return params;
};

export const hasFilters = (wish: SearchWish): boolean => FILTERS.some((name) => wish[name] !== '');

export const questionOf = ({ q, error, standing, ...filters }: SearchWish): InsideInput<'search'> => ({
  q: q.trim(),
  ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')),
  ...(error === '' ? {} : { hasError: 'true' }),
  ...(standing === '' ? {} : { standing: 'true' }),
});

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u;
