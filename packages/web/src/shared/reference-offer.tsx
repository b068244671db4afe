import { formatRef, parseRef } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import type { InsideOutput } from '@yarnboard/protocol';
import { useAsk } from '../live/hooks.tsx';
import { useChosenInSight } from './chosen-in-sight.ts';
import type { ReferenceBegun } from './reference-begun.ts';
import './reference-offer.css';

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

/** The text field keeps the focus and handles the keys. */
export const ReferenceList = ({ id, items, chosen, onTake }: ReferenceListProps) => (
  <div ref={useChosenInSight(chosen, items.length)} id={id} className="reference-list" role="listbox" aria-label="References">
    {items.map(({ ref, words }, n) => (
      <div
        key={ref}
        id={`${id}-${n}`}
        className="reference-offered"
        role="option"
        tabIndex={-1}
        aria-selected={n === chosen}
        // Not on click: by then the text field would have lost the focus, and the list would be gone.
        onPointerDown={(event) => {
          event.preventDefault();
          onTake(ref);
        }}
      >
        <span className="reference-offered-name">{ref}</span>
        <span className="reference-offered-words">{printableLine(words)}</span>
      </div>
    ))}
  </div>
);

const NONE: readonly OfferedReference[] = [];
