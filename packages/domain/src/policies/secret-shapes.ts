import { scannerOf } from './anchors.ts';
import { COMMAND_SHAPES } from './secret-commands.ts';
import { PLACE_SHAPES } from './secret-places.ts';
import { mixing, isStandIn } from './secret-values.ts';
import { privateKey, puttyKey } from './private-key.ts';
import { runEnd, shape, TOKEN, WORDS, type Shape, type Span } from './shape.ts';
import { VENDOR_SHAPES } from './vendor-shapes.ts';

const { raw } = String;

// A secret begins a word. In JSON inside JSON, terminal colours and query strings, the preceding character is a letter that belongs to an escape.
const begins = (prefix: string): string => raw`${prefix}(?:(?<![A-Za-z0-9]${prefix})|(?<=(?:\\[nrt]|\[[0-9;]{0,12}m|%[0-9A-F]{2})${prefix}))`;

/** The prefix is too short to count within a word, unless it has its maker's mark. */
const openai = shape('openai-key', 'sk-', raw`(?:${begins('sk-')}|sk-(?=[A-Za-z0-9]{20}T3BlbkFJ))[${WORDS}]{20}`, (text, from, end) => {
  const to = runEnd(text, end, TOKEN);
  const secret = text.slice(from, to);
  return { from, to, secret: mixing(secret) >= 3 && !isStandIn(secret) };
});

const jwt = shape('jwt', 'eyj', raw`eyJ[${WORDS}]{5}`, (text, from, end) => {
  const head = runEnd(text, end, TOKEN);
  const none: Span = { from, to: head, secret: false };
  if (text.charAt(head) !== '.') return none;
  const body = runEnd(text, head + 1, TOKEN);
  const to = runEnd(text, body + 1, TOKEN);
  return text.charAt(body) === '.' && body - head > 5 && to - body > 5 ? { from, to, secret: true } : none;
});

/** In this order: shapes that name their maker before those recognized by their place. */
export const SHAPES: readonly Shape[] = [privateKey, puttyKey, ...VENDOR_SHAPES, jwt, openai, ...PLACE_SHAPES, ...COMMAND_SHAPES];

/** The shapes that a text may contain, and where: most texts contain none. */
export const shapesIn = scannerOf(SHAPES);
