import {
  activeFocus,
  findingNamed,
  formatRef,
  goldOf,
  inheritedBy,
  isEnded,
  itemNamed,
  linked,
  parseRef,
  refOfFinding,
  relevanceScores,
  rowsOf,
  scratchpadRefOf,
  sidebarIdOfContext,
  sidebarOf,
  standingOfEpisode,
  type Board,
  type ChainedEntry,
  type Episode,
  type Ref,
  type Sidebar,
} from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import type { Engine } from '../../engine/engine.ts';
import { exchangeAt, isInheritedBy } from '../../engine/memory.ts';
import { timeOf } from '../../sessions/session-view.ts';
import { instantOf } from '../request/cursor.ts';
import { foundSidebar } from '../request/find-sidebar.ts';
import { refusedFor } from '../request/refusal.ts';
import { inheritedView } from './claim-views.ts';
import { wordsIn, type EpisodeShelf, type EpisodeWish } from './episode-shelf.ts';
import { episodeView } from './item-views.ts';
import { namesOf } from './names.ts';
import { thingOf } from './things.ts';

export type LayersNeeds = { readonly engine: Pick<Engine, 'board' | 'memory'>; readonly now: () => number };

/** EPI-11: the filters of `episodes`. */
export const episodeWish = (board: Board, input: InputOf<'episodes'>): EpisodeWish => {
  const checkpoint = input.checkpoint_id === undefined ? null : checkpointCalled(board, input);
  return {
    sidebar: input.sidebar_id === undefined ? (checkpoint?.sidebar ?? null) : foundSidebar(board, input.sidebar_id).id,
    checkpoint: checkpoint?.id ?? null,
    trigger: input.reason,
    tag: input.tag,
    isProvisional: input.provisional,
    standing: input.standing,
    since: input.since === undefined ? null : instantOf(input.since),
    until: input.until === undefined ? null : instantOf(input.until, true),
    words: input.words === undefined ? [] : wordsIn(input.words),
  };
};

/** Accepts SB-n:CHECKPOINT-m, CHECKPOINT-m together with a sidebar id, or a uuid. */
const checkpointCalled = (
  board: Board,
  { checkpoint_id: text = '', sidebar_id: of }: InputOf<'episodes'>,
): { readonly id: string; readonly sidebar: string | null } => {
  const read = parseRef(of === undefined || /:/u.test(text) ? text : `${foundSidebar(board, of).ref}:${text}`);
  if (!read.ok) return { id: text, sidebar: null };
  const item = read.value.kind === 'item' ? itemNamed(board, read.value) : null;
  if (item?.type !== 'CHECKPOINT') throw refusedFor('not-on-board', { asked: text });
  return { id: item.checkpoint.id, sidebar: item.sidebar.id };
};

/** MEM-15: which memory layers hold an item, and what each knows of it; without a reference, how much each layer holds. */
export const showLayers = async (needs: LayersNeeds, shelf: EpisodeShelf, { ref: text }: InputOf<'memory'>): Promise<object> => {
  if (text === undefined) return { ...NOTHING, layers: ['log', 'working', 'episodic', 'context'], counts: await countsOf(needs) };
  const read = parseRef(text);
  if (!read.ok) throw refusedFor('not-a-reference', { asked: text, why: read.error.why, wanted: read.error.wanted });
  const board = needs.engine.board();
  const entry = await entryOf(needs, board, read.value);
  if (entry === null) throw refusedFor('not-on-board', { asked: text });
  const ref = nameOf(board, read.value);
  const exchange = await exchangeAt(needs.engine.memory, entry);
  const working = workingOf(board, ref, exchange, entry);
  const episodes = episodesOf(board, shelf, read.value).toSorted((a, b) => b.position - a.position);
  const inheriting = await inheritingOf(needs, board, { ref: read.value, entry, exchange });
  const scratchpads = scratchpadsOf(board, read.value, ref, exchange);
  const layers = [
    'log',
    ...(working === null ? [] : ['working']),
    ...(episodes.length === 0 ? [] : ['episodic']),
    ...(inheriting.length + scratchpads.length === 0 ? [] : ['context']),
  ];
  return {
    ...NOTHING,
    ref,
    layers,
    log: {
      seq: entry.position,
      type: entry.type,
      timestamp: timeOf(entry.timestamp),
      sender: entry.sender,
      contextId: namesOf(board).context(entry.contextId),
      checksum: Buffer.from(entry.checksum).toString('hex'),
      senderConfidence: entry.senderConfidence,
    },
    working,
    episodes: episodes.slice(0, MOST_TOLD).map((episode) => episodeView(board, episode)),
    inheritedBy: inheriting,
    scratchpads,
  };
};

const NOTHING = { ref: null, layers: [], log: null, working: null, episodes: [], inheritedBy: [], scratchpads: [], counts: null };

const entryOf = async ({ engine: { memory }, now }: LayersNeeds, board: Board, ref: Ref): Promise<ChainedEntry | null> => {
  const thing = thingOf(board, ref, now());
  if (thing !== null && 'uuid' in thing) return memory.log.entryByUuid(thing.uuid);
  const position = thing?.position ?? (ref.kind === 'numbered' ? await memory.log.positionOfRef(ref.type, ref.number) : null);
  return position === null ? null : memory.log.entryAt(position);
};

/** A finding has one canonical name, whichever reference was used. */
const nameOf = (board: Board, ref: Ref): string => {
  const found = findingNamed(board, formatRef(ref));
  return found === null ? formatRef(ref.kind === 'numbered' ? { ...ref, part: null } : ref) : refOfFinding(found.sidebar.ref, found.finding);
};

