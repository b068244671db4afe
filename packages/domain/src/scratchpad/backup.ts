import { happenIn, named, type Facts } from '../board/deciding.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { refOfFinding } from './state.ts';
import type { Happening } from '../messages/catalogue.ts';

type Why = { readonly reason: string; readonly priority: 'high' | 'normal'; /** The GOLD it was backed up for. */ readonly gold: string | null };

/** PAD-12: work that others build on is protected: what changed on the scratchpad since the last backup is logged once more. */
export const backUp = (facts: Facts, sidebar: Sidebar, { reason, priority, gold }: Why): Happening =>
  happenIn(facts, sidebar, 'scratchpad.backed_up', {
    reason,
    priority,
    gold,
    findings: sidebar.scratchpad.findings
      .filter(({ changedPosition }) => changedPosition > (sidebar.scratchpad.backups.at(-1)?.position ?? 0))
      .map((finding) => ({
        ref: refOfFinding(named(sidebar), finding),
        content: finding.content,
        status: finding.status,
        sourceRefs: finding.sourceRefs,
      })),
  });
