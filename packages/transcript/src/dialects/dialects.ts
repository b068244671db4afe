import { claudeCode } from './claude-code/claude-code.ts';
import { pricesOf, type Dialects } from '../dialect.ts';

/** The dialects that are read where nobody says otherwise. */
export const DIALECTS: Dialects = [claudeCode];

export const DEFAULT_PRICES = pricesOf(DIALECTS);
