import { shapesIn } from './secret-shapes.ts';
import { spansOf } from './shape.ts';

/**
 * Cuts a text to this many characters; fewer if the cut would be within a secret or a character. Half a secret is unrecognizable, and masking would
 * miss it (BOARD-8).
 */
export const cutText = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const secrets = secretsBefore(text, most);
  for (let cut = most; ;) {
    const at = cut;
    const within = secrets.find(({ from, to }) => from < at && at < to + CLOSING);
    const before = within?.from ?? (isWithinCharacter(text, cut) ? cut - 1 : cut);
    if (before === cut) return text.slice(0, cut);
    cut = before;
  }
};

type Place = { readonly from: number; readonly to: number };

const secretsBefore = (text: string, cut: number): readonly Place[] => {
  // Only secrets that begin before the cut can be cut, and a long text costs no more than a short one.
  const near = text.slice(0, cut + LONGEST_START);
  return shapesIn(near).flatMap((sighting) => spansOf(text, sighting, near, cut));
};

const isWithinCharacter = (text: string, cut: number): boolean => (text.codePointAt(cut - 1) ?? 0) > 0xff_ff;

// Some are only recognized by what closes them: the quote, or the @ and the first letter of the host.
const CLOSING = 2;
const LONGEST_START = 512;
