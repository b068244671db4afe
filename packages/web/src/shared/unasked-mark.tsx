import { ShieldOff } from 'lucide-react';
import { useAsk } from '../live/hooks.tsx';
import { Badge } from '../ui/badge.tsx';

/** PAGE-411: marks a session wherever it is listed while its run never asks for permission. */
export const UnaskedMark = ({ sessionId }: { readonly sessionId: string }) =>
  useUnasked().has(sessionId) ? (
    <Badge tone="bad" icon={ShieldOff} title="Claude runs any command and changes any file here without asking.">
      never asks
    </Badge>
  ) : null;

/** The sessions of such runs. */
const useUnasked = (): ReadonlySet<string> => {
  const { data } = useAsk('runs', { ended: 'false', limit: 200 }, { everyMs: LOOK });
  return new Set(data?.items.flatMap(({ permissionMode, sessionId }) => (permissionMode === 'bypassPermissions' ? [sessionId] : [])));
};

const LOOK = 5000;
