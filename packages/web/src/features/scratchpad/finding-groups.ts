import { pendingFindings, refOfFinding, standingFindings, type Finding, type FindingStatus, type Scratchpad } from '@yarnboard/domain';

export type GroupId = 'pending' | 'confirmed' | 'rejected' | 'superseded';

export type FindingGroup = { readonly id: GroupId; readonly findings: readonly Finding[] };

/** PAGE-102: every finding is in exactly one group. Pending ones are listed oldest first, all others newest first. */
export const groupsOf = (scratchpad: Scratchpad): readonly FindingGroup[] => [
  { id: 'pending', findings: pendingFindings(scratchpad) },
  { id: 'confirmed', findings: standingFindings(scratchpad).toReversed() },
  { id: 'rejected', findings: latest(scratchpad, ({ status, supersededBy }) => status === 'rejected' && supersededBy === null) },
  { id: 'superseded', findings: latest(scratchpad, ({ supersededBy }) => supersededBy !== null) },
];

/** PAGE-177: a finding under review stays in its group until that is over, so that its form doesn't vanish when somebody else reviews it. */
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

/** PAD-7: references to the finding it revises, to its replacement, to pending revisions, and to the first finding that says the same. */
export type Revised = {
  readonly before: string | null;
  readonly after: string | null;
  readonly waiting: readonly string[];
  /** PAD-21: the first finding that says the same. */
  readonly same: string | null;
};

/** By finding id; leaves out findings that aren't related to another. */
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
