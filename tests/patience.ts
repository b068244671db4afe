/**
 * How long a test waits for one thing that has to happen, in milliseconds. It only ends what would never end: nothing is proven by how long something
 * takes, and a machine with a lot to do may take it (GATE-5).
 */
export const PATIENCE = 120_000;

/** The same for a whole test, which waits for many things. */
export const TEST_PATIENCE = 1_800_000;
