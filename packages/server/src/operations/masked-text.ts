import { maskJson, maskSecrets } from '@yarnboard/domain';
import { jsonText } from '../home/json-text.ts';

/**
 * The text of a payload without its secrets. In JSON a secret may be hidden by escapes (\\u0073k-…), or be known by its key only: then it is
 * written anew without it. What has none stays as it is, to the letter.
 */
export const maskedText = (text: string): string => {
  const value = parsed(text);
  if (value !== undefined) {
    const shown = maskJson(value);
    return maskSecrets(shown === value ? text : jsonText(shown)).text;
  }
  const plain = text.replaceAll(/\\u00([2-7][0-9a-f])/giu, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)));
  const shown = maskSecrets(plain).text;
  return shown === plain ? text : shown;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a line that is damaged, or a file of another kind
  }
};
