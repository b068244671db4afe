import { contextIdOfSidebar, inheritedBy, parseRef, sidebarOf, type Board, type Sidebar } from '@yarnboard/domain';
import { isBoardCommand, type Operation } from '@yarnboard/protocol';
import type { Engine } from '../../engine/engine.ts';
import type { Asker } from './asker.ts';
import { refusedFor } from './refusal.ts';

/**
 * RT-23: a seat acts only in its own sidebar. It may look up its pool, what that cites, GOLD and the agents; with the reach `board`, which the
 * operator grants, everything that anyone may read.
 */
export const refuseBeyondReach = async (
  engine: Pick<Engine, 'board' | 'memory'>,
  { seat, actor }: Asker,
  { name, method }: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const board = engine.board();
  const own = board.sidebars.get(seat?.sidebarId ?? '');
  const refuse = (): never => {
    throw refusedFor('out-of-reach', { agent: actor?.id ?? '', sidebar: own?.ref ?? '' });
  };
  if (seat === undefined || own === undefined) return refuse();
  const named = input['sidebar_id'] ?? input['parent_sidebar_id'];
  const isOwn = typeof named === 'string' && sidebarOf(board, named)?.id === own.id;
  // EPI-7: archived memory can be read, so a seat may archive only what it could look up.
  const kept = name === 'memory_archive' ? input['refs'] : name === 'confidence_set' ? [input['about']] : null;
  if (kept !== null) {
    if (named !== undefined && !isOwn) return refuse();
    for (const one of Array.isArray(kept) ? kept : []) if (typeof one !== 'string' || !(await isInPool(engine, board, own, one))) return refuse();
    return undefined;
  }
  if (method === 'POST') return isBoardCommand(name) && (isOwn || (named === undefined && ANYWHERE.has(name))) ? undefined : refuse();
  if (seat.reach === 'board' || FOR_EVERYBODY.has(name)) return undefined;
  if (IN_SIDEBAR.has(name)) return isOwn ? undefined : refuse();
  // TRACE-11: a trace shows only what is within the seat's reach.
  const ends = name === 'trace' && typeof input['ref'] === 'string' ? [...input['ref'].split('..'), input['to'] ?? []].flat() : null;
  if (ends !== null) {
    for (const end of ends) if (typeof end !== 'string' || !(await isInPool(engine, board, own, end))) return refuse();
    return undefined;
  }
  const ref = input['ref'] ?? input['citation_id'] ?? input['media_id'];
  if (BY_REFERENCE.has(name) && typeof ref === 'string' && (await isInPool(engine, board, own, ref))) return undefined;
  return refuse();
};

/** What a caller may see in a trace: null for everything, else whether a reference is within reach. */
export const reachOf = (engine: Pick<Engine, 'board' | 'memory'>, { seat }: Asker): ((ref: string) => Promise<boolean>) | null => {
  if (seat === undefined || seat.reach === 'board') return null;
  const board = engine.board();
  const own = board.sidebars.get(seat.sidebarId);
  const known = new Map<string, Promise<boolean>>();
  return (ref) => {
    const before = known.get(ref);
    if (before !== undefined) return before;
    const found = own === undefined ? Promise.resolve(false) : isInPool(engine, board, own, ref);
    known.set(ref, found);
    return found;
  };
};

/** Whether a reference is in a sidebar's pool, or cited by the sidebar. */
const isInPool = async ({ memory }: Pick<Engine, 'memory'>, board: Board, own: Sidebar, text: string): Promise<boolean> => {
  const read = parseRef(text);
  if (!read.ok) return false;
  const ref = read.value;
  if (ref.kind === 'agent') return true;
  if (ref.kind === 'scratch') return sidebarOf(board, `SB-${ref.sidebar}`)?.id === own.id;
  if (ref.kind !== 'numbered') return own.ref !== '' && text.toUpperCase().startsWith(`${own.ref}:`);
  if (ref.type === 'GOLD') return true;
  const wanted = `${ref.type}-${ref.number}`;
  if (wanted === own.ref || isCited(board, own, wanted)) return true;
  const position = await memory.log.positionOfRef(ref.type, ref.number);
  const entry = position === null ? null : await memory.log.entryAt(position);
  if (entry === null) return false;
  if (entry.contextId === own.contextId) return true;
  for (const segment of inheritedBy(board, own)) {
    if (segment.kind === 'local' && entry.contextId === contextIdOfSidebar(segment.sidebarId) && entry.position <= segment.upTo) return true;
    if (segment.kind === 'session' && entry.sessionId === segment.sessionId && (await memory.branches(segment)).positions.includes(entry.position))
      return true;
  }
  return false;
};

const isCited = (board: Board, own: Sidebar, wanted: string): boolean =>
  own.citations.some((id) => {
    const citation = board.citations.get(id);
    return citation !== undefined && (citation.ref === wanted || JSON.stringify(citation.source).includes(`"${wanted}"`));
  }) || own.scratchpad.findings.some(({ sourceRefs }) => sourceRefs.includes(wanted));

/** Commands about the agent itself. */
const ANYWHERE: ReadonlySet<string> = new Set(['agent_presence']);
/** The agents, and what everyone may learn from. */
const FOR_EVERYBODY: ReadonlySet<string> = new Set(['agents', 'agent', 'golds', 'gold', 'gold_match', 'lifecycle']);
const IN_SIDEBAR: ReadonlySet<string> = new Set([
  'sidebar',
  'sidebar_memory',
  'onboarding',
  'scratchpad',
  'claims',
  'claim',
  'auto_merge_obstacles',
  'citations',
  'episodes',
  'seat',
  'briefing',
]);
const BY_REFERENCE: ReadonlySet<string> = new Set(['message', 'reference', 'citation', 'media']);
