import { printableLine } from '@yarnboard/transcript';
import type { OutputOf } from '@yarnboard/protocol';
import { fieldLines, minute } from './sidebar.ts';
import { validationLines } from './validation.ts';

type Claim = OutputOf<'claim'>;
type Marked = Pick<Claim, 'verification' | 'was' | 'disputed' | 'marked_at'>;

/** The sign of a mark and its word, so that the sign is optional. */
export const markWords = ({ verification, was, disputed, marked_at: at }: Marked): string => {
  const aged = was === null ? '' : `, was ${was}${at === null ? '' : ` at ${minute(at)}`}`;
  return `${SIGNS[verification]} ${disputed ? 'disputed' : `${verification}${aged}`}`;
};

const SIGNS = { confirmed: '✓', contradicted: '✗', unverified: '?' } as const;

/** A claim as one row: what is claimed, its status, who said so. */
export const claimRow = (one: Claim): readonly string[] => [
  one.claim_id,
  markWords(one),
  one.words ?? `${one.exchange_id ?? 'forgotten'} as a whole`,
  one.effective_confidence.toFixed(2),
  one.marked_by.join(', '),
];

export const printClaim = (one: Claim): string => {
  const fields = [
    ['claim', one.words ?? (one.exchange_id === null ? 'forgotten' : `${one.exchange_id} as a whole`)],
    ['in', [one.exchange_id ?? '', ...one.message_ids].filter((ref) => ref !== '').join(', ')],
    ['type', one.type === null ? '' : `${one.type} (${one.class ?? ''})`],
    ['said by', one.said_by.join(', ')],
    ['mark', markWords(one)],
    [
      'confidence',
      `${shareOf(one.original_confidence)} said, ${shareOf(one.local_confidence)} here, counts as ${one.effective_confidence.toFixed(2)}`,
    ],
  ] as const;
  const voices = [...one.judgements, ...(one.settlement === null ? [] : [one.settlement])].map((voice) =>
    printableLine(
      `  ${minute(voice.at)}  ${voice.by}: ${voice.verification} (${shareOf(voice.confidence)}${voice.assumed ? ', assumed' : ''})${voice.notes === null ? '' : `: ${voice.notes}`}${voice.evidence.length === 0 ? '' : ` [${voice.evidence.join(', ')}]`}`,
    ),
  );
  const checked = one.validation === null ? [] : validationLines(one.validation);
  const others = one.elsewhere.map((other) => printableLine(`  ${markWords(other)} in ${other.sidebar_id}; it counts for nothing here`));
  return `${[printableLine(one.claim_id), ...fieldLines(fields), ...voices, ...checked, ...others].join('\n')}\n`;
};

const shareOf = (share: number | null): string => (share === null ? 'unknown' : share.toFixed(2));
