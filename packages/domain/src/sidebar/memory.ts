import type { Board } from '../board/state.ts';
import type { Sidebar } from './state.ts';
import type { Origin } from '../messages/values.ts';

/** A stretch of memory: a branch of a session, or what was said in a sidebar, each up to a position of the log. */
export type Segment =
  | { readonly kind: 'session'; readonly sessionId: string; readonly leafUuid: string | null; readonly upTo: number }
  | { readonly kind: 'local'; readonly sidebarId: string; readonly upTo: number };

/**
 * MEM-2: what a sidebar has inherited, oldest first. It is followed from place to place, in as many steps as sidebars are nested, however much was
 * said in them; and since every step ends at a position, nothing later ever gets in.
 */
export const inheritedBy = (board: Board, sidebar: Sidebar): readonly Segment[] => {
  const segments: Segment[] = [];
  let origin: Origin = sidebar.origin;
  let limit = sidebar.position;
  // A log that was tampered with may have a cycle of parents.
  for (const seen = new Set<string>([sidebar.id]); ;) {
    if (origin.kind === 'none') break;
    const upTo = Math.min(limit, origin.upTo ?? limit);
    if (origin.kind === 'session') {
      segments.push({ kind: 'session', sessionId: origin.sessionId, leafUuid: origin.leafUuid, upTo });
      break;
    }
    const above = board.sidebars.get(origin.sidebarId);
    if (above === undefined || seen.has(above.id)) break;
    seen.add(above.id);
    segments.push({ kind: 'local', sidebarId: above.id, upTo });
    // A branch point may precede the beginning of the parent sidebar: then it inherits nothing of that, and from further up only what existed by
    // then.
    limit = Math.min(upTo, above.position);
    ({ origin } = above);
  }
  return segments.reverse();
};

/** MEM-3: what happened in the sidebar itself. */
export const localTo = (sidebar: Sidebar): Segment => ({ kind: 'local', sidebarId: sidebar.id, upTo: Number.MAX_SAFE_INTEGER });
