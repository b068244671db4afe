/**
 * PAGE-700: when to draw what was read of a session so far: of a long one after its first page, and whenever there is many times as much as the last time. So all
 * drawings of parts together cost less than that of the whole.
 */
export const planParts = (lengthOf: () => number | null): ((read: number) => boolean) => {
  let next = 1;
  return (read) => {
    // Whoever has not been told by now has to do with a long one.
    const length = lengthOf() ?? Number.POSITIVE_INFINITY;
    if (length < LONG || read < next || read >= length) return false;
    next = read * GROWTH;
    return true;
  };
};

/** A shorter one is read in a moment. */
const LONG = 5000;
const GROWTH = 8;
