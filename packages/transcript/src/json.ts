export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json | undefined };

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

export const stringOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);

/** A count: a whole number from 0; anything else is null. */
export const countOf = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

export const objectOf = (value: Json | undefined): JsonObject | null => (isObject(value) ? value : null);

export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : NOTHING);

/** The value, or undefined if the text isn't JSON. */
export const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json; // the only place where foreign text gets a type: Json is everything that JSON.parse can return
  } catch {
    return undefined;
  }
};

/** Where the object that starts at `from` ends (exclusive), or -1 if the text stops before. */
export const endOfObject = (text: string, from: number): number => {
  let depth = 0;
  for (let i = from; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth <= 0) return i + 1;
    }
  }
  return -1;
};

/**
 * Returns the innermost open bracket at a place, when reading the text from `from`; "" if none is open, or within a string. Places must be queried in
 * ascending order: the text is read once, however many there are.
 */
export const bracketsFrom = (text: string, from: number): ((at: number) => string) => {
  const open: string[] = [];
  let i = from;
  return (at) => {
    for (; i < at; i += 1) {
      const sign = text.charAt(i);
      if (sign === '"') i = endOfString(text, i);
      else if (sign === '{' || sign === '[') open.push(sign);
      else if (sign === '}' || sign === ']') open.pop();
    }
    return i > at ? '' : (open.at(-1) ?? '');
  };
};

// The index of the closing quote of the string that opens at `from`, or past the end of the text.
const endOfString = (text: string, from: number): number => {
  let i = from + 1;
  for (; i < text.length && text.charCodeAt(i) !== QUOTE; i += 1) if (text.charCodeAt(i) === BACKSLASH) i += 1;
  return i;
};

const QUOTE = 34;
const BACKSLASH = 92;
const NOTHING: readonly Json[] = [];
