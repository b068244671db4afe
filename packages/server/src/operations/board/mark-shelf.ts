import {
  claimsByExchange,
  effectiveConfidence,
  elsewhereOf,
  markOfExchange,
  stateTtl,
  steadySpan,
  UNVERIFIED,
  type Board,
  type Claim,
  type Mark,
  type Sidebar,
} from '@yarnboard/domain';
import { foreign, toWire, type Foreign } from '@yarnboard/protocol';
import { lasting } from '../request/pieces.ts';
import { elsewhereView, exchangeMarkView, inheritedFrom, type inheritedView } from './claim-views.ts';

/**
 * CLAIM-20: the marks that pages of memory show. Each is made once, and again only when a judgement of its exchange changes or a state grows old: a page
 * asks for hundreds, and nearly all are as they were.
 */
export type MarkShelf = {
  /** CLAIM-10: the extra fields of a message that this sidebar inherited. */
  readonly on: (board: Board, sidebar: Sidebar, now: number) => (exchange: string | null, original: number | null) => Marked;
};

type Marked = Omit<ReturnType<ReturnType<typeof inheritedView>>, 'mark'> & { readonly mark: Foreign | null };

export const createMarkShelf = (): MarkShelf => {
  const groups = createGroups();
  return {
    on: (board, sidebar, now) => {
      const marks = groups(sidebar);
      const ttl = stateTtl(board);
      const elsewhere = elsewhereOf(board, sidebar, now);
      const from = inheritedFrom(board, sidebar);
      const at = new Date(sidebar.createdAt).toISOString();
      return (exchange, original) => {
        const group = exchange === null ? undefined : marks.get(exchange);
        const known = group === undefined ? null : markedAt(group, sidebar, now, ttl);
        const mark = known?.mark ?? UNVERIFIED;
        const others = exchange === null ? [] : elsewhere(exchange);
        return {
          inheritedFrom: from,
          inheritedAt: at,
          originalConfidence: original,
          localVerification: mark.verification,
          localConfidence: mark.localConfidence,
          effectiveConfidence: effectiveConfidence(mark),
          mark:
            others.length === 0
              ? (known?.shown ?? null)
              : foreign(toWire(exchangeMarkView(sidebar, group?.claims ?? [], mark, others.map(elsewhereView)))),
        };
      };
    },
  };
};

/** The claims of an exchange, and their latest mark. */
type Group = { readonly claims: readonly Claim[]; made: Made | null };

type Made = {
  readonly ttl: number;
  readonly mark: Mark;
  readonly shown: Foreign;
  /** It stays as it is for as long as this: later than `after`, up to `until`. */
  readonly after: number;
  readonly until: number;
};

const markedAt = (group: Group, sidebar: Sidebar, now: number, ttl: number): Made => {
  const { claims, made } = group;
  if (made !== null && made.ttl === ttl && now > made.after && now <= made.until) return made;
  const mark = markOfExchange(claims, now, ttl);
  // Its keys are renamed and its texts masked once.
  const shown = foreign(lasting(toWire(exchangeMarkView(sidebar, claims, mark, [])) as object)); // an object stays one
  group.made = { ttl, mark, shown, ...steadySpan(claims, now, ttl) };
  return group.made;
};

/** The claims of a sidebar by exchange. Where only some have changed, the marks of the others are kept. */
const createGroups = (): ((sidebar: Sidebar) => ReadonlyMap<string, Group>) => {
  const latest = new Map<string, { readonly claims: readonly Claim[]; readonly groups: ReadonlyMap<string, Group> }>();
  return ({ id, claims }) => {
    const before = latest.get(id);
    if (before?.claims === claims) return before.groups;
    const groups = new Map(
      [...claimsByExchange(claims)].map(([exchange, own]) => {
        const known = before?.groups.get(exchange);
        return [exchange, known !== undefined && isSame(known.claims, own) ? known : { claims: own, made: null }];
      }),
    );
    latest.delete(id);
    latest.set(id, { claims, groups });
    const [oldest] = latest.keys();
    if (latest.size > MOST_SIDEBARS && oldest !== undefined) latest.delete(oldest);
    return groups;
  };
};

/** Claims never change: one that was judged is a new object. */
const isSame = (before: readonly Claim[], now: readonly Claim[]): boolean =>
  before.length === now.length && before.every((claim, at) => claim === now[at]);

/** As many as people and agents look at at the same time. */
const MOST_SIDEBARS = 100;
