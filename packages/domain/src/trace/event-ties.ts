import type { EventType, Recorded } from '../messages/catalogue.ts';
import type { Around } from './nodes.ts';
import type { Tie } from './ties.ts';

/** Makers of ties for the events of some families; most events make none. */
export type TieMakers<T extends EventType> = { readonly [K in T]?: (around: Around<K>) => readonly Tie[] };

/** The parts of an event that only the log can name. */
export const placesIn = (event: Recorded): { readonly uuids: readonly string[]; readonly positions: readonly number[] } => {
  if (event.type === 'mention.routed' || event.type === 'gold.surfaced') return { uuids: [event.payload.about ?? []].flat(), positions: [] };
  const origin = event.type === 'sidebar.spawned' ? event.payload.origin : null;
  if (origin === null || origin.kind === 'none' || origin.kind === 'fork') return NOWHERE;
  const leaf = origin.kind === 'session' ? origin.leafUuid : null;
  return { uuids: [leaf ?? []].flat(), positions: [origin.upTo ?? []].flat() };
};

const NOWHERE = { uuids: [], positions: [] } as const;
