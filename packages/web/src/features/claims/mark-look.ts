import { classOf, type Claim, type Mark } from '@yarnboard/domain';
import { Check, CircleHelp, History, Swords, X, type LucideIcon } from 'lucide-react';
import type { Tone } from '../../ui/badge.tsx';
import { momentText } from '../../ui/wording.ts';

export type MarkLook = { readonly tone: Tone; readonly icon: LucideIcon; readonly word: string };

/** A mark's word and icon, the same everywhere. */
export const lookOfMark = ({ verification, was, isDisputed, at }: Mark): MarkLook => {
  if (isDisputed) return { tone: 'warn', icon: Swords, word: 'disputed' };
  if (was !== null) return { tone: 'plain', icon: History, word: `was ${was}${at === null ? '' : ` at ${momentText(at)}`}` };
  return LOOKS[verification];
};

const LOOKS = {
  confirmed: { tone: 'good', icon: Check, word: 'confirmed' },
  contradicted: { tone: 'bad', icon: X, word: 'contradicted' },
  unverified: { tone: 'plain', icon: CircleHelp, word: 'unverified' },
} as const satisfies Record<Mark['verification'], MarkLook>;

export const shareText = (share: number | null): string => (share === null ? 'none' : share.toFixed(2));

/** "Config value" for config_value. */
export const typeTitle = (type: string): string => `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll('_', ' ')}`;

/** The kind of claim; null for words that someone picked by hand. */
export const kindOfClaim = ({ words, type }: Pick<Claim, 'words' | 'type'>): string | null =>
  words === null ? 'Whole exchange' : type === null ? null : classOf(type) === 'judgement' ? `${typeTitle(type)} (judgement)` : typeTitle(type);
