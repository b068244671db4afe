import { HandHelping } from 'lucide-react';
import { Notice } from '../ui/notice.tsx';
import { nameOf } from './names.ts';

/** PAGE-104: the human who does what an agent is there for is told so before. */
export const InterventionNote = ({ instead }: { readonly instead: string | null }) =>
  instead === null ? null : (
    <Notice tone="warn" icon={HandHelping}>
      This is <strong>{nameOf(instead)}</strong>’s job. If you do it, it counts as an intervention.
    </Notice>
  );
