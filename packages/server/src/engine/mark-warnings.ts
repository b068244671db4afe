import {
  findingOf,
  goldOf,
  refOfFinding,
  restingOnContradicted,
  sidebarIdOfContext,
  type Board,
  type MergePackage,
  type Recorded,
  type Sidebar,
} from '@yarnboard/domain';

/** CLAIM-12: warns those who make, validate or approve something based on what was contradicted here. */
export const restsOnContradicted = (board: Board, events: readonly Recorded[]): readonly string[] =>
  events.flatMap((event) => {
    const sidebar = board.sidebars.get(sidebarIdOfContext(event.contextId) ?? '');
    const resting = sidebar === undefined || sidebar.claims.length === 0 ? null : restingIn(board, sidebar, event);
    if (sidebar === undefined || resting === null) return [];
    const wrong = restingOnContradicted(board, sidebar, resting.refs, event.at);
    return wrong.length === 0
      ? []
      : [`${resting.name} rests on ${wrong.join(', ')}, which ${wrong.length === 1 ? 'was' : 'were'} contradicted in ${sidebar.ref}`];
  });

type Resting = { readonly name: string; readonly refs: readonly string[] };

const restingIn = (board: Board, sidebar: Sidebar, event: Recorded): Resting | null => {
  if (event.type === 'finding.submitted') return ofFinding(sidebar, event.uuid);
  if (event.type === 'finding.validated') return event.payload.status === 'confirmed' ? ofFinding(sidebar, event.payload.finding) : null;
  if (event.type === 'gold.created') return ofGold(board, event.uuid);
  if (event.type === 'gold.validated') return event.payload.status === 'confirmed' ? ofGold(board, event.payload.gold) : null;
  if (event.type === 'sidebar.consolidated' || event.type === 'sidebar.merged') return ofPackage(event.payload.package);
  return event.type === 'merge.checked' && event.payload.isFit && sidebar.merge !== null ? ofPackage(sidebar.merge.package) : null;
};

const ofFinding = (sidebar: Sidebar, id: string): Resting | null => {
  const finding = findingOf(sidebar.scratchpad, id);
  return finding === null ? null : { name: refOfFinding(sidebar.ref, finding), refs: finding.sourceRefs };
};

const ofGold = (board: Board, id: string): Resting | null => {
  const gold = goldOf(board, id);
  return gold === null ? null : { name: gold.ref, refs: gold.sourceRefs };
};

const ofPackage = ({ keyFindings, goldCandidates }: MergePackage): Resting => ({
  name: 'the merge package',
  refs: [...keyFindings, ...goldCandidates],
});
