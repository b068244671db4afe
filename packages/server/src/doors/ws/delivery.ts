import { setImmediate as breathe } from 'node:timers/promises';
import { hears, scopeOf } from './audience.ts';
import type { Frame, Manner } from './frame.ts';
import type { History, Page } from './history.ts';
import type { Outbox } from './outbox.ts';
import type { Ring } from './ring.ts';
import { EVERYTHING, type Resolved } from './subscription.ts';

export type DeliveryParts = {
  readonly ring: Ring;
  readonly history: History;
  readonly outbox: Pick<Outbox, 'send' | 'isStuck'>;
  /** Frames sent together go out together: one system call for all of them. */
  readonly together: <T>(work: () => T) => T;
  readonly isOpen: () => boolean;
  /** Enough is in flight; it continues when there is room. */
  readonly isHeldUp: () => boolean;
  readonly onHeldUp: () => void;
  readonly onTold: (bytes: number) => void;
  /** Everything that was there when it connected has been sent. */
  readonly onCaughtUp: (at: number) => void;
  /** It has received everything that was ready. */
  readonly onIdle: () => void;
  readonly onBroken: (cause: unknown) => void;
};

/** Feeds one client as fast as it reads: from the ring, or from the log if that is too far back. */
export type Delivery = {
  /** The last position it has received, or doesn't want. */
  readonly at: () => number;
  readonly subscription: () => Resolved;
  readonly isReading: () => boolean;
  /** Continues after a position; what it missed is before `head`. */
  readonly begin: (from: number | null, head: number) => void;
  readonly subscribe: (subscription: Resolved, agent: string | null, isRevealed?: boolean) => void;
  readonly feed: () => void;
  /** What was read ahead for it may contain something that was forgotten since. */
  readonly forget: () => void;
};

export const createDelivery = (parts: DeliveryParts): Delivery => {
  const { ring, history, outbox, together } = parts;
  let at = 0;
  let target: number | null = null;
  let subscription = EVERYTHING;
  let scope = scopeOf(EVERYTHING, null);
  let manner: Manner = { isRevealed: false, hasEnvelopes: true, isNamed: false };
  let page: Page | null = null;
  let changes = 0; // incremented by anything that makes a page in progress obsolete
  let isReading = false;

  const deliver = (frame: Frame): void => {
    if (hears(scope, frame)) {
      const bytes = frame.bytes(manner);
      parts.onTold(bytes.length);
      outbox.send(bytes, at);
    }
    at = frame.seq;
  };

  /** True when there is nothing more to do for now. */
  const feedFromRing = (): boolean => {
    const edge = ring.edge();
    while (at < edge) {
      if (outbox.isStuck()) {
        parts.onHeldUp();
        return true;
      }
      const frame = ring.at(at + 1);
      if (frame === null || (frame.envelopes === null && isWanted(frame))) return false;
      deliver(frame);
    }
    if (target !== null && at >= target) {
      target = null;
      parts.onCaughtUp(at);
    }
    return true;
  };

  const isWanted = (frame: Frame): boolean => manner.hasEnvelopes && hears(scope, frame);

  const feed = (): void => {
    if (!parts.isOpen() || isReading) return;
    try {
      if (!together(feedFromRing)) {
        isReading = true;
        void feedFromLog();
      } else if (!parts.isHeldUp()) parts.onIdle();
    } catch (cause) {
      parts.onBroken(cause); // whatever it is, the others continue
    }
  };

  const feedFromLog = async (): Promise<void> => {
    try {
      while (parts.isOpen() && !together(feedFromRing)) {
        if (page === null || page.to <= at) {
          const before = changes;
          const read = await history.read(scope, at, manner.hasEnvelopes);
          // Its subscription may have changed in the meantime, or something was forgotten.
          if (!parts.isOpen() || before !== changes) continue;
          page = read;
          await breathe();
        }
        const next = page;
        if (next !== null) together(() => feedFromPage(next));
      }
    } catch (cause) {
      parts.onBroken(cause);
    } finally {
      isReading = false;
    }
    if (parts.isOpen() && !parts.isHeldUp()) parts.onIdle();
  };

  const feedFromPage = ({ frames, to }: Page): void => {
    for (const frame of frames) {
      if (frame.seq <= at) continue;
      if (outbox.isStuck()) {
        parts.onHeldUp();
        return;
      }
      deliver(frame);
    }
    at = Math.max(at, to);
    page = null;
  };

  const forget = (): void => {
    page = null;
    changes += 1;
  };

  return {
    at: () => at,
    subscription: () => subscription,
    isReading: () => isReading,
    begin: (from, head) => {
      at = from ?? head;
      target = from === null ? null : head;
    },
    subscribe: (wanted, agent, isRevealed = manner.isRevealed) => {
      subscription = wanted;
      scope = scopeOf(wanted, agent);
      manner = { isRevealed, hasEnvelopes: wanted.hasEnvelopes, isNamed: wanted.contexts !== null, hasRecords: wanted.hasRecords };
      forget();
    },
    feed,
    forget,
  };
};
