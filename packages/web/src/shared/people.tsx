import { isOperator, rowsOf, type Agent, type Board, type Presence } from '@yarnboard/domain';
import { Bot, UserRound } from 'lucide-react';
import { useActor, useBoard } from '../live/hooks.tsx';
import { nameOf } from './names.ts';
import './people.css';

/** Everyone who could take part, by name. The operator counts without ever being registered. */
const peopleOf = (board: Board): readonly Agent[] =>
  rowsOf(board.agents)
    .filter(({ isRetired }) => !isRetired)
    .toSorted((a, b) => nameOf(a.id).localeCompare(nameOf(b.id), 'en'));

export const usePeople = (): readonly Agent[] => useBoard(peopleOf);

const PRESENCE_WORDS = { available: 'online', busy: 'busy', offline: 'offline' } as const satisfies Record<Presence, string>;

/** A person or agent by name, with presence as a shape and a word, not by colour alone. */
export const Person = ({ id, isShort = false }: { readonly id: string; readonly isShort?: boolean }) => {
  const agent = useBoard((board) => board.agents.get(id), [id]);
  const actor = useActor();
  const presence = agent?.presence ?? 'offline';
  const isHuman = isOperator({ id, type: 'human' }) || agent?.kind === 'human';
  const Icon = isHuman ? UserRound : Bot;
  const isMe = actor?.id === id;
  const says = `${nameOf(id)}${isMe ? ', you' : ''}: ${agent?.isRetired === true ? 'retired' : PRESENCE_WORDS[presence]}`;
  return (
    <span className={`person person-${presence}${isShort ? ' person-short' : ''}`} title={says}>
      <span className="person-face" aria-hidden>
        {isShort ? null : <Icon />}
        <span className="person-light" />
      </span>
      <span className="person-name one-line">
        {nameOf(id)}
        {isMe && !isShort ? <span className="faint"> (you)</span> : null}
      </span>
      <span className="visually-hidden">, {agent?.isRetired === true ? 'retired' : PRESENCE_WORDS[presence]}</span>
    </span>
  );
};
