/**
 * PAGE-700: when to draw what was read of a session so far: of a long one after its first page, and whenever there is many times as much as the last time. So all
 * drawings of parts together cost less than that of the whole.
 */
export const planParts = (entries: number): ((read: number) => boolean) => {
  let next = entries < LONG ? Number.POSITIVE_INFINITY : 1;
  return (read) => {
    if (read < next || read >= entries) return false;
    next = read * GROWTH;
    return true;
  };
};

/** A shorter one is read in a moment. */
const LONG = 5000;
const GROWTH = 8;
