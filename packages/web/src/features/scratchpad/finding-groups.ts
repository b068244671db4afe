import { pendingFindings, standingFindings, type Finding, type Scratchpad } from '@yarnboard/domain';

export type GroupId = 'pending' | 'confirmed' | 'rejected' | 'superseded';

export type FindingGroup = { readonly id: GroupId; readonly findings: readonly Finding[] };

/** PAGE-102: every finding is in one group. What waits comes in the order in which it came; of the rest the latest comes first. */
export const groupsOf = (scratchpad: Scratchpad): readonly FindingGroup[] => [
  { id: 'pending', findings: pendingFindings(scratchpad) },
  { id: 'confirmed', findings: standingFindings(scratchpad).toReversed() },
  { id: 'rejected', findings: latest(scratchpad, ({ status, supersededBy }) => status === 'rejected' && supersededBy === null) },
  { id: 'superseded', findings: latest(scratchpad, ({ supersededBy }) => supersededBy !== null) },
];

const latest = ({ findings }: Scratchpad, wanted: (finding: Finding) => boolean): readonly Finding[] => findings.filter(wanted).toReversed();
