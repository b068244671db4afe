/** The filters and the order of the session list, as held in its URL. */
export type Listed = {
  readonly project: string | null;
  /** Empty for all. */
  readonly tool: string;
  readonly text: string;
  readonly sort: Sort;
  readonly only: readonly Only[];
  /** Days; empty for no limit. */
  readonly since: string;
  readonly until: string;
};

export const SORTS = ['latest', 'cost', 'messages', 'errors', 'longest'] as const;
export type Sort = (typeof SORTS)[number];

export const ONLYS = ['pinned', 'errors', 'nonempty', 'hidden'] as const;
export type Only = (typeof ONLYS)[number];

/** PAGE-615: ignores values that nobody could have chosen. */
export const listedIn = (params: URLSearchParams): Listed => {
  const only = (params.get('only') ?? '').split(',');
  return {
    project: params.get('project'),
    tool: params.get('tool') ?? '',
    text: params.get('text') ?? '',
    sort: SORTS.find((one) => one === params.get('sort')) ?? 'latest',
    only: ONLYS.filter((one) => only.includes(one)),
    since: dayIn(params.get('since')),
    until: dayIn(params.get('until')),
  };
};

const dayIn = (text: string | null): string => (text !== null && /^\d{4}-\d{2}-\d{2}$/u.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

export const listPath = ({ project, tool, text, sort, only, since, until }: Listed): string => {
  const query = new URLSearchParams({
    ...(project === null ? {} : { project }),
    ...(tool === '' ? {} : { tool }),
    ...(text === '' ? {} : { text }),
    ...(sort === 'latest' ? {} : { sort }),
    ...(only.length === 0 ? {} : { only: only.join(',') }),
    ...(since === '' ? {} : { since }),
    ...(until === '' ? {} : { until }),
  }).toString();
  return `/sessions${query === '' ? '' : `?${query}`}`;
};
