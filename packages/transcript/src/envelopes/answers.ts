import type { JsonObject } from '../json.ts';
import { firstTextOf, type ToolResult } from '../tools.ts';
import { isOpen, keep, startCall, stopCall } from './calls.ts';
import type { TurnStatus } from './envelope.ts';
import { lookUp } from './layered.ts';
import { say } from './speech.ts';
import type { RecordInput, Work } from './state.ts';

// ENV-55: the reason a call was refused, or failed, is sent before the call stops: nothing else would give it.
export const endCall = (work: Work, input: RecordInput, id: string, { answer, value, block }: Ending): void => {
  const text = answer.isError ? (firstTextOf(value['content']) ?? '') : '';
  if (text !== '' && isOpen(lookUp(work.calls, id))) {
    startIfNew(work, id, input.entry.at);
    say(work, input, { callId: id }, block, { t: 'text', text });
  }
  stopCall(work, id, statusOf(answer), input.entry.at);
};

type Ending = { readonly answer: ToolResult; readonly value: JsonObject; readonly block: number };

// A final message that arrives after its end was reported doesn't restart it.
export const startIfNew = (work: Work, callId: string, at: number): void => {
  if (lookUp(work.calls, callId)?.status === 'called') startCall(work, callId, at);
};

export const statusOf = ({ answer, isError }: ToolResult): TurnStatus => (answer === 'void' ? 'cancelled' : isError ? 'failed' : 'completed');

export const keepBackground = (work: Work, id: string): void => {
  const call = lookUp(work.calls, id);
  if (call !== undefined && isOpen(call)) keep(work, { ...call, isBackground: true });
};
