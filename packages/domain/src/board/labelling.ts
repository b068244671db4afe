import { isOperator } from '../actors.ts';
import type { CommandOf, FamilyCommand } from '../messages/catalogue.ts';
import { BOARD_CONTEXT } from '../messages/values.ts';
import { ok } from '../result.ts';
import { happen, maybeWorded, type Deciders, type Decision, type Facts } from './deciding.ts';
import { reject } from './rejection.ts';
import { labelsOf } from './session-labels.ts';
import type { Board } from './state.ts';

/** LABEL-2: only the operator, since it is the operator's view of sessions; a command that changes nothing is refused. */
const label = (board: Board, facts: Facts, command: CommandOf<'session.label'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'label-sessions' });
  const before = labelsOf(board, command.session);
  const name = command.name === undefined ? before.name : maybeWorded(command.name?.trim());
  const note = command.note === undefined ? before.note : maybeWorded(command.note ?? undefined);
  if (name !== null && name.length > MOST_NAME) return reject('too-long', { field: 'name', length: name.length, most: MOST_NAME });
  if (note !== null && note.length > MOST_NOTE) return reject('too-long', { field: 'note', length: note.length, most: MOST_NOTE });
  const tags = command.tags === undefined ? before.tags : [...new Set(command.tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
  if (tags.length > MOST_TAGS) return reject('too-many-entries', { field: 'tags', count: tags.length, most: MOST_TAGS });
  const after = { ...before, isPinned: command.isPinned ?? before.isPinned, isHidden: command.isHidden ?? before.isHidden, name, note, tags };
  const changed = {
    ...(after.isPinned === before.isPinned ? {} : { isPinned: after.isPinned }),
    ...(after.isHidden === before.isHidden ? {} : { isHidden: after.isHidden }),
    ...(name === before.name ? {} : { name }),
    ...(note === before.note ? {} : { note }),
    ...(tags.join('\n') === before.tags.join('\n') ? {} : { tags }),
  };
  if (Object.keys(changed).length === 0) return reject('nothing-to-change', { in: 'session' });
  return ok([happen(facts, 'session.labelled', BOARD_CONTEXT, { sessionId: command.session, ...changed })]);
};

const MOST_NAME = 300;
const MOST_NOTE = 4000;
const MOST_TAGS = 50;

export const labelCommands = { 'session.label': label } satisfies Deciders<FamilyCommand<'labels'>>;
