import { happenIn, named, type Facts } from '../board/deciding.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { refOfFinding } from './state.ts';
import type { Happening } from '../messages/catalogue.ts';

type Why = { readonly reason: string; readonly priority: 'high' | 'normal'; /** The GOLD it was backed up for. */ readonly gold: string | null };

/** PAD-12: being built upon is a reason to protect: what changed on the scratchpad since it was last backed up goes on the log once more. */
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
