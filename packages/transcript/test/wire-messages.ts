import type { Envelope, EnvelopeEvent, Json, NormalisedMessage } from '../src/index.ts';
import { normalise } from '../src/index.ts';

export const SUB = 'd6a2s8ydz2lh6ry5od3r2n6n';
export const OTHER = 'e6a2s8ydz2lh6ry5od3r2n6n';
export const TURN = 'taaaaaaaaaaaaaaaaaaaaaaa';

let made = 0;
export const envelope = (ev: EnvelopeEvent, more: Partial<Envelope> = {}): Envelope => ({
  id: `i${String((made += 1)).padStart(23, '0')}`,
  time: 1000 + made,
  role: 'agent',
  turn: TURN,
  ...more,
  ev,
});
export const says = (words: string, subagent?: string): Envelope => envelope({ t: 'text', text: words }, subagent === undefined ? {} : { subagent });
export const asks = (words: string, more: Partial<Envelope> = {}): Envelope => envelope({ t: 'text', text: words }, { role: 'user', ...more });

/** A raw record as older clients sent it; the id of its delivery says nothing. */
export const legacy = (data: object, id = `delivery ${(made += 1)}`): NormalisedMessage => {
  const read = normalise({ type: 'legacy', id, time: 5, message: { role: 'agent', content: { type: 'output', data: data as Json } } }); // made of JSON
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};

export const side = (value: object, more: object = {}): object => ({ ...value, isSidechain: true, ...more });
