import type { ListedSession } from '../../shared/projects.ts';

/** What the operator keeps about a session. */
export type Labels = NonNullable<ListedSession['labels']>;
export const NO_LABELS: Labels = { pinned: false, hidden: false, name: null, note: null, tags: [] };
