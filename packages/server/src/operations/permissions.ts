import { agentIdOf, OPERATOR, patternFor, rowsOf, seatRunOf, type Board, type Permission } from '@yarnboard/domain';
import { foreign, type InputOf } from '@yarnboard/protocol';
import type { JsonObject } from '@yarnboard/transcript';
import type { Engine } from '../engine/engine.ts';
import { grantsIn, scopesOf } from '../launches/permission-grants.ts';
import type { RunView } from '../launches/run-view.ts';
import type { Runs } from '../launches/runs.ts';
import { timeOf } from '../sessions/session-view.ts';
import { operationOf } from '../sessions/thread-now.ts';
import { foundSidebar } from './request/find-sidebar.ts';

export type PermissionsNeeds = { readonly engine: Pick<Engine, 'board'>; readonly runs: Pick<Runs, 'load' | 'list'> };

/** RT-50: requests waiting for the operator, recent answers, and the rules. */
export const listPermissions = async ({ engine, runs }: PermissionsNeeds, input: InputOf<'permissions'>): Promise<object> => {
  await runs.load();
  const board = engine.board();
  const agent = input.agent_id === undefined ? null : agentIdOf(input.agent_id);
  const sidebar = input.sidebar_id === undefined ? null : foundSidebar(board, input.sidebar_id).id;
  const isAsked = (one: { readonly agent: string; readonly sidebarId: string | null }): boolean =>
    (agent === null || one.agent === agent) && (sidebar === null || one.sidebarId === null || one.sidebarId === sidebar);
  const asked = rowsOf(board.permissions).flat().filter(isAsked);
  const ofRuns = agent === null && sidebar === null ? runs.list().flatMap(ofRun) : [];
  const byAge = asked.toSorted((a, b) => a.askedAt - b.askedAt);
  const ofSeats = [...byAge.filter(({ outcome }) => outcome === null), ...byAge.filter(({ outcome }) => outcome !== null).slice(-MOST_ANSWERED)];
  return {
    items: [...ofRuns, ...ofSeats.map((one) => view(board, one))],
    rules: rowsOf(board.permissionRules)
      .flat()
      .filter(isAsked)
      .map((rule) => ({
        ruleId: rule.id,
        agentId: rule.agent,
        sidebarId: rule.sidebarId === null ? null : refOf(board, rule.sidebarId),
        tool: rule.tool,
        pattern: rule.pattern,
        directory: rule.directory,
        madeBy: rule.by,
        madeAt: timeOf(rule.at),
        usedAt: timeOf(rule.usedAt),
        uses: rule.uses,
      })),
  };
};

const view = (board: Board, { id, agent, sidebarId, tool, input, directory, askedAt, remindedAt, outcome }: Permission): object => {
  const given = outcome === null ? (JSON.parse(input) as JsonObject) : {}; // we wrote this JSON ourselves
  const run = seatRunOf(board, agent, sidebarId);
  return {
    requestId: id,
    runId: null,
    agentId: agent,
    sidebarId: refOf(board, sidebarId),
    sessionId: run === null || run.sessionId === '' ? null : run.sessionId,
    tool,
    title: null,
    summary: outcome === null ? operationOf(tool, given, directory) : input,
    input: foreign(given),
    directory,
    askedAt: timeOf(askedAt),
    remindedAt: timeOf(remindedAt),
    alike: outcome === null ? patternFor(input, 'alike') : null,
    decision: outcome?.decision ?? null,
    means: outcome?.means ?? null,
    answeredBy: outcome?.by ?? null,
    answeredAt: timeOf(outcome?.at ?? null),
    message: outcome?.message ?? null,
    isChanged: outcome?.isChanged === true,
    always: null,
    scope: null,
  };
};

/** For the run of a seat, the seat's own request is already listed. */
const ofRun = ({ runId, sessionId, cwd, pending, answers, seat }: RunView): readonly object[] => {
  if (seat !== null) return [];
  const about = { runId, agentId: null, sidebarId: null, sessionId, directory: cwd, remindedAt: null, alike: null, means: null };
  return [
    ...pending.map(({ requestId, tool, title, input, askedAt, suggestions }) => ({
      ...about,
      requestId,
      tool,
      title,
      summary: operationOf(tool, input, cwd),
      input: foreign(input),
      askedAt: timeOf(askedAt),
      decision: null,
      answeredBy: null,
      answeredAt: null,
      message: null,
      isChanged: false,
      always: alwaysOf(suggestions),
      scope: null,
    })),
    ...answers.map(({ requestId, tool, title, summary, askedAt, decision, by, at, message, isChanged, scope }) => ({
      ...about,
      requestId,
      tool,
      title,
      summary,
      input: {},
      askedAt: timeOf(askedAt),
      decision,
      // Only the operator answers a run's requests.
      answeredBy: by === null ? null : OPERATOR.id,
      answeredAt: timeOf(at),
      message,
      isChanged,
      always: null,
      scope,
    })),
  ];
};

const alwaysOf = (suggestions: RunView['pending'][number]['suggestions']): object | null => {
  const grants = grantsIn(suggestions);
  return grants.length === 0 ? null : { grants, scopes: scopesOf(grants) };
};

const refOf = (board: Board, sidebarId: string): string => board.sidebars.get(sidebarId)?.ref ?? sidebarId;

/** The number of latest answers to list, out of all seats that ever existed. */
const MOST_ANSWERED = 50;
