/** Callbacks for what a text contains, in order: words, and every other character except blanks. */
export type Found = {
  readonly word: (from: number, to: number) => void;
  readonly sign: (at: number, code: number) => void;
};

/** Splits a text into words and signs. It runs in linear time, without a regular expression: no input makes it backtrack. */
export const scanText = (text: string, { word, sign }: Found): void => {
  let from = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : SPACE;
    if (isInside(text, at, code, from)) {
      if (from < 0) from = at;
      continue;
    }
    if (from >= 0) word(from, at);
    from = -1;
    if (code > SPACE || code === NEWLINE) sign(at, code);
  }
};

/** The parts of a name, split at its signs and where lower case changes to upper case. */
export const partsOfName = (name: string): readonly string[] => {
  const parts: string[] = [];
  let from = 0;
  const cut = (to: number): void => {
    if (to > from) parts.push(name.slice(from, to));
  };
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (isGlue(code) || code === COMMA) {
      cut(at);
      from = at + 1;
    } else if (at > from && isUpper(code)) {
      const [before, after] = [name.charCodeAt(at - 1), name.charCodeAt(at + 1)];
      // `SELECTs` and `OOMs` are plurals, not two words.
      const isPlural = after === SMALL_S && !isLetter(name.charCodeAt(at + 2));
      if (isLower(before) || (isUpper(before) && isLower(after) && !isPlural)) {
        cut(at);
        from = at;
      }
    }
  }
  cut(name.length);
  return parts;
};

export const SPACE = 32;
export const NEWLINE = 10;
const APOSTROPHE = 39;
const COMMA = 44;
const COLON = 58;
const SMALL_S = 115;
const CURLY_APOSTROPHE = 0x2019;

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
export const isLetter = (code: number): boolean => isUpper(code) || isLower(code) || code === MICRO || (code >= 0xc0 && !isForeignSign(code));
const MICRO = 0xb5;
/** × ÷, punctuation, currencies, arrows to symbols, CJK punctuation, emoji, and modifiers of the preceding character. */
const isForeignSign = (code: number): boolean =>
  code === 0xd7 ||
  code === 0xf7 ||
  (code >= 0x2000 && code <= 0x20cf) ||
  (code >= 0x2190 && code <= 0x2bff) ||
  (code >= 0x3000 && code <= 0x303f) ||
  (code >= 0xd800 && code <= 0xdfff) ||
  code >= 0xfe00;
const isAlnum = (code: number): boolean => isLetter(code) || isDigit(code);

/** Signs that join the parts of a name: $ + - . / : @ \ _ */
const isGlue = (code: number): boolean =>
  (code >= 45 && code <= 47) || code === COLON || code === 95 || code === 64 || code === 92 || code === 36 || code === 43;

const isInside = (text: string, at: number, code: number, from: number): boolean => {
  if (isAlnum(code)) return true;
  if (from < 0) return false;
  const next = text.charCodeAt(at + 1);
  if (isGlue(code)) return isAlnum(next) || (isGlue(next) && isAlnum(text.charCodeAt(at + 2)));
  if (code === APOSTROPHE || code === CURLY_APOSTROPHE) return isLetter(next) && isLetter(text.charCodeAt(at - 1));
  return code === COMMA && isDigit(next) && isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(from));
};
