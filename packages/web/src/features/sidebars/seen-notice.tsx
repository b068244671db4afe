import type { Sidebar } from '@yarnboard/domain';
import { RefreshCw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Sight } from './sight.ts';

/** PAGE-91: the sidebar changed after the dialog opened; approving is blocked until the user has seen the change. */
export const SeenNotice = ({ sidebar, sight }: { readonly sidebar: Sidebar; readonly sight: Sight }) =>
  sight.isNewer ? (
    <div role="status">
      <Notice
        tone="warn"
        icon={RefreshCw}
        action={
          <Button size="small" onClick={() => sight.look(sidebar.lastPosition)}>
            Continue
          </Button>
        }
      >
        {sidebar.ref} changed since you opened this. Check the updated version below.
      </Notice>
    </div>
  ) : null;
