import type { ClaimArguments } from './shapes.ts';

/** What a sentence claims, whether it denies it, and the words that show it. */
export type Checkable = { readonly arguments: ClaimArguments; readonly isDenied: boolean; readonly because: string };

/** Reads one type of claim; null if the clause isn't one, or names too little. */
export type Reader = (clause: string) => Checkable | null;

export const rx = (pattern: string): RegExp => new RegExp(pattern, 'iu');

/** "The proposed timeout", "normal load": something former, wanted or hypothetical doesn't exist. Names in code are left out. */
export const isUnreal = (name: string): boolean => UNREAL.test(name.replaceAll(/`[^`]*`/gu, ' '));
const UNREAL =
  /(?<![\w-])(?:old|older|previous|former|original|prior|proposed|suggested|recommended|ideal|optimal|expected|desired|wanted|intended|theoretical|hypothetical|planned|next|upcoming|future|normal|typical|usual|estimated|assumed|supposed|alleged|potential|possible|sample|fictional|imaginary|wrong|alternative)(?![\w-])/iu;

export const denies = (words: string | undefined): boolean => /\bnot\b|n't\b|\bno longer\b|\bnever\b|\bno\b/iu.test(words ?? '');

/** Parts shared by the patterns of several types. Clauses are short, so that no pattern backtracks far. */
export const LEAD = String.raw`^(?:(?:note|fyi|confirmed|verified|status|update|ok|okay|so|also|and|but|now|currently|right now|as of now|at the moment|in fact|indeed|good|yes|no|however|additionally|here|well)[,:.]?\s+(?:that\s+)?)*`;
export const IS = String.raw`(?:is|are|'s|isn't|aren't)`;
export const ADVERB = String.raw`(?:\s+(?:currently|now|still|already|also|actually|really|indeed|just|definitely|always|only|both|all|hard-?coded|configured|correctly|successfully|no longer|not|up and))*`;
/** Where, when or for what: it doesn't affect the claim. */
export const AFTER = String.raw`(?:\s+(?:in|on|at|inside|within|for|via|with|under|as|of|from|to|by|right|currently|now|there|here|again|already|locally|globally|everywhere|across|per|only|since)\b[^,;]{0,80})?\s*(?:\([^)]*\))?\s*[.!]*$`;
export const TERM = '(?:`[^`]{1,200}`|"[^"]{1,100}"|“[^”]{1,100}”|\'[^\']{1,100}\'|[^\\s`",;“”]+)';
export const PATH = String.raw`(?<path>\x60[^\x60\s]{1,400}\x60|"[^"\s]{1,400}"|[\w@~./+-]+)`;
