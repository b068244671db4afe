/** Prompts are compared without regard to white space: some versions trim and re-wrap them. */
export const samePrompt = (a: string, b: string): boolean => a === b || normalise(a) === normalise(b);

export const normalise = (text: string): string => text.replace(/\s+/gu, ' ').trim();
