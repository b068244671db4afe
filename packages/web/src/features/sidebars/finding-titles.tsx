import { findingNamed } from '@yarnboard/domain';
import { useCallback, type ReactNode } from 'react';
import { useBoard } from '../../live/hooks.tsx';
import { inShort } from '../../shared/reference-gist.tsx';
import { ReferenceTitles } from '../../ui/reference-titles.ts';

/** PAGE-643: findings by their first words instead of their number. */
export const FindingTitles = ({ refs, children }: { readonly refs: readonly string[]; readonly children: ReactNode }) => {
  const named = refs.filter(isFinding);
  const titles = useBoard((board) => named.map((ref) => findingNamed(board, ref)?.finding.content ?? null), [named.join()]);
  const known = named.join('\n');
  const words = titles.map((title) => (title === null ? '' : inShort(title, MOST))).join('\n');
  const titleOf = useCallback(
    (ref: string): string | null => {
      const at = known.split('\n').indexOf(ref);
      const title = at === -1 ? '' : (words.split('\n')[at] ?? '');
      return title === '' ? null : `“${title}”`;
    },
    [known, words],
  );
  return named.length === 0 ? children : <ReferenceTitles value={titleOf}>{children}</ReferenceTitles>;
};

export const isFinding = (ref: string): boolean => /^SCRATCH-\d+:FINDING-\d+$/u.test(ref);

const MOST = 60;
