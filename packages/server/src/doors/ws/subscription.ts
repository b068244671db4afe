import { contextIdOfSidebar, parseRef } from '@yarnboard/domain';
import { ALL_SIDEBARS, type Subscription } from '@yarnboard/protocol';
import type { LogPort } from '@yarnboard/store';

/** A subscription with its names looked up: contexts of the log, or everything. */
export type Resolved = {
  readonly contexts: readonly string[] | null;
  /** Also everything that changes the board. */
  readonly hasBoard: boolean;
  readonly hasEnvelopes: boolean;
  readonly hasRecords: boolean;
};

export const EVERYTHING: Resolved = { contexts: null, hasBoard: true, hasEnvelopes: true, hasRecords: false };

export type Resolution = { readonly ok: true; readonly value: Resolved } | { readonly ok: false; readonly why: string };

/** A subscription that needs no look-up; null if it does. */
export const resolvePlainly = ({ sessions, sidebars, hasEnvelopes, hasRecords = false }: Subscription): Resolved | null => {
  const manner = { hasEnvelopes, hasRecords };
  if (sidebars === undefined) return { contexts: sessions, hasBoard: sessions === null, ...manner };
  // WIRE-30: all of them includes future ones.
  if (sidebars.includes(ALL_SIDEBARS)) return { contexts: sessions ?? [], hasBoard: true, ...manner };
  return sidebars.length === 0 ? { contexts: sessions ?? [], hasBoard: false, ...manner } : null;
};

/** WIRE-23: a session may start later, so any id is valid; a sidebar has to exist. */
export const resolve = async (log: LogPort, subscription: Subscription): Promise<Resolution> => {
  const plain = resolvePlainly(subscription);
  if (plain !== null) return { ok: true, value: plain };
  const { sessions, sidebars = [], hasEnvelopes, hasRecords = false } = subscription;
  const found = await Promise.all(sidebars.map(async (name) => ({ name, id: await sidebarIdOf(log, name) })));
  const unknown = found.filter(({ id }) => id === null).map(({ name }) => name.slice(0, 100));
  if (unknown.length > 0) {
    const more = unknown.length > MOST_NAMED ? ` and ${unknown.length - MOST_NAMED} more` : '';
    return { ok: false, why: `there is no sidebar ${unknown.slice(0, MOST_NAMED).join(', ')}${more}; nothing is subscribed to` };
  }
  const contexts = [...(sessions ?? []), ...found.map(({ id }) => contextIdOfSidebar(id ?? ''))];
  return { ok: true, value: { contexts, hasBoard: false, hasEnvelopes, hasRecords } };
};

const sidebarIdOf = async (log: LogPort, name: string): Promise<string | null> => {
  const read = parseRef(name.toUpperCase());
  const isNumbered = read.ok && read.value.kind === 'numbered' && read.value.type === 'SB';
  const position = isNumbered ? await log.positionOfRef('SB', read.value.number) : null;
  const entry = isNumbered ? (position === null ? null : await log.entryAt(position)) : await log.entryByUuid(name.toLowerCase());
  return entry?.type === 'sidebar.spawned' ? entry.uuid : null;
};

const MOST_NAMED = 5;
