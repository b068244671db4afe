import { moodOf } from '../claims/mood.ts';

/** AUTO-8: what a finding looks like, as far as the conditions of routine tasks ask for it. */
export type ResultShape = {
  /** One short statement of a boolean, a number, a version or a state. */
  readonly isSimple: boolean;
  /** Nothing but references. */
  readonly isReferences: boolean;
  /** Something passed or failed. */
  readonly isVerdict: boolean;
};

export const resultShape = (text: string): ResultShape => {
  const said = text.trim();
  const isShort = said !== '' && said.length <= SHORT && !/\n/u.test(said) && !/[.!?]\s+\p{Lu}/u.test(said);
  const isPlain = isShort && moodOf(said).kind !== 'judgement' && !said.endsWith('?');
  return { isSimple: isPlain && VALUE.test(said), isReferences: isReferences(said), isVerdict: isPlain && VERDICT.test(said) };
};

const SHORT = 160;

const VALUE =
  /\d|(?<![\w-])(?:yes|no|true|false|on|off|up|down|enabled|disabled|running|stopped|active|inactive|healthy|unhealthy|online|offline|open|closed|empty|full|idle|ready|available|unavailable|reachable|unreachable|valid|invalid|present|missing|installed|complete|finished|done|passed|failed|passing|failing|green|red|connected|disconnected|in sync|up to date|succeeded|success|ok|none|clean|dirty)(?![\w-])/iu;

const VERDICT =
  /(?<![\w-])(?:pass(?:es|ed|ing)?|fail(?:s|ed|ing|ure|ures)?|(?:in)?valid|(?:not )?well-formed|ok|\d[\d,. ]*(?:errors?|warnings?|problems?|violations?|broken|failed|passed|tests?)|no (?:errors?|warnings?|problems?|violations?|breaking changes)|conforms?|complies|\d+ (?:of|\/) ?\d+)(?![\w-])/iu;

const isReferences = (text: string): boolean => {
  const pieces = text.split(/[\s,;]+/u).filter((piece) => piece !== '');
  const references = pieces.filter((piece) => REFERENCE.test(piece.replace(/^[("'`<[*-]+|[)"'`>\].:*]+$/gu, ''))).length;
  return references > 0 && pieces.length - references <= Math.max(2, references);
};

/** A reference of the board, an address, a path, a file with or without a line, a commit, a ticket. */
const REFERENCE =
  /^(?:https?:\/\/\S+|[A-Z]{2,}-\d+(?::[A-Z]+-\d+)?|[\w@~.+-]*\/[\w@~./+-]*\w(?::\d+(?:-\d+)?)?|[\w-]+(?:\.[\w-]+)*\.[a-z]\w{0,7}(?::\d+(?:-\d+)?)?|[0-9a-f]{7,40})$/u;
