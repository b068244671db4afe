import { printable } from '@yarnboard/transcript';
import { Fragment } from 'react';

type Place = { readonly from: number; readonly to: number };

/** PAGE-63, PAGE-130: a piece of a text with what was looked for marked in it. The places are those of what was written, so each part is made printable by itself. */
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

/** Places that overlap are marked once. */
const partsOf = (text: string, places: readonly Place[]): readonly (Place & { readonly before: string; readonly marked: string })[] => {
  const parts: (Place & { readonly before: string; readonly marked: string })[] = [];
  for (const place of places.toSorted((a, b) => a.from - b.from)) {
    const at = parts.at(-1)?.to ?? 0;
    const from = Math.max(at, place.from);
    if (place.to > from) parts.push({ from, to: place.to, before: text.slice(at, from), marked: text.slice(from, place.to) });
  }
  return parts;
};
