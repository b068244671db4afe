import { limitsTold, ownSpawn } from '../agents/own-limits.ts';
import { OPERATOR } from '../actors.ts';
import { admissionOf } from '../agents/recruit.ts';
import { agentIdOf } from '../agents/state.ts';
import {
  atWork,
  foundSidebar,
  happenIn,
  maybeWorded,
  named,
  takesPart,
  worded,
  type Decision,
  type Facts,
  type Deciders,
} from '../board/deciding.ts';
import { knownAgents } from '../board/references.ts';
import { MOST_KEPT } from '../board/limits.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import { assertNever } from '../never.ts';
import { cutText } from '../policies/cutting.ts';
import { ok, type Result } from '../result.ts';
import { backUp } from '../scratchpad/backup.ts';
import { scratchpadRefOf } from '../scratchpad/state.ts';
import { dataAfter, fittingData } from './data.ts';
import type { Sidebar } from './state.ts';
import { suggest } from './suggest.ts';
import type { CommandOf, FamilyCommand, Happening, NewSidebar, Payloads } from '../messages/catalogue.ts';
import { surface } from './talk.ts';
import { contextIdOfSidebar, type Context, type Origin } from '../messages/values.ts';

type Team = Pick<Payloads['sidebar.spawned'], 'participants' | 'coordinator' | 'curator'> & {
  /** Those who don't take part yet: they are asked, or wait for a seat. */
  readonly waiting: readonly { readonly agent: string; readonly wants: 'answer' | 'seat' }[];
};

/** LIFE-5: whoever spawns takes part; the human coordinates by default, and the coordinator curates. */
const teamOf = (board: Board, facts: Facts, wanted: Partial<NewSidebar>): Result<Team, Rejection> => {
  const coordinator = wanted.coordinator === undefined ? OPERATOR.id : agentIdOf(wanted.coordinator);
  const curator = wanted.curator === undefined ? coordinator : agentIdOf(wanted.curator);
  const spawner = facts.actor.type === 'system' ? [] : [facts.actor.id];
  const all = knownAgents(board, [...spawner, ...(wanted.participants ?? []), coordinator, curator]);
  if (!all.ok) return all;
  const status = wanted.isTesting === true ? 'TESTING' : 'ACTIVE';
  const joining: string[] = [...spawner];
  const waiting: Team['waiting'][number][] = [];
  // LOAD-15: everyone passes the same check, one by one; it never makes a spawn fail.
  for (const agent of new Set((wanted.participants ?? []).map(agentIdOf))) {
    if (joining.includes(agent)) continue;
    const admission = admissionOf(board, facts, agent, { status }, { isTeam: true });
    if (admission === 'joins') joining.push(agent);
    else waiting.push({ agent, wants: admission === 'asks' ? 'answer' : 'seat' });
  }
  return ok({ participants: joining.length === 0 ? [coordinator] : joining, coordinator, curator, waiting });
};

type Place = Pick<Payloads['sidebar.spawned'], 'origin' | 'parent'> & Partial<Payloads['sidebar.spawned']>;

