import type { FindingStatus, Gold } from '@yarnboard/domain';
import { useCallback, useMemo, useState } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { useTries, type Tries } from '../scratchpad/tries.ts';

type OpenJudgement = { readonly id: string; readonly status: FindingStatus };

/** What is done with the waypoints of a list. */
export type GoldDesk = Pick<Tries, 'sending' | 'refusals'> & {
  readonly open: OpenJudgement | null;
  readonly show: (form: OpenJudgement | null) => void;
  readonly judge: (gold: Gold, status: FindingStatus, notes: string) => Promise<boolean>;
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
    async ({ id, ref }: Gold, status: FindingStatus, notes: string) => {
      const said = notes.trim() === '' ? undefined : notes.trim();
      setOpen(null);
      const isDone = await run(id, () =>
        send({ goldId: ref, status, validationNotes: said }, { proposal: { type: 'gold.validate', gold: id, status, notes: said } }),
      );
      if (!isDone) setOpen((shown) => shown ?? { id, status });
      return isDone;
    },
    [run, send],
  );
  return useMemo(() => ({ sending, refusals, open, show, judge }), [sending, refusals, open, show, judge]);
};
