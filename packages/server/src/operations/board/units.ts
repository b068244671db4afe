import {
  fileKey,
  linked,
  linkKey,
  sidebarIdOfContext,
  sidebarOf,
  type Board,
  type Context,
  type Gold,
  type LinkKind,
  type Sidebar,
} from '@yarnboard/domain';

/** SEC-15: the tables whose rows are sent to clients. Nobody learns who has which token, not even by its hash. */
export type ToldTable = Exclude<
  keyof Board,
  | 'tokens'
  | 'loads'
  | 'requests'
  | 'asked'
  | 'equipment'
  | 'seatRuns'
  | 'turnRows'
  | 'rosters'
  | 'permissions'
  | 'permissionRules'
  | 'validations'
  | 'validationConfig'
  | 'autoMergeConfig'
  | 'taskTypes'
  | 'mergeRecords'
  | 'confidences'
  | 'sessionLabels'
>;

export type Told = { readonly [T in ToldTable]: Map<string, unknown> };

export const emptyTold = (): Told => ({
  sidebars: new Map(),
  agents: new Map(),
  golds: new Map(),
  citations: new Map(),
  media: new Map(),
  episodes: new Map(),
  ids: new Map(),
  notices: new Map(),
  interventions: new Map(),
  links: new Map(),
});

/** Rows that are sent together, so that a client with one of them can fold the events that follow. `near` lists the sidebars they name. */
export type Unit = { readonly rows: Told; readonly near: ReadonlySet<string>; readonly characters: number };

/** A sidebar with everything created in it or based on it. */
export const sidebarUnit = (board: Board, sidebar: Sidebar): Unit => {
  const { id, contextId, testGroup, scratchpad } = sidebar;
  const rows = emptyTold();
  rows.sidebars.set(id, sidebar);
  name(rows, sidebar.ref, id);
  for (const finding of scratchpad.findings) {
    name(rows, finding.ref, finding.id);
    tie(board, rows, 'finding', finding.id);
  }
  const golds = [...sidebar.golds, ...linked(board, 'evidence', id)].flatMap((one) => board.golds.get(one) ?? []);
  for (const gold of golds) addGold(board, rows, gold);
  for (const one of sidebar.citations) addCitation(board, rows, one);
  for (const one of sidebar.media) addMedia(board, rows, one);
  for (const kind of ['episodes', 'waiting', 'evidence'] as const) tie(board, rows, kind, id);
  tie(board, rows, 'surfaced', contextId);
  if (testGroup !== null) tie(board, rows, 'group', testGroup);
  const awaited = (sidebar.waiting?.dependencies ?? []).flatMap((ref) => sidebarOf(board, ref)?.id ?? []);
  for (const one of awaited) tie(board, rows, 'waiting', one);
  for (const { exchange } of sidebar.claims) tie(board, rows, 'marked', exchange);
  addEpisodes(board, rows, id);
  const homes = golds.flatMap(({ createdIn }) => sidebarIdOfContext(createdIn) ?? []);
  return measured(rows, new Set([...relativesOf(board, sidebar), ...awaited, ...homes]));
};

export const goldUnit = (board: Board, gold: Gold): Unit => {
  const rows = emptyTold();
  addGold(board, rows, gold);
  return measured(rows, new Set());
};

export const citationUnit = (board: Board, id: string): Unit => {
  const rows = emptyTold();
  addCitation(board, rows, id);
  return measured(rows, new Set());
};

/** The sidebars that this one came from, leads to or is compared with. */
const relativesOf = (board: Board, sidebar: Sidebar): readonly string[] => [
  ...[sidebar.parent, sidebar.mergeTarget, sidebar.mergedInto].flatMap(sidebarIn),
  ...sidebar.children,
  ...(sidebar.forkedFrom === null ? [] : [sidebar.forkedFrom]),
  ...sidebar.forkedInto,
  ...linked(board, 'waiting', sidebar.id),
  ...(sidebar.testGroup === null ? [] : linked(board, 'group', sidebar.testGroup)),
];

const sidebarIn = (context: Context | null): readonly string[] => (context?.kind === 'sidebar' ? [context.sidebarId] : []);

const addGold = (board: Board, rows: Told, gold: Gold): void => {
  addNamed(board, rows, 'golds', gold.id);
  tie(board, rows, 'episodes', gold.id);
  addEpisodes(board, rows, gold.id);
};

const addEpisodes = (board: Board, rows: Told, of: string): void => {
  for (const id of linked(board, 'episodes', of)) {
    const episode = board.episodes.get(id);
    if (episode !== undefined) rows.episodes.set(id, episode);
  }
};

/** CITE-9: if a file is included, so is the fact that it is known. */
const addCitation = (board: Board, rows: Told, id: string): void => {
  addNamed(board, rows, 'citations', id);
  const source = board.citations.get(id)?.source;
  if (source?.kind === 'file' && source.hash !== null) tie(board, rows, 'file', fileKey(source.hash));
};

const addMedia = (board: Board, rows: Told, id: string): void => {
  addNamed(board, rows, 'media', id);
  const hash = board.media.get(id)?.sha256 ?? null;
  if (hash !== null) tie(board, rows, 'file', fileKey(hash));
};

const addNamed = (board: Board, rows: Told, table: 'golds' | 'citations' | 'media', id: string): void => {
  const row = board[table].get(id);
  if (row === undefined) return;
  rows[table].set(id, row);
  name(rows, row.ref, id);
};

const name = (rows: Told, ref: string, id: string): void => {
  if (ref !== '') rows.ids.set(ref, id);
};

const tie = (board: Board, rows: Told, kind: LinkKind, of: string): void => {
  const key = linkKey(kind, of);
  const row = board.links.get(key);
  if (row !== undefined) rows.links.set(key, row);
};

const measured = (rows: Told, near: ReadonlySet<string>): Unit => ({
  rows,
  near,
  characters: Object.values(rows).reduce((sum, table) => sum + (table.size === 0 ? 0 : JSON.stringify([...table]).length), 0),
});
