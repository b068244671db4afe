/**
 * PAGE-700: decides when to draw a partly read session: a long one after its first page, and again whenever many times as much has been read. All
 * partial drawings together therefore cost less than the full one.
 */
export const planParts = (lengthOf: () => number | null): ((read: number) => boolean) => {
  let next = 1;
  return (read) => {
    // If the length is still unknown by now, the session is a long one.
    const length = lengthOf() ?? Number.POSITIVE_INFINITY;
    if (length < LONG || read < next || read >= length) return false;
    next = read * GROWTH;
    return true;
  };
};

/** A shorter session is read in an instant. */
const LONG = 5000;
const GROWTH = 8;
