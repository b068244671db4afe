import { contextIdOfSidebar, parseRef } from '@yarnboard/domain';
import { ALL_SIDEBARS, type Subscription } from '@yarnboard/protocol';
import type { LogPort } from '@yarnboard/store';

/** A subscription whose names have been looked up: contexts of the log, or everything. */
export type Wish = {
  readonly contexts: readonly string[] | null;
  /** Besides, whatever changes the board. */
  readonly hasBoard: boolean;
  readonly hasEnvelopes: boolean;
  readonly hasRecords: boolean;
};

export const WISH_ALL: Wish = { contexts: null, hasBoard: true, hasEnvelopes: true, hasRecords: false };

export type FoundWish = { readonly ok: true; readonly value: Wish } | { readonly ok: false; readonly why: string };

/** A wish for which nothing has to be looked up; null where something has. */
export const plainWish = ({ sessions, sidebars, hasEnvelopes, hasRecords = false }: Subscription): Wish | null => {
  const manner = { hasEnvelopes, hasRecords };
  if (sidebars === undefined) return { contexts: sessions, hasBoard: sessions === null, ...manner };
  // WIRE-30: all of them are those that will be, too.
  if (sidebars.includes(ALL_SIDEBARS)) return { contexts: sessions ?? [], hasBoard: true, ...manner };
  return sidebars.length === 0 ? { contexts: sessions ?? [], hasBoard: false, ...manner } : null;
};

/** WIRE-23: a session may begin later, so any id will do; a sidebar has to be there. */
export const findWish = async (log: LogPort, subscription: Subscription): Promise<FoundWish> => {
  const plain = plainWish(subscription);
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
