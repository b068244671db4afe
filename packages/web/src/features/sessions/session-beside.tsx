import { PanelRightOpen } from 'lucide-react';
import { useEffect } from 'react';
import { useBoard } from '../../live/hooks.tsx';
import { LISTED, useBeside } from '../../shared/beside.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/wording.ts';
import { sidebarsOf, type SessionSidebar } from './session-sidebars.ts';

/** PAGE-601: `]` opens the session's first sidebar next to it, `[` the last; from then on the panel handles the keys. */
export const useFirstBeside = (all: readonly SessionSidebar[]): void => {
  const beside = useBeside();
  useEffect(() => {
    if (beside === null || beside.shown !== null || all.length === 0) return undefined;
    const listen = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;
      if (event.defaultPrevented || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = event.key === ']' ? all[0] : event.key === '[' ? all.at(-1) : undefined;
      if (next === undefined) return;
      event.preventDefault();
      beside.open(next.sidebar.ref === '' ? next.sidebar.id : next.sidebar.ref);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [beside, all]);
};

/** PAGE-602: the session's sidebars, for views of it that have no sidebar list of their own. */
export const SidebarsBeside = ({ sessionId }: { readonly sessionId: string }) => {
  const all = useBoard((board) => sidebarsOf(board, sessionId), [sessionId]);
  const beside = useBeside();
  useFirstBeside(all);
  if (beside === null || all.length === 0) return null;
  return (
    <Button variant="quiet" icon={PanelRightOpen} onClick={() => beside.open(LISTED)}>
      {counted(all.length, 'sidebar')}
    </Button>
  );
};
