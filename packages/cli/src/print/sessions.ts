import type { OutputOf } from '@yarnboard/protocol';
import { shortIds } from './ids.ts';
import { minute } from './sidebar.ts';

type Session = OutputOf<'sessions'>['items'][number];

export type SessionsTable = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Sessions as rows; shows the tool if there is more than one (DIALECT-7), and what became of a session in it if known (BACK-4). */
export const sessionsTable = (items: readonly Session[]): SessionsTable => {
  const isMixed = new Set(items.map(({ tool }) => tool)).size > 1;
  const isTold = items.some((one) => one.in_tool !== undefined);
  const shortId = shortIds(items.map((one) => one.session_id));
  return {
    head: ['session', ...(isMixed ? ['tool'] : []), 'title', 'project', '>messages', '>USD', 'latest (UTC)', ...(isTold ? ['in its tool'] : [])],
    rows: items.map((one) => [
      shortId(one.session_id),
      ...(isMixed ? [one.tool ?? ''] : []),
      one.title ?? '',
      one.project?.split(/[/\\]/u).findLast((part) => part !== '') ?? '',
      String(one.messages),
      costOf(one),
      minute(one.ended_at),
      ...(isTold ? [one.in_tool ?? ''] : []),
    ]),
  };
};

/** Without any price there is no sum; an incomplete sum is marked. */
const costOf = ({ cost_usd: cost, unpriced, responses }: Session): string =>
  unpriced > 0 && unpriced === responses ? 'no price' : `${cost.toFixed(2)}${unpriced === 0 ? '' : '+'}`;
