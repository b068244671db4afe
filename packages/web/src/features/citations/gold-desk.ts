import type { FindingStatus, Gold } from '@yarnboard/domain';
import { useCallback, useMemo, useState } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { useTries, type Tries } from '../../shared/tries.ts';

/** PAGE-177: `seen` is the status when the review began. */
type OpenJudgement = { readonly id: string; readonly status: FindingStatus; readonly seen: FindingStatus };

export type GoldWord = { readonly status: FindingStatus; readonly notes: string; readonly seen: FindingStatus };

/** Reviews the GOLD of a list. */
export type GoldDesk = Pick<Tries, 'sending' | 'refusals'> & {
  readonly open: OpenJudgement | null;
  readonly show: (form: OpenJudgement | null) => void;
  readonly judge: (gold: Gold, word: GoldWord) => Promise<boolean>;
};

export const useGoldDesk = (): GoldDesk => {
  const { sending, refusals, run, forget } = useTries();
  const [open, setOpen] = useState<OpenJudgement | null>(null);
  const { send } = useCommand('gold_validated');
  const show = useCallback(
    (form: OpenJudgement | null) => {
      if (form !== null) forget(form.id);
      setOpen(form);
    },
    [forget],
  );
  const judge = useCallback(
    async ({ id, ref }: Gold, { status, notes, seen }: GoldWord) => {
      const said = notes.trim() === '' ? undefined : notes.trim();
      setOpen(null);
      const isDone = await run(id, () =>
        send(
          { goldId: ref, status, validationNotes: said, seenStatus: seen },
          { proposal: { type: 'gold.validate', gold: id, status, notes: said, seen } },
        ),
      );
      if (!isDone) setOpen((shown) => shown ?? { id, status, seen });
      return isDone;
    },
    [run, send],
  );
  return useMemo(() => ({ sending, refusals, open, show, judge }), [sending, refusals, open, show, judge]);
};
