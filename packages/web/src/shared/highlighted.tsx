import { printable } from '@yarnboard/transcript';
import { Fragment } from 'react';

type Place = { readonly from: number; readonly to: number };

/** PAGE-63, PAGE-130: an excerpt with its matches highlighted. The places refer to the original text, so each part is made printable separately. */
export const Highlighted = ({ text, places }: { readonly text: string; readonly places: readonly Place[] }) => {
  const parts = partsOf(text, places);
  return (
    <>
      {parts.map(({ before, marked, from }) => (
        <Fragment key={from}>
          {printable(before)}
          <mark>{printable(marked)}</mark>
        </Fragment>
      ))}
      {printable(text.slice(parts.at(-1)?.to ?? 0))}
    </>
  );
};

/** Overlapping places are highlighted once. */
const partsOf = (text: string, places: readonly Place[]): readonly (Place & { readonly before: string; readonly marked: string })[] => {
  const parts: (Place & { readonly before: string; readonly marked: string })[] = [];
  for (const place of places.toSorted((a, b) => a.from - b.from)) {
    const at = parts.at(-1)?.to ?? 0;
    const from = Math.max(at, place.from);
    if (place.to > from) parts.push({ from, to: place.to, before: text.slice(at, from), marked: text.slice(from, place.to) });
  }
  return parts;
};