const begin = (
  board: Board,
  facts: Facts,
  wanted: NewSidebar,
  place: Place,
): Result<{ readonly id: string; readonly events: readonly Happening[] }, Rejection> => {
  const task = worded('task', wanted.task);
  if (!task.ok) return task;
  const team = teamOf(board, facts, wanted);
  if (!team.ok) return team;
  const data = fittingData({}, wanted.dataRefs);
  if (!data.ok) return data;
  const limits = ownSpawn(board, facts, place.parent?.kind === 'sidebar' ? place.parent.sidebarId : null, [
    ...team.value.participants,
    ...team.value.waiting.map(({ agent }) => agent),
  ]);
  if (!limits.ok) return limits;
  const id = facts.newId();
  const { waiting, ...members } = team.value;
  const citableSources = place.sourceScratchpad == null ? [] : [place.sourceScratchpad];
  const successCriteria = maybeWorded(wanted.successCriteria);
  const events = [
    happenIn(
      facts,
      { id },
      'sidebar.spawned',
      {
        ...members,
        task: task.value,
        successCriteria,
        taskType: maybeWorded(wanted.taskType),
        priority: wanted.priority ?? 'NORMAL',
        status: wanted.isTesting === true ? 'TESTING' : 'ACTIVE',
        testGroup: maybeWorded(wanted.testGroup),
        tags: wanted.tags ?? [],
        forkedFrom: null,
        forkReason: null,
        sourceScratchpad: null,
        mergeTarget: place.parent,
        resolves: null,
        isOpen: wanted.isOpen ?? facts.actor.type !== 'human',
        ...(Object.keys(data.value).length === 0 ? {} : { dataRefs: data.value }),
        ...place,
      },
      { uuid: id },
    ),
    happenIn(facts, { id }, 'scratchpad.created', {
      sidebarId: id,
      curator: members.curator,
      taskDefinition: task.value,
      successCriteria,
      citableSources,
    }),
  ];
  const known = place.forkedFrom == null ? [] : (board.sidebars.get(place.forkedFrom)?.golds ?? []);
  const surfaced = surface(board, facts, { id, contextId: contextIdOfSidebar(id), golds: known }, { content: task.value, about: id, citations: [] });
  const by = facts.actor.type === 'system' ? members.coordinator : facts.actor.id;
  const asked = waiting
    .filter(({ agent }) => !members.participants.includes(agent))
    .map(({ agent, wants }) => happenIn(facts, { id }, 'recruitment.requested', { agent, by, note: null, capability: null, wants, kind: 'join' }));
  const work = {
    id,
    task: task.value,
    successCriteria,
    taskType: maybeWorded(wanted.taskType),
    participants: [...members.participants, ...waiting.map(({ agent }) => agent)],
  };
  return ok({
    id,
    events: [
      ...events,
      ...surfaced,
      ...asked,
      ...suggest(board, facts, work, { coordinator: members.coordinator, createdBy: facts.actor.id }),
      ...limitsTold(facts, { id }, limits.value),
    ],
  });
};

/** LIFE-3: a sidebar branches off a session, another sidebar, or nothing. */
const spawn = (board: Board, facts: Facts, command: CommandOf<'sidebar.spawn'>): Decision => {
  const { origin } = command;
  switch (origin.kind) {
    case 'none':
    case 'session': {
      const place = placed(origin);
      if (!place.ok) return place;
      if (command.resolves !== undefined) return reject('conflict-needs-parent', {});
      const parent: Context | null = origin.kind === 'none' ? null : { kind: 'session', sessionId: origin.sessionId };
      const begun = begin(board, facts, command, { origin, parent });
      return begun.ok ? ok(begun.value.events) : begun;
    }
    case 'sidebar':
      return spawnChild(board, facts, { ...command, type: 'sidebar.spawn-child', sidebar: origin.sidebarId, upTo: origin.upTo });
    case 'fork':
      return reject('has-its-own-command', { move: 'fork' });
    default:
      return assertNever(origin);
  }
};

const placed = (origin: Origin): Decision => {
  const upTo = origin.kind === 'none' ? null : origin.upTo;
  return upTo === null || (Number.isSafeInteger(upTo) && upTo >= 0) ? ok([]) : reject('not-a-position', { given: String(upTo) });
};

type SpawnChild = CommandOf<'sidebar.spawn-child'> & { readonly resolves?: string };

const spawnChild = (board: Board, facts: Facts, command: SpawnChild): Decision => {
  const { resolves } = command;
  const parent = resolves === undefined ? null : foundSidebar(board, command.sidebar);
  if (parent?.ok === true && !parent.value.scratchpad.conflicts.some(({ id }) => id === resolves))
    return reject('conflict-not-here', { sidebar: named(parent.value), asked: cutText(resolves ?? '', 100) });
  return branchOff(board, facts, command);
};

