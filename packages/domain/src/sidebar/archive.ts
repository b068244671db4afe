import { asParticipant, happenIn, maybeWorded, moving, named, type Decision, type Facts, type Deciders } from '../board/deciding.ts';
import { reject } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import { ok } from '../result.ts';
import { complete } from '../scratchpad/completion.ts';
import { summaryOf } from './merge.ts';
import { stillAtWork, unblock } from './moves.ts';
import { liveChildren } from './relations.ts';
import type { Sidebar } from './state.ts';
import type { CommandOf } from '../messages/catalogue.ts';
import { archiveReasonOf } from './lifecycle.ts';

/** KEEP-1: nothing is lost: the log has all of it, and what stood at the end can be forked. */
const archive = (board: Board, facts: Facts, command: CommandOf<'sidebar.archive'>): Decision => {
  const found = asParticipant(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const movable = moving(sidebar, 'ARCHIVED');
  if (!movable.ok) return movable;
  const isStale = facts.isStale === true && facts.actor.type === 'system';
  // KEEP-3: only what stands still gets stale; somebody may have gone on since the clock was asked.
  if (isStale && sidebar.status !== 'PAUSED' && sidebar.status !== 'WAITING')
    return reject('not-stale', { sidebar: named(sidebar), status: sidebar.status });
  const reason = archiveReasonOf(sidebar.status, isStale);
  if (command.reason !== undefined && command.reason !== reason) {
    return reject('other-archive-reason', { sidebar: named(sidebar), status: sidebar.status, actual: reason, given: command.reason });
  }
  const children = liveChildren(board, sidebar);
  if (children.length > 0) return stillAtWork(sidebar, children);
  return ok([
    happenIn(facts, sidebar, 'sidebar.archived', {
      reason,
      finalStatus: sidebar.status,
      tags: [...new Set([...(command.tags ?? []), ...automaticTags(sidebar, reason)])],
      summary: sidebar.scratchpad.finalSummary ?? summaryOf(sidebar),
      note: maybeWorded(command.note),
    }),
    // A merge has done the final pass already.
    ...(sidebar.status === 'MERGED' ? [] : complete(board, facts, sidebar)),
    ...(sidebar.status === 'MERGED' || sidebar.status === 'FAILED' ? [] : unblock(board, facts, sidebar, 'ARCHIVED')),
  ]);
};

/** KEEP-4: tags that say what can be said without anybody's help. */
const automaticTags = ({ taskType, priority, golds, scratchpad, forkedFrom }: Sidebar, reason: string): readonly string[] => [
  reason,
  ...(taskType === null ? [] : [taskType]),
  ...(priority === 'NORMAL' ? [] : [priority.toLowerCase()]),
  ...(golds.length > 0 ? ['gold'] : []),
  ...(scratchpad.conflicts.length > 0 ? ['conflict'] : []),
  ...(forkedFrom === null ? [] : ['fork']),
];

export const archiveCommands = { 'sidebar.archive': archive } satisfies Deciders<'sidebar.archive'>;
