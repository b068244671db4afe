import type { InsideOutput, Outcome } from '@yarnboard/protocol';
import type { Live } from '../../live/live.ts';
import type { PromptImage } from './prompt-image.ts';

/** A prompt on its way to the server. */
export type Delivery = {
  readonly outcome: Promise<Outcome<InsideOutput<'send_message'>>>;
  /** The composer that was shown last: only this one handles the outcome. */
  taker: object;
};

/** What outlives a composer: you may leave a session and come back while its prompts are being sent. */
export type Deliveries = {
  readonly open: Map<string, Delivery>;
  /** The images of prompts that haven't been delivered. */
  readonly pictures: Map<string, readonly PromptImage[]>;
  /** Prompts that have been delivered, also if a composer still lists them. */
  readonly done: Set<string>;
};

export const deliveriesOf = (live: Live): Deliveries => {
  const known = all.get(live);
  if (known !== undefined) return known;
  const made: Deliveries = { open: new Map(), pictures: new Map(), done: new Set() };
  all.set(live, made);
  return made;
};

const all = new WeakMap<Live, Deliveries>();
