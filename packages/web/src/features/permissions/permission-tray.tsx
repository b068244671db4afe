import { ShieldQuestion } from 'lucide-react';
import { useState } from 'react';
import { Count } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PermissionRequests } from './permission-requests.tsx';
import { isOpen, usePermissions } from './permissions.ts';

/** PAGE-313: part of every view's frame while any request is open. */
export const PermissionTray = () => {
  const { data } = usePermissions();
  const [isShown, setIsShown] = useState(false);
  const open = data?.items.filter(isOpen).length ?? 0;
  if (open === 0 && !isShown) return null;
  return (
    <>
      <button type="button" className="permission-tray" onClick={() => setIsShown(true)}>
        <ShieldQuestion aria-hidden />
        <span className="permission-tray-word">Permissions </span>
        <Count of={open} />
      </button>
      <Dialog isOpen={isShown} onClose={() => setIsShown(false)} title="Permission requests" size="wide">
        {open === 0 ? <p className="soft">Nothing to answer.</p> : null}
        <PermissionRequests requests={data?.items ?? []} />
      </Dialog>
    </>
  );
};
