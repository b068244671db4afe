import type { TurnStatus } from './envelope.ts';
import { idOf } from './ids.ts';
import { lookUp, put } from './layered.ts';
import { markedIn, NO_MARKS, unmark, type Marks } from './marks.ts';
import { NO_METER, usageIn } from './meter.ts';
import { tell, type Turn, type Work } from './state.ts';

/** ENV-10: a turn begins with the first thing the agent says or does in it. */
export const openTurn = (work: Work, uuid: string, block: number, at: number): Turn => {
  if (work.turn !== null) return work.turn;
  const turn: Turn = { id: idOf(uuid, 'turn'), uuid, open: NO_MARKS, ending: null, isCut: false, hasReasons: false, meter: NO_METER };
  work.turn = turn;
  tell(work, at, { id: idOf(uuid, block, 'turn-start', 0), role: 'agent', turn: turn.id, ev: { t: 'turn-start' } });
  return turn;
};

/** Ends the open turn, if any. ENV-12: calls that will never be answered end first. */
export const closeTurn = (work: Work, status: TurnStatus, at: number): void => {
  const { turn } = work;
  if (turn === null) return;
  interruptTools(work, turn.open, at);
  // Named after the turn and not after what ended it: the same whether a record, a process or a restart did.
  tell(work, at, {
    id: idOf(turn.uuid, 0, 'turn-end', 0),
    role: 'agent',
    turn: turn.id,
    ev: { t: 'turn-end', status, ...usageIn(work.turn?.meter ?? turn.meter) },
  });
  work.turn = null;
};

/** ENV-11: the status of a turn that nobody closed: unfinished work was cut off. */
export const judgeTurn = ({ turn }: Work): TurnStatus => (turn !== null && (turn.open.count > 0 || turn.isCut) ? 'cancelled' : 'completed');

/** The same if it may also have been cut off while the model was to continue. */
export const judgeCut = (work: Work): TurnStatus => (work.turn?.hasReasons === true && work.turn.ending === null ? 'cancelled' : judgeTurn(work));

/** A turn that was declared over ends as soon as something else is said. */
export const settleTurn = (work: Work, messageId: string | null, at: number): void => {
  const ending = work.turn?.ending ?? null;
  if (ending?.how === 'said' && (messageId === null || messageId !== ending.messageId)) closeTurn(work, judgeTurn(work), at);
};

export const interruptTools = (work: Work, open: Marks, at: number): void => {
  for (const call of markedIn(open)) {
    const tool = lookUp(work.tools, call);
    if (tool === undefined || tool.state !== 'open') continue;
    work.tools = put(work.tools, call, { ...tool, state: 'interrupted' });
    const caller = tool.caller === null ? undefined : lookUp(work.calls, tool.caller);
    tell(work, at, {
      id: idOf(tool.uuid, tool.block, 'tool-call-end', 0),
      role: 'agent',
      ...(tool.turn === null ? {} : { turn: tool.turn }),
      ...(caller === undefined ? {} : { subagent: caller.subagent }),
      ev: { t: 'tool-call-end', call, result: null, isError: true, isInterrupted: true },
    });
  }
};

/** A call, to a tool or to an agent, has its result. */
export const answerInTurn = (work: Work, call: string): void => {
  if (work.turn === null) return;
  work.turn = { ...work.turn, open: unmark(work.turn.open, call) };
};
