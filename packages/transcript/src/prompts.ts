/** Prompts are compared ignoring white space: some versions trim and re-wrap them. */
export const normalise = (text: string): string => text.replace(/\s+/gu, ' ').trim();