/** LIFE-7: a child branches off an active sidebar. The conflict it resolves may be as new as the child itself. */
export const branchOff = (board: Board, facts: Facts, command: SpawnChild): Decision => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const parent = found.value;
  const alive = atWork(parent);
  if (!alive.ok) return reject('parent-ended', { sidebar: named(parent), status: parent.status });
  const origin: Origin = { kind: 'sidebar', sidebarId: parent.id, upTo: command.upTo };
  const place = placed(origin);
  if (!place.ok) return place;
  if (parent.children.length >= MOST_KEPT) return reject('full', { where: named(parent), most: MOST_KEPT, of: 'children' });
  const begun = begin(board, facts, command, {
    origin,
    parent: { kind: 'sidebar', sidebarId: parent.id },
    resolves: command.resolves ?? null,
  });
  if (!begun.ok) return begun;
  if (command.isWaiting === true && !takesPart(parent, facts.actor)) {
    return reject('not-participant', { actor: facts.actor.id, sidebar: named(parent), to: 'wait', ask: [] });
  }
  if (parent.status !== 'ACTIVE') {
    if (command.isWaiting !== true) return ok(begun.value.events);
    return reject('wrong-status', { sidebar: named(parent), status: parent.status, to: 'wait-for-child' });
  }
  return ok([
    happenIn(facts, parent, 'sidebar.moved', { from: 'ACTIVE', to: 'SPAWNING_CHILD', reason: 'a child is spawned' }),
    ...begun.value.events,
    command.isWaiting === true
      ? happenIn(facts, parent, 'sidebar.waiting', {
          from: 'SPAWNING_CHILD',
          waitingFor: 'child',
          description: command.task,
          dependencies: [begun.value.id],
          deadline: null,
        })
      : happenIn(facts, parent, 'sidebar.moved', { from: 'SPAWNING_CHILD', to: 'ACTIVE', reason: 'the child is there' }),
  ]);
};

/** FORK-1: archived work continues in a new sidebar that inherits all of it. */
const fork = (board: Board, facts: Facts, command: CommandOf<'sidebar.fork'>): Decision => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const original = found.value;
  const reason = worded('forkReason', command.reason);
  if (!reason.ok) return reason;
  if (original.archive === null) return reject('not-archived', { sidebar: named(original), status: original.status });
  return forkOf(board, facts, original, command);
};

/** The fork of a sidebar that is archived, or will be by then. */
export const forkOf = (board: Board, facts: Facts, original: Sidebar, command: CommandOf<'sidebar.fork'>): Decision => {
  const { reason } = command;
  if (original.forkedInto.length >= MOST_KEPT) return reject('full', { where: named(original), most: MOST_KEPT, of: 'forks' });
  const begun = begin(
    board,
    facts,
    {
      ...command,
      task: command.task ?? original.task,
      successCriteria: command.successCriteria ?? original.successCriteria ?? undefined,
      taskType: command.taskType ?? original.taskType ?? undefined,
      dataRefs: dataAfter(original.dataRefs, command.dataRefs ?? {}),
    },
    {
      origin: { kind: 'fork', sidebarId: original.id, upTo: original.archive?.position ?? null },
      parent: null,
      forkedFrom: original.id,
      forkReason: reason,
      sourceScratchpad: scratchpadRefOf(named(original)),
      mergeTarget: targetOf(board, original),
    },
  );
  if (!begun.ok) return begun;
  return ok([
    ...begun.value.events,
    happenIn(facts, original, 'sidebar.forked', { into: begun.value.id, reason: reason }),
    backUp(facts, original, { reason: `Referenced by fork: ${reason}`, priority: 'high', gold: null }),
  ]);
};

/** The default merge target of a fork: its original's. */
const targetOf = (board: Board, original: Sidebar): Context | null => {
  const target = original.mergeTarget;
  if (target === null || target.kind === 'session') return target;
  return board.sidebars.get(target.sidebarId) === undefined ? null : target;
};

export const spawnCommands = { 'sidebar.spawn': spawn, 'sidebar.spawn-child': spawnChild, 'sidebar.fork': fork } satisfies Deciders<
  FamilyCommand<'spawning'>
>;
