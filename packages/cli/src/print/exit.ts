import { maskJson, maskSecrets } from '@yarnboard/domain';

/** SEC-27: all transcript text leaves through here, whichever verb reads it: without its secrets, unless the caller asks to see them. */
export type Exit = {
  readonly text: (text: string) => string;
  /** Data, before it is cut or laid out: half a secret is unrecognizable. */
  readonly data: <T>(value: T) => T;
};

export const exitFor = (isRevealed: boolean): Exit => (isRevealed ? WHOLE : MASKED);

const WHOLE: Exit = { text: (text) => text, data: (value) => value };

const MASKED: Exit = {
  text: (text) => maskSecrets(text).text,
  data: <T>(value: T) => maskJson(value) as T, // same shape, other texts
};
