import { OPERATOR } from '../actors.ts';
import type { Language, SkillFit } from '../board/language.ts';
import type { Board } from '../board/state.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { loadRow } from './loads.ts';
import { rosterOf } from './roster.ts';
import { countIn, hasRoom, takesSeats } from './seats.ts';
import type { Agent, Load } from './state.ts';

/** A matching agent, and why it matches. */
export type Candidate = { readonly agent: string; readonly availability: Availability; readonly words: readonly string[]; readonly why: string };

/** An agent without free seats counts as busy. */
export type Availability = 'available' | 'busy' | 'offline';

type Place = Pick<Sidebar, 'participants'>;

/**
 * LOAD-14: who has a capability, in the order to ask them: by exact, then similar names of it; then available, busy, offline; then those who work
 * well with the present team, preferably mutually; then by load; then by name. Only those are looked at who might be among the first few.
 */
export const candidatesFor = (
  board: Board,
  { skillGroups }: Language,
  wanted: readonly string[],
  place: Place,
  { except, most = Infinity, isFree = false }: { readonly except?: ReadonlySet<string>; readonly most?: number; readonly isFree?: boolean } = {},
): readonly Candidate[] => {
  const { agents, specialties } = rosterOf(board);
  const tiesTo = tiesWith(board, place);
  const found: Ranked[] = [];
  for (const group of skillGroups(wanted, specialties)) {
    const equals: Ranked[] = [];
    for (const { at, fit } of group) {
      const agent = board.agents.get(agents[at] ?? '');
      if (agent === undefined || except?.has(agent.id) === true || place.participants.includes(agent.id)) continue;
      const load = loadRow(board, agent.id);
      const availability = availabilityOf(agent, load);
      if (isFree && availability !== 'available') continue;
      put(equals, { agent, fit, availability, ties: tiesTo(agent), load: countIn(load, agent.id, agent.kind) }, most - found.length);
    }
    found.push(...equals);
    if (found.length >= most) break;
  }
  return found.map(candidateOf);
};

/** Keeps the first few, in order: nearly all of a large group come after those. */
const put = (list: Ranked[], one: Ranked, most: number): void => {
  if (list.length >= most) {
    const last = list.at(-1);
    if (last !== undefined && inOrder(one, last) > 0) return;
    list.pop();
  }
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && inOrder(one, other) < 0) high = middle;
    else low = middle + 1;
  }
  list.splice(low, 0, one);
};

/** LOAD-11: why somebody was chosen for a capability, whether they are there by now or not. Null if it doesn't fit. */
export const reasonFor = (board: Board, { skillFit }: Language, capability: string, agentId: string, { participants }: Place): string | null => {
  const agent = board.agents.get(agentId);
  const fit = agent === undefined ? null : skillFit(capability, agent.specialties);
  if (agent === undefined || fit === null || fit.score === 0) return null;
  const ties = tiesWith(board, { participants: participants.filter((one) => one !== agentId) })(agent);
  return [skillIn(fit), ...(ties === 0 ? [] : [WORKS_WELL])].join('; ');
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
  const tiesTo = tiesWith(board, { participants });
  const found: Ranked[] = [];
  for (const [id, agent] of board.agents.entries()) {
    if (agent.isRetired || agent.specialties.length === 0 || id === OPERATOR.id || participants.includes(id)) continue;
    const fit = skillFit(text, agent.specialties);
    if (fit.score < THRESHOLD) continue;
    const load = loadRow(board, id);
    found.push({ agent, fit, availability: availabilityOf(agent, load), ties: tiesTo(agent), load: countIn(load, id, agent.kind) });
  }
  found.sort((a, b) => b.fit.score - a.fit.score || Number(b.fit.isExact) - Number(a.fit.isExact) || inOrder(a, b));
  const best = found[0]?.fit.score ?? 0;
  return found
    .filter(({ fit }) => fit.score >= best * SHARE)
    .slice(0, MOST_SUGGESTED)
    .map(candidateOf);
};

/** All specialties named on this board. */
export const specialtiesOn = (board: Pick<Board, 'agents' | 'rosters'>): readonly string[] =>
  [...new Set(rosterOf(board).specialties.flat())].toSorted().slice(0, MOST_LISTED);

const availabilityOf = (agent: Agent, { seats }: Load): Availability => {
  if (agent.presence === 'offline') return 'offline';
  return agent.presence === 'busy' || (takesSeats(agent) && !hasRoom(agent, seats)) ? 'busy' : 'available';
};

type Ranked = { readonly agent: Agent; readonly fit: SkillFit; readonly availability: Availability; readonly ties: number; readonly load: number };

/** How well somebody works with those present: 1 for each who is preferred, 2 if that is mutual. */
const tiesWith = (board: Board, { participants }: Place): ((agent: Agent) => number) => {
  const liked = participants.map((id) => [id, board.agents.get(id)?.preferredCollaborators ?? []] as const);
  const isLiking = liked.some(([, list]) => list.length > 0);
  return ({ id, preferredCollaborators: likes }) =>
    likes.length === 0 && !isLiking ? 0 : liked.reduce((sum, [other, list]) => sum + Number(likes.includes(other)) + Number(list.includes(id)), 0);
};

/** Among those who fit equally well. */
const inOrder = (a: Ranked, b: Ranked): number =>
  AVAILABILITIES.indexOf(a.availability) - AVAILABILITIES.indexOf(b.availability) ||
  b.ties - a.ties ||
  a.load - b.load ||
  (a.agent.id < b.agent.id ? -1 : 1);

const candidateOf = ({ agent, fit, availability, ties, load }: Ranked): Candidate => ({
  agent: agent.id,
  availability,
  words: fit.words,
  why: [skillIn(fit), availability, ...(ties === 0 ? [] : [WORKS_WELL]), `${load} ${load === 1 ? 'seat' : 'seats'}`].join('; '),
});

const skillIn = ({ isExact, words }: SkillFit): string => `${isExact ? 'good at' : 'close to'} ${words.join(', ')}`;

const WORKS_WELL = 'works well with those present';
const AVAILABILITIES: readonly Availability[] = ['available', 'busy', 'offline'];
const MOST_NAMED = 5;
const MOST_SUGGESTED = 3;
const MOST_LISTED = 50;
const MOST_READ = 4000;
const THRESHOLD = 1;
const SHARE = 0.5;
