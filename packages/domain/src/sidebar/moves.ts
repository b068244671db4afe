import { isOperator, OPERATOR, SYSTEM } from '../actors.ts';
import { agentIdOf } from '../agents/state.ts';
import {
  asParticipant,
  atWork,
  foundSidebar,
  happenIn,
  maybeWorded,
  moving,
  named,
  standIn,
  worded,
  working,
  type Decision,
  type Facts,
  type Deciders,
} from '../board/deciding.ts';
import { linked } from '../board/links.ts';
import { MOST_KEPT } from '../board/limits.ts';
import { isSomebody, knownAgents, knownRefs } from '../board/references.ts';
import type { StateOf } from '../board/facts.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import { sidebarOf, type Board } from '../board/state.ts';
import { assertNever } from '../never.ts';
import { cutText } from '../policies/cutting.ts';
import { ok, type Result } from '../result.ts';
import { changesFrom, type ChangesSince, type Ending } from './changes.ts';
import { suggest } from './suggest.ts';
import { asRight } from './proposals.ts';
import { dependsOn, isBelow, liveChildren, rowsAt, sidebarsAmong } from './relations.ts';
import { rightTo } from './rights.ts';
import { fittingData } from './data.ts';
import type { Sidebar } from './state.ts';
import type { CommandOf, FamilyCommand, Happening, Payloads } from '../messages/catalogue.ts';
import { isEnded } from './lifecycle.ts';

const pause = (board: Board, facts: Facts, command: CommandOf<'sidebar.pause'>): Decision => {
  const found = asParticipant(board, command.sidebar, facts.actor, 'pause');
  if (!found.ok) return found;
  const movable = moving(found.value, 'PAUSED');
  if (!movable.ok) return movable;
  const reason = worded('reason', command.reason);
  if (!reason.ok) return reason;
  const resumeCondition = maybeWorded(command.resumeCondition);
  return ok([happenIn(facts, found.value, 'sidebar.paused', { from: found.value.status, reason: reason.value, resumeCondition })]);
};

/** LIFE-9: resuming shows what happened in the meantime. */
const resume = (board: Board, facts: Facts, command: CommandOf<'sidebar.resume'>): Decision => {
  const found = asParticipant(board, command.sidebar, facts.actor, 'resume');
  if (!found.ok) return found;
  const { status } = found.value;
  if (status !== 'PAUSED' && status !== 'WAITING') {
    return reject('wrong-status', { sidebar: named(found.value), status, to: 'resume' });
  }
  return ok([resumed(board, facts, found.value, command.reason ?? null)]);
};

export const resumed = (board: Board, facts: Facts, sidebar: Sidebar, reason: string | null, changes?: ChangesSince): Happening => {
  const { status: from, pause: paused, waiting } = sidebar;
  const since = paused ?? waiting;
  return happenIn(facts, sidebar, 'sidebar.resumed', {
    from,
    reason,
    pausedFor: since === null ? 0 : Math.max(0, facts.now - since.at),
    pausedReason: paused?.reason ?? (waiting === null ? null : `waiting for ${cutText(waiting.waitingFor, 200)}`),
    whatHappened: since === null ? [] : (changes ?? changesFrom(board, since.position))(sidebar, since),
  });
};

const wait = (board: Board, facts: Facts, command: CommandOf<'sidebar.wait'>): Decision => {
  const found = asParticipant(board, command.sidebar, facts.actor, 'wait');
  if (!found.ok) return found;
  const sidebar = found.value;
  const movable = moving(sidebar, 'WAITING');
  if (!movable.ok) return movable;
  const waitingFor = worded('waitingFor', command.waitingFor);
  if (!waitingFor.ok) return waitingFor;
  const { timeoutMs } = command;
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= LONGEST_WAIT)) return reject('bad-timeout', {});
  const dependencies = knownRefs(board, facts, command.dependencies ?? []);
  if (!dependencies.ok) return dependencies;
  const others = rowsAt(board, sidebarsAmong(board, dependencies.value));
  const knot = others.find((other) => dependsOn(board, other, sidebar) || isBelow(board, sidebar, other));
  if (knot !== undefined) return reject('waits-in-circle', { sidebar: named(sidebar), for: named(knot) });
  if (others.length > 0 && others.every(({ status }) => isEnded(status))) return reject('nothing-to-wait-for', { ended: others.map(stateOf) });
  return ok([
    happenIn(facts, sidebar, 'sidebar.waiting', {
      from: sidebar.status,
      waitingFor: waitingFor.value,
      description: maybeWorded(command.description),
      dependencies: dependencies.value,
      deadline: timeoutMs === undefined ? null : facts.now + timeoutMs,
    }),
  ]);
};

