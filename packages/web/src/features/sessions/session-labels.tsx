import { OPERATOR } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import { EyeOff, NotebookPen, Pencil, Pin, PinOff, Eye, type LucideIcon } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useActor, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { refusalWords } from '../../live/refusal.ts';
import { Badge } from '../../ui/badge.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { useToast } from '../../ui/toast.tsx';
import { NO_LABELS, type Labels } from './labels.ts';

const LabelDialog = lazy(async () => ({ default: (await import('./label-dialog.tsx')).LabelDialog }));

type Labelled = { readonly sessionId: string; readonly title: string | null; readonly labels?: Labels | undefined };

/** PAGE-616: a session's actions in lists; none for read-only viewers. The caller places the dialog. */
export const useLabelling = (session: Labelled | undefined): { readonly items: readonly MenuItem[]; readonly dialog: ReactNode } => {
  const isOperator = useActor()?.id === OPERATOR.id;
  const { send } = useCommand('session_label');
  const askAgain = useAskAgain();
  const tell = useToast();
  const [isOpen, setIsOpen] = useState(false);
  if (session === undefined || !isOperator) return { items: [], dialog: null };
  const { sessionId, labels = NO_LABELS } = session;
  const set = async (change: Partial<Pick<Labels, 'pinned' | 'hidden'>>, done: string): Promise<void> => {
    const outcome = await send({ id: sessionId, ...change });
    askAgain('sessions', 'session');
    if (outcome.kind === 'rejected') tell({ tone: 'bad', title: 'Couldn’t change the session', text: refusalWords(outcome) });
    else tell({ tone: 'good', title: done });
  };
  const item = (label: string, icon: LucideIcon, onSelect: () => void): MenuItem => ({ label, icon, onSelect });
  return {
    items: [
      labels.pinned
        ? item('Unpin', PinOff, () => void set({ pinned: false }, 'Session unpinned'))
        : item('Pin', Pin, () => void set({ pinned: true }, 'Session pinned')),
      item('Name, tags and note…', Pencil, () => setIsOpen(true)),
      labels.hidden
        ? item('List again', Eye, () => void set({ hidden: false }, 'Session listed again'))
        : item('Hide from lists', EyeOff, () => void set({ hidden: true }, 'Session hidden')),
    ],
    dialog: isOpen ? (
      <Suspense fallback={null}>
        <LabelDialog session={session} onClose={() => setIsOpen(false)} />
      </Suspense>
    ) : null,
  };
};

/** PAGE-616: the operator's labels for a session, wherever it is listed. */
export const LabelMarks = ({ labels }: { readonly labels: Labels | undefined }) =>
  labels === undefined ? null : (
    <>
      {labels.pinned ? <Badge icon={Pin}>pinned</Badge> : null}
      {labels.hidden ? <Badge icon={EyeOff}>hidden</Badge> : null}
      {labels.tags.map((tag) => (
        <Badge key={tag}>{printableLine(tag)}</Badge>
      ))}
      {labels.note === null ? null : (
        <Badge icon={NotebookPen} title={printableLine(labels.note)}>
          note
        </Badge>
      )}
    </>
  );