const workingOf = (board: Board, ref: string, exchange: string | null, entry: ChainedEntry): object | null => {
  const home = board.sidebars.get(sidebarIdOfContext(entry.contextId) ?? '');
  const own = home === undefined || isEnded(home.status) ? null : home;
  const set = board.confidences.get(ref);
  const inFocusOf = exchange === null ? [] : openSidebars(board).flatMap((one) => (activeFocus(one).includes(exchange) ? [one.ref] : []));
  if (own === null && set === undefined && inFocusOf.length === 0) return null;
  const confidence =
    set === undefined
      ? null
      : { confidence: set.confidence, was: set.was, reason: set.reason, setBy: set.by, setAt: timeOf(set.at), times: set.times };
  return { sidebarId: own?.ref ?? null, status: own?.status ?? null, inFocusOf: inFocusOf.slice(0, MOST_TOLD), confidence };
};

const openSidebars = (board: Board): readonly Sidebar[] => rowsOf(board.sidebars).filter(({ status }) => !isEnded(status));

const episodesOf = (board: Board, shelf: EpisodeShelf, ref: Ref): readonly Episode[] => {
  const kept = (id: string): readonly Episode[] => linked(board, 'episodes', id).flatMap((one) => board.episodes.get(one) ?? []);
  const name = formatRef(ref);
  const found = findingNamed(board, name);
  if (found !== null) return kept(found.sidebar.id).filter(({ finding }) => finding === found.finding.id);
  if (ref.kind === 'scratch') return kept(sidebarOf(board, `SB-${ref.sidebar}`)?.id ?? '').filter(({ finding }) => finding !== null);
  const item = ref.kind === 'item' ? itemNamed(board, ref) : null;
  if (item?.type === 'EPISODE') return [item.episode];
  if (item?.type === 'CHECKPOINT') return kept(item.sidebar.id).filter(({ sourceCheckpoint }) => sourceCheckpoint === item.checkpoint.id);
  if (ref.kind !== 'numbered') return [];
  if (ref.type === 'MSG' || ref.type === 'EXCH') return shelf.keeping(board, formatRef({ ...ref, part: null }));
  return kept((ref.type === 'GOLD' ? goldOf(board, name)?.id : sidebarOf(board, name)?.id) ?? '');
};

type Asked = { readonly ref: Ref; readonly entry: ChainedEntry; readonly exchange: string | null };

/** Sidebars that inherited it, newest first, with the relevance and mark each gave its exchange. */
const inheritingOf = async ({ engine: { memory }, now }: LayersNeeds, board: Board, { ref, entry, exchange }: Asked): Promise<readonly object[]> => {
  const whole = ref.kind === 'numbered' && ref.type === 'SB' ? sidebarOf(board, formatRef(ref))?.id : undefined;
  if (whole === undefined && (ref.kind !== 'numbered' || (ref.type !== 'MSG' && ref.type !== 'EXCH'))) return [];
  const found: object[] = [];
  for (const sidebar of rowsOf(board.sidebars).toReversed()) {
    if (found.length >= MOST_TOLD) break;
    const isHeir =
      whole === undefined
        ? await isInheritedBy(memory, board, sidebar, entry)
        : inheritedBy(board, sidebar).some((segment) => segment.kind === 'local' && segment.sidebarId === whole);
    if (!isHeir) continue;
    const scores = relevanceScores(sidebar);
    found.push({
      sidebarId: sidebar.ref,
      status: sidebar.status,
      relevance: exchange === null ? null : (scores[exchange] ?? null),
      inFocus: exchange !== null && activeFocus(sidebar).includes(exchange),
      mark: inheritedView(board, sidebar, now())(exchange, null).mark,
    });
  }
  return found;
};

/** The scratchpads that contain it or cite it as evidence. */
const scratchpadsOf = (board: Board, asked: Ref, ref: string, exchange: string | null): readonly string[] => {
  const own = findingNamed(board, formatRef(asked))?.sidebar;
  const names = new Set([ref, ...(exchange === null ? [] : [exchange])]);
  const citing = rowsOf(board.sidebars).filter(({ scratchpad }) =>
    scratchpad.findings.some(({ sourceRefs }) => sourceRefs.some((one) => names.has(one))),
  );
  return [...new Set([...(own === undefined ? [] : [own]), ...citing].map((one) => scratchpadRefOf(one.ref)))].slice(0, MOST_TOLD);
};

const countsOf = async ({ engine }: LayersNeeds): Promise<object> => {
  const board = engine.board();
  const sidebars = rowsOf(board.sidebars);
  const open = openSidebars(board);
  const sum = (of: readonly Sidebar[], count: (sidebar: Sidebar) => number): number => of.reduce((total, one) => total + count(one), 0);
  const standings = { provisional: 0, final: 0, superseded: 0 };
  for (const [, episode] of board.episodes.entries()) standings[standingOfEpisode(episode)] += 1;
  return {
    log: { entries: (await engine.memory.log.head()).count },
    working: {
      sidebars: open.length,
      findings: sum(open, ({ scratchpad }) => scratchpad.findings.length),
      inFocus: sum(open, (one) => activeFocus(one).length),
      confidences: board.confidences.size(),
    },
    episodic: { episodes: board.episodes.size(), ...standings },
    context: {
      inheriting: sidebars.filter(({ origin }) => origin.kind !== 'none').length,
      scratchpads: sidebars.filter(({ scratchpad }) => scratchpad.findings.length > 0).length,
      scored: sum(sidebars, (one) => Object.keys(relevanceScores(one)).length),
      judged: sum(sidebars, ({ claims }) => claims.length),
    },
  };
};

const MOST_TOLD = 200;
