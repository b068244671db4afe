import { formatRef, parseRef } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import type { InsideOutput } from '@yarnboard/protocol';
import { useAsk } from '../live/hooks.tsx';
import { OfferList } from './offer-list.tsx';
import type { ReferenceBegun } from './reference-begun.ts';

export type OfferedReference = InsideOutput<'references'>['items'][number];

/** PAGE-641: references that continue what is typed; what is near comes first. */
export const useReferenceOffer = (begun: ReferenceBegun | null, near: string | null): readonly OfferedReference[] => {
  const typed = begun?.typed ?? '';
  const { data, isPlaceholderData } = useAsk(
    'references',
    { typed, limit: 8, ...(near === null ? {} : { near }) },
    { isWanted: begun !== null, keepsPrevious: true, isGivenUp: true, staleMs: 5000 },
  );
  if (begun === null || data === undefined) return NONE;
  // The answer to earlier text: Enter must not take a reference that doesn't begin with what is there now.
  return isPlaceholderData ? data.items.filter(({ ref }) => ref.startsWith(typed.toUpperCase())) : data.items;
};

/** Once a reference is typed out, Enter sends, unless another one was chosen: the list may still be that of an earlier text. */
export const isTypedOut = (begun: ReferenceBegun | null, chosen: number): boolean => {
  const ref = begun === null ? null : parseRef(begun.typed);
  return ref?.ok === true && chosen === 0 && formatRef(ref.value) === begun?.typed;
};

export type ReferenceListProps = {
  readonly id: string;
  readonly items: readonly OfferedReference[];
  readonly chosen: number;
  readonly onTake: (ref: string) => void;
};

export const ReferenceList = ({ id, items, chosen, onTake }: ReferenceListProps) => (
  <OfferList id={id} label="References" items={items} nameOf={({ ref }) => ref} chosen={chosen} onTake={onTake}>
    {({ ref, words }) => (
      <>
        <span className="offer-one-name">{ref}</span>
        <span className="offer-one-words">{printableLine(words)}</span>
      </>
    )}
  </OfferList>
);

const NONE: readonly OfferedReference[] = [];
