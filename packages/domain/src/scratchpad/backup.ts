import { happenIn, named, type Facts } from '../board/deciding.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { refOfFinding } from './state.ts';
import type { Happening } from '../messages/catalogue.ts';

/** PAD-12: being built upon is a reason to protect: what changed on the scratchpad since it was last backed up goes on the log once more. */
export const backUp = (facts: Facts, sidebar: Sidebar, reason: string, priority: 'high' | 'normal'): Happening =>
  happenIn(facts, sidebar, 'scratchpad.backed_up', {
    reason,
    priority,
    findings: sidebar.scratchpad.findings
      .filter(({ changedPosition }) => changedPosition > (sidebar.scratchpad.backups.at(-1)?.position ?? 0))
      .map((finding) => ({
        ref: refOfFinding(named(sidebar), finding),
        content: finding.content,
        status: finding.status,
        sourceRefs: finding.sourceRefs,
      })),
  });
