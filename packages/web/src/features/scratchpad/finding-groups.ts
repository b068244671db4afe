import { pendingFindings, refOfFinding, standingFindings, type Finding, type FindingStatus, type Scratchpad } from '@yarnboard/domain';

export type GroupId = 'pending' | 'confirmed' | 'rejected' | 'superseded';

export type FindingGroup = { readonly id: GroupId; readonly findings: readonly Finding[] };

/** PAGE-102: every finding is in one group. What waits comes in the order in which it came; of the rest the latest comes first. */
export const groupsOf = (scratchpad: Scratchpad): readonly FindingGroup[] => [
  { id: 'pending', findings: pendingFindings(scratchpad) },
  { id: 'confirmed', findings: standingFindings(scratchpad).toReversed() },
  { id: 'rejected', findings: latest(scratchpad, ({ status, supersededBy }) => status === 'rejected' && supersededBy === null) },
  { id: 'superseded', findings: latest(scratchpad, ({ supersededBy }) => supersededBy !== null) },
];

/** PAGE-177: what is being judged stays where it was when that began: whoever writes there is not left without it when somebody else judges it. */
export const heldIn = (
  groups: readonly FindingGroup[],
  held: { readonly id: string; readonly seen: FindingStatus } | null,
): readonly FindingGroup[] => {
  const now = groups.find(({ findings }) => findings.some(({ id }) => id === held?.id));
  const finding = now?.findings.find(({ id }) => id === held?.id);
  if (held === null || finding === undefined || finding.supersededBy !== null || now?.id === held.seen) return groups;
  return groups.map(({ id, findings }) => {
    if (id !== held.seen) return { id, findings: findings.filter((one) => one !== finding) };
    const sign = id === 'pending' ? 1 : -1;
    return { id, findings: [...findings, finding].toSorted((a, b) => sign * (a.number - b.number)) };
  });
};

const latest = ({ findings }: Scratchpad, wanted: (finding: Finding) => boolean): readonly Finding[] => findings.filter(wanted).toReversed();

/** PAD-7: the references of what a finding revises, of what took its place, of revisions that wait, and of what says the same. */
export type Revised = {
  readonly before: string | null;
  readonly after: string | null;
  readonly waiting: readonly string[];
  /** PAD-21: the first that says the same. */
  readonly same: string | null;
};

/** By the id of the finding; those that have nothing to do with another are not in it. */
export const revisedIn = ({ findings }: Scratchpad, sidebarRef: string): ReadonlyMap<string, Revised> => {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const revisions = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.supersedes === null) continue;
    const others = revisions.get(finding.supersedes);
    if (others === undefined) revisions.set(finding.supersedes, [finding]);
    else others.push(finding);
  }
  const nameOf = (id: string | null): string | null => {
    const finding = id === null ? undefined : byId.get(id);
    return finding === undefined ? null : refOfFinding(sidebarRef, finding);
  };
  return new Map(
    findings.flatMap(({ id, supersedes, supersededBy, sameAs }): readonly (readonly [string, Revised])[] => {
      const waiting = (revisions.get(id) ?? []).filter((revision) => revision.status === 'pending' && revision.id !== supersededBy);
      if (supersedes === null && supersededBy === null && sameAs === null && waiting.length === 0) return [];
      const refs = waiting.map((revision) => refOfFinding(sidebarRef, revision));
      return [[id, { before: nameOf(supersedes), after: nameOf(supersededBy), waiting: refs, same: nameOf(sameAs) }]];
    }),
  );
};
