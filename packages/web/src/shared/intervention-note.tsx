import { HandHelping } from 'lucide-react';
import { Notice } from '../ui/notice.tsx';
import { nameOf } from './names.ts';

/** PAGE-104: a human about to do an agent's job is told so first. */
export const InterventionNote = ({ instead }: { readonly instead: string | null }) =>
  instead === null ? null : (
    <Notice tone="warn" icon={HandHelping}>
      This is <strong>{nameOf(instead)}</strong>’s job. If you do it, it counts as an intervention.
    </Notice>
  );
