/** Whoever only reads is told so before they try. */
export const READING_ONLY = 'You are reading. `yarnboard open` gives you a link with which you can act.';
