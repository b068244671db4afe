import { Plus } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { useNewSession } from './new-session-context.ts';

/** Renders nothing for users who may not start one. */
export const NewSessionButton = () => {
  const open = useNewSession();
  return open === null ? null : (
    <Button variant="primary" icon={Plus} onClick={open} aria-keyshortcuts="g n" title="New session (g n)">
      New session
    </Button>
  );
};
