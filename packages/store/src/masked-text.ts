import { maskJson, maskSecrets } from '@yarnboard/domain';
import { crowdIn, inPieces, jsonText, MOST_VALUES } from '@yarnboard/transcript';

/**
 * The text of a payload without its secrets. In JSON, a secret may be hidden by escapes (\\u0073k-…) or recognizable only by its key; such a text is
 * serialized again without it. A text without secrets stays exactly as it is.
 */
export const maskedText = (text: string): string => {
  const value = parsed(text);
  if (value !== undefined) {
    const shown = maskJson(value);
    return maskSecrets(shown === value ? text : jsonText(shown)).text;
  }
  const plain = inPieces(text, WHERE_CUT, unescaped);
  const shown = maskSecrets(plain).text;
  return shown === plain ? text : shown;
};

const unescaped = (text: string): string =>
  text.replaceAll(/\\u00([2-7][0-9a-f])/giu, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)));

/** Never inside an escape. */
const WHERE_CUT = { mayCut: (text: string, at: number) => !text.slice(at - 5, at).includes('\\'), longest: 6 };

const parsed = (text: string): unknown => {
  // PARSE-9: too large to parse when it came in means too large to parse now.
  if (text.length > MOST_VALUES && isCrowded(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a damaged line, or a file of another kind
  }
};

const isCrowded = (text: string): boolean => {
  const bytes = Buffer.from(text);
  return crowdIn(bytes, 0, bytes.length) !== null;
};
