import { OPERATOR } from '../actors.ts';
import type { Language, SkillFit } from '../board/language.ts';
import type { Board } from '../board/state.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { loadOf, roomFor, seatsOfAgent, takesSeats } from './seats.ts';
import type { Agent } from './state.ts';

/** A matching agent, and why it matches. */
export type Candidate = { readonly agent: string; readonly availability: Availability; readonly words: readonly string[]; readonly why: string };

/** An agent without free seats counts as busy. */
export type Availability = 'available' | 'busy' | 'offline';

type Place = Pick<Sidebar, 'participants'>;

/**
 * LOAD-14: who has a capability, in the order to ask them: by exact, then similar names of it; then available, busy, offline; then those who work
 * well with the present team, preferably mutually; then by load; then by name. Only the first few are sorted and returned.
 */
export const candidatesFor = (
  board: Board,
  { skillFit }: Language,
  wanted: readonly string[],
  place: Place,
  { except, most = Infinity, isFree = false }: { readonly except?: ReadonlySet<string>; readonly most?: number; readonly isFree?: boolean } = {},
): readonly Candidate[] => {
  let found: Ranked[] = [];
  // An agent that matches worse than everyone on a full list is skipped: the other criteria would change nothing.
  let least: SkillFit | null = null;
  for (const [id, agent] of board.agents.entries()) {
    if (agent.isRetired || agent.specialties.length === 0 || except?.has(id) === true || place.participants.includes(id)) continue;
    const fit = bestOf(wanted.map((one) => skillFit(one, agent.specialties)));
    if (fit === null || (least !== null && byFit(fit, least) > 0)) continue;
    const availability = availabilityOf(board, agent);
    if (isFree && availability !== 'available') continue;
    found.push({ agent, fit, availability, ties: tiesOf(board, agent, place), load: loadOf(board, id) });
    if (found.length < 2 * most) continue;
    found = found.sort(inOrder).slice(0, most);
    least = found.at(-1)?.fit ?? null;
  }
  return found.sort(inOrder).slice(0, most).map(candidateOf);
};

/** LOAD-14: alternatives to an agent: none that is full, away, or there already. */
export const alternativesTo = (
  board: Board,
  language: Language,
  place: Place,
  { agent, capability }: { readonly agent: string; readonly capability: string | null },
): readonly string[] => {
  const wanted = capability === null ? (board.agents.get(agent)?.specialties ?? []) : [capability];
  if (wanted.length === 0) return [];
  return candidatesFor(board, language, wanted, place, { except: new Set([agent]), most: MOST_NAMED, isFree: true }).map((one) => one.agent);
};

/** LOAD-16: who might help with a task, and which of its words suggest so. Empty unless the match is good. */
export const suggestionsFor = (
  board: Board,
  { skillFit }: Language,
  { task, successCriteria, taskType, participants }: Pick<Sidebar, 'task' | 'successCriteria' | 'taskType' | 'participants'>,
): readonly Candidate[] => {
  const text = [task, taskType ?? '', successCriteria ?? ''].join('\n').slice(0, MOST_READ);
  const found: Ranked[] = [];
  for (const [id, agent] of board.agents.entries()) {
    if (agent.isRetired || agent.specialties.length === 0 || id === OPERATOR.id || participants.includes(id)) continue;
    const fit = skillFit(text, agent.specialties);
    if (fit.score < THRESHOLD) continue;
    found.push({ agent, fit, availability: availabilityOf(board, agent), ties: tiesOf(board, agent, { participants }), load: loadOf(board, id) });
  }
  found.sort((a, b) => b.fit.score - a.fit.score || inOrder(a, b));
  const best = found[0]?.fit.score ?? 0;
  return found
    .filter(({ fit }) => fit.score >= best * SHARE)
    .slice(0, MOST_SUGGESTED)
    .map(candidateOf);
};

/** All specialties named on this board. */
export const specialtiesOn = (board: Pick<Board, 'agents'>): readonly string[] =>
  [...new Set([...board.agents.entries()].flatMap(([, agent]) => (agent.isRetired ? [] : agent.specialties)))].toSorted().slice(0, MOST_LISTED);

const availabilityOf = (board: Board, agent: Agent): Availability => {
  if (agent.presence === 'offline') return 'offline';
  return agent.presence === 'busy' || (takesSeats(agent) && roomFor(agent, seatsOfAgent(board, agent.id)) === null) ? 'busy' : 'available';
};

type Ranked = { readonly agent: Agent; readonly fit: SkillFit; readonly availability: Availability; readonly ties: number; readonly load: number };

const bestOf = (fits: readonly SkillFit[]): SkillFit | null => {
  const best = fits.reduce<SkillFit | null>(
    (a, b) => (a === null || kindOf(b) < kindOf(a) || (kindOf(b) === kindOf(a) && b.score > a.score) ? b : a),
    null,
  );
  return best === null || best.score === 0 ? null : best;
};

const kindOf = ({ isExact }: SkillFit): number => (isExact ? 0 : 1);

/** Nearly equal scores count as equal. */
const gradeOf = ({ score }: SkillFit): number => Math.round(score * 2);

const tiesOf = (board: Board, agent: Agent, { participants }: Place): number =>
  participants.reduce((sum, id) => {
    const likes = agent.preferredCollaborators.includes(id);
    const isLiked = board.agents.get(id)?.preferredCollaborators.includes(agent.id) === true;
    return sum + (likes && isLiked ? 2 : likes || isLiked ? 1 : 0);
  }, 0);

const byFit = (a: SkillFit, b: SkillFit): number => kindOf(a) - kindOf(b) || gradeOf(b) - gradeOf(a);

const inOrder = (a: Ranked, b: Ranked): number =>
  byFit(a.fit, b.fit) ||
  AVAILABILITIES.indexOf(a.availability) - AVAILABILITIES.indexOf(b.availability) ||
  b.ties - a.ties ||
  a.load - b.load ||
  (a.agent.id < b.agent.id ? -1 : 1);

const candidateOf = ({ agent, fit, availability, ties, load }: Ranked): Candidate => ({
  agent: agent.id,
  availability,
  words: fit.words,
  why: [
    `${fit.isExact ? 'good at' : 'close to'} ${fit.words.join(', ')}`,
    availability,
    ...(ties === 0 ? [] : ['works well with those present']),
    `${load} ${load === 1 ? 'seat' : 'seats'}`,
  ].join('; '),
});

const AVAILABILITIES: readonly Availability[] = ['available', 'busy', 'offline'];
const MOST_NAMED = 5;
const MOST_SUGGESTED = 3;
const MOST_LISTED = 50;
const MOST_READ = 4000;
const THRESHOLD = 1;
const SHARE = 0.5;
