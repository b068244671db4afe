import { OPERATOR } from '../actors.ts';
import type { Dispute, Scores, Sidebar } from './state.ts';

/** The scores behind the words people use. */
export const RELEVANCES = { HIGH: 0.9, MEDIUM: 0.5, LOW: 0.1 } as const;

const isHigh = (score: number): boolean => score >= 0.7;
const isLow = (score: number): boolean => score <= 0.3;

/** MEM-8: one rates it HIGH, another LOW. */
export const disputants = (scores: Scores): readonly string[] => {
  const agents = Object.keys(scores);
  const high = agents.filter((agent) => isHigh(scores[agent] ?? 0));
  const low = agents.filter((agent) => isLow(scores[agent] ?? 1));
  return high.length > 0 && low.length > 0 ? [...high, ...low] : [];
};

/** MEM-8: a dispute is over when they no longer disagree. */
export const disputesAfter = (disputes: readonly Dispute[], relevance: Sidebar['relevance']): readonly Dispute[] =>
  disputes.filter(({ exchange }) => disputants(relevance[exchange] ?? {}).length > 0);

/** The agreed score of each exchange: the average of its scores. */
export const relevanceScores = ({ relevance }: Pick<Sidebar, 'relevance'>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(relevance).map(([exchange, scores]) => {
      const all = Object.values(scores);
      return [exchange, Math.round((all.reduce((sum, score) => sum + score, 0) / all.length) * 1000) / 1000];
    }),
  );

/** MEM-9: what everyone who scored it rates HIGH, and what was added by hand. */
export const activeFocus = ({ relevance, pinned, unpinned }: Pick<Sidebar, 'relevance' | 'pinned' | 'unpinned'>): readonly string[] => {
  const agreed = Object.entries(relevance)
    .filter(([, scores]) => Object.values(scores).every(isHigh))
    .map(([exchange]) => exchange);
  const out = new Set(unpinned);
  return [...new Set([...agreed.filter((exchange) => !out.has(exchange)), ...pinned])];
};

/** MEM-7: participants who haven't reviewed the inherited memory. */
export const toReview = ({ participants, relevance, origin }: Pick<Sidebar, 'participants' | 'relevance' | 'origin'>): readonly string[] => {
  if (origin.kind === 'none') return [];
  const have = new Set(Object.values(relevance).flatMap((scores) => Object.keys(scores)));
  return participants.filter((agent) => !have.has(agent));
};

/**
 * MEM-12: those of them who are asked. Whoever opened the sidebar knows what it branched off from; the human may score, but has better things to do;
 * and a single participant has nobody to agree with.
 */
export const askedToReview = (sidebar: Pick<Sidebar, 'participants' | 'relevance' | 'origin' | 'createdBy'>): readonly string[] =>
  sidebar.participants.length < 2 ? [] : toReview(sidebar).filter((agent) => agent !== sidebar.createdBy && agent !== OPERATOR.id);
