import { ENTRY_TYPES, type Draft, type Entry, type NumberedType } from '@yarnboard/domain';
import { uuidFor } from './hash.ts';

export type Place = { readonly position: number; readonly recordedAt: number; readonly hash: string | null; readonly copyOf: number | null };

/** The entry that a draft becomes at its place. LOG-9: a copy gets no number, and a uuid of its own. */
export const entryAt = ({ uuid, numbers, ...draft }: Draft, place: Place, nextRef: (type: NumberedType) => string): Entry => {
  const { position, recordedAt, hash, copyOf } = place;
  const isCopy = copyOf !== null;
  return {
    ...draft,
    type: isCopy ? ENTRY_TYPES.copied : draft.type,
    position,
    uuid: isCopy || uuid === null ? uuidFor(`${draft.contextId}|${hash ?? position}|${draft.occurrence ?? 0}`) : uuid,
    refs: isCopy ? NONE : numbers.map(nextRef),
    recordedAt,
    payloadHash: hash,
    copyOf,
  };
};

const NONE: readonly never[] = [];
