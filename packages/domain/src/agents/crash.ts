import { OPERATOR } from '../actors.ts';
import { happen, named, type Decision, type Facts } from '../board/deciding.ts';
import { knownRefs } from '../board/references.ts';
import { reject } from '../board/rejection.ts';
import { rowsOf } from '../board/tables.ts';
import type { Board } from '../board/state.ts';
import type { CommandOf, Happening, Payloads } from '../messages/catalogue.ts';
import { BOARD_CONTEXT } from '../messages/values.ts';
import { ok } from '../result.ts';
import { pendingFindings, refOfFinding } from '../scratchpad/state.ts';
import { isEnded } from '../sidebar/lifecycle.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { agentIdOf, type Agent } from './state.ts';

type Crashed = Payloads['agent.crashed']['sidebars'][number];

/** CRASH-1: how long an agent that vanished without notice may take to come back. */
export const CRASHED_AFTER = 60_000;

/** CRASH-1: what waits for somebody in active sidebars; nothing if nobody would miss them. */
export const leftBehind = (board: Board, agent: string): readonly Crashed[] =>
  // The human, to whom everything falls otherwise, doesn't crash by closing a terminal.
  agent === OPERATOR.id
    ? []
    : rowsOf(board.sidebars).flatMap((sidebar): readonly Crashed[] => {
        if (isEnded(sidebar.status) || !sidebar.participants.includes(agent)) return [];
        const pending = pendingFindings(sidebar.scratchpad).filter(({ submittedBy, owner }) => submittedBy === agent && owner === null);
        const coordinates = sidebar.coordinator === agent;
        const curates = sidebar.curator === agent;
        if (pending.length === 0 && !coordinates && !curates) return [];
        return [
          {
            sidebarId: sidebar.id,
            sidebar: named(sidebar),
            // AGT-8: if it is the coordinator itself, the human takes over.
            owner: coordinates ? OPERATOR.id : sidebar.coordinator,
            findings: pending.map(({ id }) => id),
            refs: pending.map((finding) => refOfFinding(named(sidebar), finding)),
            coordinates,
            curates,
          },
        ];
      });

/** CRASH-1: reported once, by Yarnboard itself. */
export const crash = (board: Board, facts: Facts, command: CommandOf<'agent.crash'>): Decision => {
  const agent = agentIdOf(command.agent);
  const absence = board.agents.get(agent)?.absence ?? null;
  if (facts.actor.type !== 'system') return reject('operator-only', { to: 'tell-of-crashes' });
  const sidebars = leftBehind(board, agent);
  // It may have come back since the clock was checked.
  if (absence?.kind !== 'lost' || facts.now - absence.since < CRASHED_AFTER || sidebars.length === 0) return reject('not-crashed', { agent });
  const words = knownRefs(board, facts, command.lastWords === undefined ? [] : [command.lastWords]);
  if (!words.ok) return words;
  return ok([happen(facts, 'agent.crashed', BOARD_CONTEXT, { agent, since: absence.since, sidebars, lastWords: words.value[0] ?? null })]);
};

/** CRASH-3: what an agent gets back when it returns: findings that are still pending, and duties that nobody else was given. */
export const comingBack = (board: Board, facts: Facts, agent: Agent | undefined): readonly Happening[] => {
  if (agent?.absence?.kind !== 'crashed') return [];
  const sidebars = agent.absence.fallen.flatMap(({ sidebarId, owner, findings, coordinates, curates }) => {
    const sidebar = board.sidebars.get(sidebarId);
    if (sidebar === undefined || isEnded(sidebar.status) || !sidebar.participants.includes(agent.id)) return [];
    const own = {
      sidebarId,
      findings: pendingFindings(sidebar.scratchpad)
        .filter((finding) => findings.includes(finding.id) && finding.owner === owner)
        .map(({ id }) => id),
      coordinates: coordinates && sidebar.coordinator === owner,
      curates: curates && sidebar.curator === curatorAfter(sidebar, owner, coordinates),
    };
    return own.findings.length > 0 || own.coordinates || own.curates ? [own] : [];
  });
  return [happen(facts, 'agent.returned', BOARD_CONTEXT, { agent: agent.id, sidebars })];
};

/** AGT-8: curation falls to the coordinator, or to the owner if the coordinator is gone as well. */
const curatorAfter = ({ coordinator }: Sidebar, owner: string, didCoordinate: boolean): string => (didCoordinate ? owner : coordinator);
