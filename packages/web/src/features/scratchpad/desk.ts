import type { Checks, Finding, FindingStatus, Sidebar } from '@yarnboard/domain';
import { useCallback, useMemo, useState } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { useTries, type Tries } from '../../shared/tries.ts';

export type Judgement = {
  readonly status: FindingStatus;
  readonly notes: string;
  readonly checks: Checks;
  /** PAGE-177: the status when the review began, so that nobody unknowingly overrides someone else's review. */
  readonly seen: FindingStatus;
};

/** The one open form, on a finding or a conflict. */
export type OpenForm =
  | { readonly kind: 'judge'; readonly id: string; readonly status: FindingStatus; readonly seen: FindingStatus }
  | { readonly kind: 'annotate' | 'settle'; readonly id: string };

/** What the curator and the participants can do with the findings of one scratchpad. */
export type Desk = Pick<Tries, 'sending' | 'refusals'> & {
  readonly open: OpenForm | null;
  readonly show: (form: OpenForm | null) => void;
  readonly judge: (finding: Finding, judgement: Judgement) => Promise<boolean>;
  readonly annotate: (finding: Finding, note: string) => Promise<boolean>;
  readonly settle: (conflict: string, notes: string) => Promise<boolean>;
};

export const useDesk = (sidebar: Sidebar): Desk => {
  const { sending, refusals, run, forget } = useTries();
  const [open, setOpen] = useState<OpenForm | null>(null);
  const { send: sendJudgement } = useCommand('scratchpad_entry_validated');
  const { send: sendNote } = useCommand('scratchpad_annotate');
  const { send: sendSettlement } = useCommand('conflict_resolve');

  const show = useCallback(
    (form: OpenForm | null) => {
      if (form !== null) forget(form.id);
      setOpen(form);
    },
    [forget],
  );

  // The form closes at once, because the page already shows its effect. If the command is refused, the form reopens with its text.
  const attempt = useCallback(
    async (form: OpenForm, send: Parameters<Tries['run']>[1]) => {
      setOpen(null);
      const isDone = await run(form.id, send);
      if (!isDone) setOpen((shown) => shown ?? form);
      return isDone;
    },
    [run],
  );

  const judge = useCallback(
    ({ id }: Finding, { status, notes, checks, seen }: Judgement) => {
      const said = notes.trim() === '' ? undefined : notes.trim();
      const known = Object.fromEntries(Object.entries(checks).filter(([, check]) => check !== null));
      return attempt({ kind: 'judge', id, status, seen }, () =>
        sendJudgement(
          { sidebarId: sidebar.id, entryId: id, status, validationNotes: said, seenStatus: seen, ...known },
          { proposal: { type: 'finding.validate', sidebar: sidebar.id, finding: id, status, notes: said, checks: known, seen } },
        ),
      );
    },
    [attempt, sendJudgement, sidebar.id],
  );

  const annotate = useCallback(
    ({ id }: Finding, note: string) =>
      attempt({ kind: 'annotate', id }, () =>
        sendNote({ sidebarId: sidebar.id, entryId: id, note }, { proposal: { type: 'finding.annotate', sidebar: sidebar.id, finding: id, note } }),
      ),
    [attempt, sendNote, sidebar.id],
  );

  const settle = useCallback(
    (conflict: string, notes: string) =>
      attempt({ kind: 'settle', id: conflict }, () =>
        sendSettlement(
          { sidebarId: sidebar.id, conflictId: conflict, notes },
          { proposal: { type: 'conflict.resolve', sidebar: sidebar.id, conflict, notes } },
        ),
      ),
    [attempt, sendSettlement, sidebar.id],
  );

  return useMemo(() => ({ sending, refusals, open, show, judge, annotate, settle }), [sending, refusals, open, show, judge, annotate, settle]);
};