/** Moves that need only a reason; the others have commands of their own, which the refusal names. */
const move = (board: Board, facts: Facts, command: CommandOf<'sidebar.move'>): Decision => {
  const found = asParticipant(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const { to } = command;
  const movable = moving(sidebar, to);
  if (!movable.ok) return movable;
  const reason = command.reason ?? null;
  switch (to) {
    case 'ACTIVE': {
      if (sidebar.status === 'PAUSED' || sidebar.status === 'WAITING') return ok([resumed(board, facts, sidebar, reason)]);
      const allowed = backToWork(sidebar, facts, reason);
      if (!allowed.ok) return allowed;
      return ok([happenIn(facts, sidebar, 'sidebar.moved', { from: sidebar.status, to, reason }), ...allowed.value]);
    }
    case 'REVIEWING':
      return ok([happenIn(facts, sidebar, 'sidebar.moved', { from: sidebar.status, to, reason })]);
    case 'FAILED':
      return asRight('fail', sidebar, facts, {
        done: (given) => fail(board, given, sidebar, reason ?? ''),
        proposal: { action: 'fail', reason: reason ?? '' },
      });
    case 'PAUSED':
      return pause(board, facts, { type: 'sidebar.pause', sidebar: sidebar.id, reason: reason ?? '' });
    case 'WAITING':
      return reject('has-its-own-command', { move: 'wait' });
    case 'SPAWNING_CHILD':
      return reject('has-its-own-command', { move: 'spawn' });
    case 'CONSOLIDATING':
      return reject('has-its-own-command', { move: 'consolidate' });
    case 'MERGED':
      return reject('has-its-own-command', { move: 'merge' });
    case 'ARCHIVED':
      return reject('has-its-own-command', { move: 'archive' });
    case 'TESTING':
      return reject('tests-are-spawned', {});
    default:
      return assertNever(to);
  }
};

/** TEST-2, MERGE-5: a test that somebody else has to promote, or a checked package, isn't resumed by just anyone. */
const backToWork = (sidebar: Sidebar, facts: Facts, reason: string | null): Decision => {
  if (sidebar.status === 'TESTING') return standIn(sidebar, facts, 'coordinator', 'promote a test to real work');
  if (sidebar.status !== 'CONSOLIDATING') return ok([]);
  const why = worded('reason', reason ?? '');
  if (!why.ok) return why;
  const { coordinator, curator, merge } = sidebar;
  const proposer = merge?.proposedBy ?? coordinator;
  if (facts.actor.id === curator || facts.actor.id === proposer) return ok([]);
  const allowed = standIn(sidebar, facts, 'coordinator', 'send a package back to work');
  return allowed.ok ? allowed : reject('not-yours-to-send-back', { coordinator, curator, proposer, sidebar: named(sidebar), actor: facts.actor.id });
};

const fail = (board: Board, facts: Facts, sidebar: Sidebar, reason: string): Decision => {
  const why = worded('reason', reason);
  if (!why.ok) return why;
  const deadline = sidebar.waiting?.deadline ?? null;
  const isByClock = facts.actor.type === 'system' && sidebar.status === 'WAITING';
  // The clock was checked earlier, and somebody may have resumed since. LIFE-80: elapsed time has elapsed, whatever the wall clock says now.
  if (isByClock && (deadline === null || (facts.now < deadline && facts.isStale !== true)))
    return reject('no-deadline-passed', { sidebar: named(sidebar) });
  const children = liveChildren(board, sidebar);
  if (children.length === 0) {
    return ok([
      happenIn(facts, sidebar, 'sidebar.moved', { from: sidebar.status, to: 'FAILED', reason: why.value }),
      ...unblock(board, facts, sidebar, 'FAILED'),
    ]);
  }
  if (!isByClock) return stillAtWork(sidebar, children);
  // LIFE-10: it can't end before its children, and nobody would ever try again.
  return ok([
    resumed(board, facts, sidebar, why.value),
    happenIn(facts, sidebar, 'sidebar.escalated', {
      from: facts.actor.id,
      to: OPERATOR.id,
      reason: `${why.value}, and children are at work: ${children.map(named).slice(0, 20).join(', ')}`,
    }),
  ]);
};

/** LIFE-6: a sidebar with active children can't end. */
export const stillAtWork = (sidebar: Sidebar, children: readonly Sidebar[]): Decision =>
  reject('live-children', { sidebar: named(sidebar), children: children.slice(0, 20).map(stateOf) });

const stateOf = (sidebar: Sidebar): StateOf => ({ sidebar: named(sidebar), status: sidebar.status });

/** LIFE-8: a waiting sidebar resumes when the last one it waits for has ended. */
export const unblock = (board: Board, facts: Facts, ended: Sidebar, how: Ending['how']): readonly Happening[] => {
  const parent = ended.parent?.kind === 'sidebar' ? ended.parent.sidebarId : null;
  const freed = rowsAt(board, linked(board, 'waiting', ended.id)).filter(({ waiting }) => {
    const others = rowsAt(board, sidebarsAmong(board, waiting?.dependencies ?? [])).filter(({ id }) => id !== ended.id);
    return others.every(({ status }) => isEnded(status));
  });
  if (freed.length === 0) return [];
  const changes = changesFrom(
    board,
    freed.reduce((least, { waiting }) => Math.min(least, waiting?.position ?? 0), Infinity),
    { sidebar: ended, how },
  );
  return freed.map((sidebar) => {
    const reason = `${named(ended)} ${how.toLowerCase()}${sidebar.id === parent ? ', its child' : ''}`;
    return resumed(board, { ...facts, actor: SYSTEM }, sidebar, reason, changes);
  });
};

const changeSidebar = (board: Board, facts: Facts, command: CommandOf<'sidebar.change'>): Decision => {
  const found = changeable(board, facts, command.sidebar);
  if (!found.ok) return found;
  const sidebar = found.value;
  const agents = knownAgents(
    board,
    [command.coordinator, command.curator].filter((one) => one !== undefined),
  );
  if (!agents.ok) return agents;
  const refs = knownRefs(board, facts, command.crossRefs ?? []);
  if (!refs.ok) return refs;
  if (sidebar.crossRefs.length + refs.value.length > MOST_KEPT)
    return reject('full', { where: named(sidebar), most: MOST_KEPT, of: 'cross-references' });
  // MERGE-3: a sidebar merged into it stays related, whatever anyone says.
  const crossRefsGone =
    command.crossRefs === undefined ? [] : sidebar.crossRefs.filter((ref) => !refs.value.includes(ref) && !isMergedInto(board, ref, sidebar));
  const data = fittingData(sidebar.dataRefs, command.dataRefs);
  if (!data.ok) return data;
  const isTeam = command.coordinator !== undefined || command.curator !== undefined || command.isOpen !== undefined;
  const allowed = isTeam ? standIn(sidebar, facts, 'coordinator', 'name another coordinator or curator, or open it to others') : ok([]);
  if (!allowed.ok) return allowed;
  for (const [name, text] of [
    ['task', command.task],
    ['successCriteria', command.successCriteria],
  ] as const) {
    const fit = worded(name, text ?? 'unchanged');
    if (!fit.ok) return fit;
  }
  const payload: Payloads['sidebar.changed'] = {
    ...(command.task === undefined ? {} : { task: command.task }),
    ...(command.successCriteria === undefined ? {} : { successCriteria: command.successCriteria }),
    ...(command.taskType === undefined ? {} : { taskType: command.taskType }),
    ...(command.priority === undefined ? {} : { priority: command.priority }),
    ...(command.coordinator === undefined ? {} : { coordinator: agentIdOf(command.coordinator) }),
    ...(command.curator === undefined ? {} : { curator: agentIdOf(command.curator) }),
    ...(command.tags === undefined ? {} : { tags: command.tags }),
    ...(command.crossRefs === undefined ? {} : { crossRefs: refs.value }),
    ...(crossRefsGone.length === 0 ? {} : { crossRefsGone }),
    ...(command.dataRefs === undefined ? {} : { dataRefs: command.dataRefs }),
    ...(command.isOpen === undefined ? {} : { isOpen: command.isOpen }),
  };
  if (Object.keys(payload).length === 0) return reject('nothing-to-change', { in: 'sidebar' });
  const done = (given: Facts): Decision =>
    ok([happenIn(given, sidebar, 'sidebar.changed', payload), ...allowed.value, ...suggested(board, given, { ...sidebar, ...payload }, sidebar)]);
  const { task, successCriteria, taskType, priority } = payload;
  const isRetyped = task !== undefined || successCriteria !== undefined || taskType !== undefined;
  if (!isRetyped && priority === undefined) return done(facts);
  // Anything that doesn't fit into a proposal would be lost on the way.
  if (isTeam || [command.tags, command.crossRefs, command.dataRefs].some((one) => one !== undefined)) {
    const isAllowed = !isRetyped || rightTo('retype', sidebar, facts.actor) === 'yes';
    if (isAllowed && (priority === undefined || rightTo('reprioritise', sidebar, facts.actor) === 'yes')) return done(facts);
    return reject('ask-separately', { coordinator: sidebar.coordinator });
  }
  return asRight(isRetyped ? 'retype' : 'reprioritise', sidebar, facts, {
    done,
    proposal: {
      action: 'change',
      ...(task === undefined ? {} : { task }),
      ...(successCriteria === undefined ? {} : { successCriteria }),
      ...(taskType === undefined ? {} : { taskType }),
      ...(priority === undefined ? {} : { priority }),
    },
  });
};

/** LOAD-16: a different task may need different people. */
const suggested = (board: Board, facts: Facts, after: Sidebar, before: Sidebar): readonly Happening[] =>
  after.task === before.task ? [] : suggest(board, facts, after, after);

const isMergedInto = (board: Board, ref: string, sidebar: Sidebar): boolean => {
  const target = sidebarOf(board, ref)?.mergedInto;
  return target?.kind === 'sidebar' && target.sidebarId === sidebar.id;
};

/** An active sidebar, for its participants or its creator. */
const changeable = (board: Board, facts: Facts, text: string): Result<Sidebar, Rejection> => {
  const found = foundSidebar(board, text);
  if (!found.ok) return found;
  if (rightTo('tag', found.value, facts.actor) !== 'yes') return asParticipant(board, text, facts.actor);
  return atWork(found.value);
};

/** LIFE-11: unresolved problems go to the coordinator, and from the coordinator to the human. */
const escalate = (board: Board, facts: Facts, command: CommandOf<'sidebar.escalate'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const reason = worded('reason', command.reason);
  if (!reason.ok) return reason;
  const { coordinator, escalation, escalatedTo } = sidebar;
  if (isOperator(facts.actor)) return reject('nobody-above-you', {});
  if (escalation !== null && escalatedTo === OPERATOR.id)
    return reject('escalated-already', { sidebar: named(sidebar), by: escalation.by, why: cutText(escalation.reason, 200) });
  // If the coordinator was asked and hasn't answered, it goes further up.
  const isUp = escalation !== null || facts.actor.id === coordinator || !isSomebody(board, coordinator);
  const to = isUp ? OPERATOR.id : coordinator;
  return ok([happenIn(facts, sidebar, 'sidebar.escalated', { from: facts.actor.id, to, reason: reason.value })]);
};

/** TEST-1: results belong to tests. */
const testResult = (board: Board, facts: Facts, command: CommandOf<'sidebar.test-result'>): Decision => {
  const found = asParticipant(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  if (found.value.status !== 'TESTING') {
    return reject('wrong-status', { sidebar: named(found.value), status: found.value.status, to: 'report-test' });
  }
  for (const [name, text] of [
    ['testDescription', command.description],
    ['result', command.result],
  ] as const) {
    const fit = worded(name, text);
    if (!fit.ok) return fit;
  }
  if (found.value.testResults.length >= MOST_KEPT) return reject('full', { where: named(found.value), most: MOST_KEPT, of: 'test-results' });
  const { description, result, findings = [] } = command;
  return ok([happenIn(facts, found.value, 'sidebar.tested', { description, result, findings })]);
};

const LONGEST_WAIT = 366 * 24 * 3_600_000;

export const moveCommands = {
  'sidebar.pause': pause,
  'sidebar.resume': resume,
  'sidebar.wait': wait,
  'sidebar.move': move,
  'sidebar.change': changeSidebar,
  'sidebar.escalate': escalate,
  'sidebar.test-result': testResult,
} satisfies Deciders<Exclude<FamilyCommand<'sidebar'>, 'proposal.answer'>>;
