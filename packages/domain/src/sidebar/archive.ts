import { foundSidebar, happenIn, maybeWorded, moving, named, worded, type Decision, type Facts, type Deciders } from '../board/deciding.ts';
import { reject } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import { ok } from '../result.ts';
import { complete } from '../scratchpad/completion.ts';
import { stillAtWork, unblock } from './moves.ts';
import { asRight } from './proposals.ts';
import { liveChildren } from './relations.ts';
import { automaticTags, summaryOf } from './summary.ts';
import type { Sidebar } from './state.ts';
import type { CommandOf } from '../messages/catalogue.ts';
import { archiveReasonOf, isEnded } from './lifecycle.ts';
import { rightTo } from './rights.ts';
import { forkOf } from './spawn.ts';
import { isSomebody } from '../board/references.ts';

/** KEEP-1: nothing is lost: the log has all of it, and the final state can be forked. */
const archive = (board: Board, facts: Facts, command: CommandOf<'sidebar.archive'>): Decision => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const sidebar = found.value;
  return asRight(sidebar.status === 'TESTING' ? 'discard' : 'archive', sidebar, facts, {
    done: (given) => close(board, given, sidebar, command),
    proposal: { action: 'archive', note: maybeWorded(command.note), tags: command.tags ?? [] },
  });
};

const close = (board: Board, facts: Facts, sidebar: Sidebar, command: CommandOf<'sidebar.archive'>): Decision => {
  const movable = moving(sidebar, 'ARCHIVED');
  if (!movable.ok) return movable;
  const isStale = facts.isStale === true && facts.actor.type === 'system';
  // KEEP-3: only idle sidebars become stale; somebody may have resumed since the clock was checked.
  if (isStale && sidebar.status !== 'PAUSED' && sidebar.status !== 'WAITING')
    return reject('not-stale', { sidebar: named(sidebar), status: sidebar.status });
  const reason = archiveReasonOf(sidebar.status, isStale);
  if (command.reason !== undefined && command.reason !== reason) {
    return reject('other-archive-reason', { sidebar: named(sidebar), status: sidebar.status, actual: reason, given: command.reason });
  }
  const children = liveChildren(board, sidebar);
  if (children.length > 0) return stillAtWork(sidebar, children);
  const summary = sidebar.scratchpad.finalSummary ?? summaryOf(board, facts, sidebar);
  return ok([
    happenIn(facts, sidebar, 'sidebar.archived', {
      reason,
      finalStatus: sidebar.status,
      tags: [...new Set([...(command.tags ?? []), ...automaticTags(board, facts, sidebar)])],
      summary,
      note: maybeWorded(command.note),
    }),
    // A merge has already done the final pass.
    ...(sidebar.status === 'MERGED' ? [] : complete(board, { ...facts, isStale }, sidebar, summary)),
    ...(sidebar.status === 'MERGED' || sidebar.status === 'FAILED' ? [] : unblock(board, facts, sidebar, 'ARCHIVED')),
  ]);
};

/** RIGHT-3: what ended by mistake continues: the human archives it, if necessary, and forks it with its former team, in one step. */
const reopen = (board: Board, facts: Facts, command: CommandOf<'sidebar.reopen'>): Decision => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const sidebar = found.value;
  if (rightTo('reopen', sidebar, facts.actor) !== 'yes') return reject('operator-only', { to: 'reopen-sidebars' });
  if (!isEnded(sidebar.status)) return reject('not-ended', { sidebar: named(sidebar), status: sidebar.status });
  const reason = worded('reason', command.reason);
  if (!reason.ok) return reason;
  const archived = sidebar.archive === null ? close(board, facts, sidebar, { type: 'sidebar.archive', sidebar: sidebar.id }) : ok([]);
  if (!archived.ok) return archived;
  const forked = forkOf(board, facts, sidebar, {
    type: 'sidebar.fork',
    sidebar: sidebar.id,
    reason: reason.value,
    participants: sidebar.participants.filter((agent) => isSomebody(board, agent)),
    coordinator: stillThere(board, sidebar.coordinator),
    curator: stillThere(board, sidebar.curator),
    priority: sidebar.priority,
    isOpen: sidebar.isOpen,
    // Tags added by archiving describe the ending, which the fork doesn't have.
    tags: sidebar.tags.filter((tag) => sidebar.archive?.tags.includes(tag) !== true),
  });
  return forked.ok ? ok([...archived.value, ...forked.value]) : forked;
};

const stillThere = (board: Board, agent: string): string | undefined => (isSomebody(board, agent) ? agent : undefined);

export const archiveCommands = { 'sidebar.archive': archive, 'sidebar.reopen': reopen } satisfies Deciders<'sidebar.archive' | 'sidebar.reopen'>;
