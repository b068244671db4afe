import { foundSidebar, named, type Decision, type Deciders, type Facts } from '../board/deciding.ts';
import { reject } from '../board/rejection.ts';
import { tryOn, type Board } from '../board/state.ts';
import { ok } from '../result.ts';
import { mergeCommands } from './merge.ts';
import { plain, type Sidebar } from './state.ts';
import type { CommandOf, Happening } from '../messages/catalogue.ts';

/**
 * MERGE-11: if the coordinator is also the curator, one command consolidates, checks and merges. It leaves the same entries on the log as three
 * commands would; and anything that one of them would refuse is refused here, with nothing done.
 */
const finish = (board: Board, facts: Facts, command: CommandOf<'sidebar.finish'>): Decision => {
  const { target, notes, ...wanted } = command;
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const { coordinator, curator } = found.value;
  const other = [coordinator, curator].find((agent) => agent !== facts.actor.id);
  if (other !== undefined) return reject('others-have-a-say', { agent: other, sidebar: named(found.value) });
  const consolidated = mergeCommands['sidebar.consolidate'](board, facts, { ...wanted, type: 'sidebar.consolidate' });
  if (!consolidated.ok) return consolidated;
  const proposed = withPackage(board, facts, found.value, consolidated.value);
  const { sidebar } = command;
  const checked = mergeCommands['merge.check'](proposed, facts, {
    type: 'merge.check',
    sidebar,
    isFit: true,
    ...(notes === undefined ? {} : { notes }),
  });
  if (!checked.ok) return checked;
  const ready = withCheck(proposed, facts, found.value.id);
  const merged = mergeCommands['sidebar.merge'](ready, facts, { type: 'sidebar.merge', sidebar, ...(target === undefined ? {} : { target }) });
  return merged.ok ? ok([...consolidated.value, ...checked.value, ...merged.value]) : merged;
};

/** The board after the consolidation. */
export const withPackage = (board: Board, { actor, now }: Facts, sidebar: Sidebar, events: readonly Happening[]): Board => {
  const layer = tryOn(board);
  for (const { type, payload } of events) {
    if (type !== 'sidebar.consolidated') continue;
    const merge = { package: payload.package, proposedBy: actor.id, at: now, checks: [] };
    layer.sidebars.set(sidebar.id, { ...sidebar, ...plain('CONSOLIDATING'), merge });
  }
  return layer;
};

/** And after the check. */
export const withCheck = (board: Board, { actor, now }: Facts, id: string): Board => {
  const layer = tryOn(board);
  const sidebar = layer.sidebars.get(id);
  if (sidebar?.merge != null)
    layer.sidebars.set(id, {
      ...sidebar,
      merge: { ...sidebar.merge, checks: [...sidebar.merge.checks, { as: 'curator', isFit: true, notes: null, by: actor.id, at: now }] },
    });
  return layer;
};

export const finishCommands = { 'sidebar.finish': finish } satisfies Deciders<'sidebar.finish'>;
