import { REGISTRY, type OperationName } from '@yarnboard/protocol';
import { uuidFor } from '@yarnboard/store';
import type { SeatPlace } from './port.ts';
import type { OpenTurn } from './open-turn.ts';

type Input = Readonly<Record<string, unknown>>;

/** RT-63: assigns ids to a seat's commands. After an interrupted turn is repeated, the same command gets the answer it had before. */
export type Deeds = { readonly named: (turn: OpenTurn | null, name: string, input: Input) => Input };

export const createDeeds = (place: SeatPlace): Deeds => {
  let counted = '';
  /** How often each command occurred in this turn: saying "yes" twice means it twice. */
  let times = new Map<string, number>();
  return {
    named: (turn, name, input) => {
      const about = turn?.events[0]?.seq;
      if (turn === null || about === undefined || input['message_id'] !== undefined || !isCommand(name)) return input;
      if (counted !== turn.id) times = new Map();
      counted = turn.id;
      const deed = `${name}|${JSON.stringify(input)}`;
      const time = (times.get(deed) ?? 0) + 1;
      times.set(deed, time);
      return { ...input, message_id: deedId(place, about, `${deed}|${time}`) };
    },
  };
};

export const deedId = ({ agent, sidebarId }: SeatPlace, about: number, deed: string): string =>
  uuidFor(`seat|${agent}|${sidebarId}|${about}|${deed}`);

const isCommand = (name: string): boolean => Object.hasOwn(REGISTRY, name) && 'command' in REGISTRY[name as OperationName]; // one of its own keys
