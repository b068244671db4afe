import type { InsideOutput } from '@yarnboard/protocol';

type Told = InsideOutput<'reference'>;

/** The page address of what a reference stands for; null for things that have no place of their own and are shown alone. */
export const placeOfReference = ({ id, kind, createdIn, message, thing }: Told): string | null => {
  if (message !== null) return placeOfMessage({ sessionId: createdIn, agentId: message.agentId, ref: message.ref, uuid: message.uuid });
  switch (kind) {
    case 'SB':
      return `/sidebars/${id}`;
    case 'GOLD':
      return `/gold?show=${id}`;
    case 'CLAIM':
    case 'CHECKPOINT':
    case 'CONFLICT':
    case 'EPISODE':
      return placeOfItem(id);
    case 'SCRATCH':
      return placeOfFinding(id);
    case 'FRAG': {
      const entry = thing?.['entry_id'];
      return typeof entry === 'string' ? placeOfFinding(entry) : null;
    }
    default:
      return null;
  }
};

export type MessagePlace = {
  /** The id of a session, or the SB-n of a sidebar. */
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly ref: string | null;
  readonly uuid: string | null;
};

export const placeOfMessage = ({ sessionId, agentId, ref, uuid }: MessagePlace): string => {
  // An operation is shown in the message it belongs to.
  const at = ref?.replace(/#\d+$/u, '') ?? uuid;
  const query = new URLSearchParams({ ...(at === null ? {} : { at }), ...(agentId === null ? {} : { thread: agentId }) });
  const place = isSidebar(sessionId) ? `/sidebars/${sessionId}` : `/sessions/${encodeURIComponent(sessionId)}`;
  return query.size === 0 ? place : `${place}?${query.toString()}`;
};

/**
 * SB-4:CHECKPOINT-1, SB-4:CLAIM-1, SB-4:CONFLICT-1 or SB-4:EPISODE-1. An episode of a GOLD without a sidebar is shown with the GOLD. An episode of a
 * single kept message has no place (null).
 */
const placeOfItem = (ref: string): string | null => {
  const [owner = '', item = ''] = ref.split(':');
  const [type = '', number = ''] = item.toLowerCase().split('-');
  if (!isSidebar(owner)) return owner.startsWith('GOLD-') ? `/gold?show=${owner}` : null;
  const query = new URLSearchParams({ tab: TABS[type] ?? 'checkpoints', [type]: number });
  return `/sidebars/${owner}?${query.toString()}`;
};

const TABS: Readonly<Record<string, string>> = { claim: 'claims', conflict: 'scratchpad' };

/** SCRATCH-4 or SCRATCH-4:FINDING-2. */
const placeOfFinding = (ref: string): string => {
  const [scratchpad = '', finding] = ref.split(':');
  const query = new URLSearchParams({ tab: 'scratchpad', ...(finding === undefined ? {} : { finding: ref }) });
  return `/sidebars/${scratchpad.replace('SCRATCH-', 'SB-')}?${query.toString()}`;
};

export const isSidebar = (contextId: string): boolean => /^SB-\d+$/u.test(contextId);
