import { back, BASE64, runEnd, shape } from './shape.ts';

const LONGEST_KEY = 65_536;
const LINE_BREAK = /^\s{0,8}(?:[\r\n]|\\+[nr])/u;
const BEFORE_LINE = /(?:[\s"'\u0060+,|>-]|\\+[nr]|\d{1,6}(?:→|:|\|)){0,64}/uy;

/** From BEGIN to END; without END, as far as lines of base64 go. A marker that only mentions keys, in code or prose, is followed by neither. */
export const privateKey = shape(
  'private-key',
  '-begin[ ]',
  String.raw`-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----`,
  (text, from, end) => {
    const next = text.indexOf('-----', end);
    const closing = next >= 0 && next - end <= LONGEST_KEY ? /^-{5,6}END [A-Z0-9 ]{0,64}-----/u.exec(text.slice(next, next + 91)) : null;
    if (closing !== null) {
      const body = text.slice(end, next);
      const real = LINE_BREAK.test(body) ? /[A-Za-z0-9]{2}/u.test(body.replaceAll(/\\{1,16}[nr]/gu, '')) : /[A-Za-z0-9+/]{16}/u.test(body);
      return { from, to: next + closing[0].length, secret: real };
    }
    const to = endOfLines(text, end);
    return { from, to, secret: to > end };
  },
  back(4),
);

const endOfLines = (text: string, from: number): number => {
  for (let end = from; ;) {
    BEFORE_LINE.lastIndex = end;
    const start = end + (BEFORE_LINE.exec(text)?.[0].length ?? 0);
    const to = runEnd(text, start, BASE64);
    // A short line ends a key only if the text ends with it.
    if (to - start < 16 && !(to === text.length && to > start && end > from)) return end;
    end = to;
  }
};

/** PuTTY's own format: as many private lines as it states. */
export const puttyKey = shape(
  'private-key',
  'private-lines:[ ][0-9]',
  String.raw`Private-Lines: \d{1,3}(?:\r?\n|\\n)[A-Za-z0-9+/]{16}`,
  (text, _, end) => {
    const from = end - 16;
    return { from, to: Math.max(endOfLines(text, from), end), secret: true };
  },
);
