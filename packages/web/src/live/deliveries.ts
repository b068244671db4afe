import type { InsideOutput, Outcome, PROMPT_IMAGES } from '@yarnboard/protocol';

/** An image attached to a prompt. */
export type PromptImage = { readonly mediaType: (typeof PROMPT_IMAGES)[number]; readonly data: string; readonly size: number; readonly name: string };

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

export const createDeliveries = (): Deliveries => ({ open: new Map(), pictures: new Map(), done: new Set() });
