import type { AgentId, SidebarId } from '../ids.ts';
import type { Board } from '../board/state.ts';
import { PRIORITIES, type Priority } from '../messages/values.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { loadRow } from './loads.ts';
import type { Request, RequestState } from './state.ts';

export const isOpenRequest = ({ state }: Pick<Request, 'state'>): boolean => state === 'asked' || state === 'queued';

/** Open requests for this sidebar, oldest first. */
export const requestsOfSidebar = (board: Pick<Board, 'requests' | 'asked'>, sidebarId: SidebarId): readonly Request[] =>
  (board.asked.get(sidebarKey(sidebarId)) ?? []).flatMap((id) => board.requests.get(id) ?? []);

/** The latest request that brought somebody into a sidebar, or was meant to. */
export const requestFor = (board: Pick<Board, 'requests' | 'asked'>, agent: AgentId, sidebarId: SidebarId): Request | null =>
  board.requests.get(board.asked.get(pairKey(agent, sidebarId))?.[0] ?? '') ?? null;

/** LOAD-9: who waits for a seat of an agent, in order. */
export const queueOf = (board: Pick<Board, 'requests' | 'loads'>, agent: AgentId): readonly Request[] =>
  (board.loads.get(agent)?.queue ?? []).flatMap((id) => board.requests.get(id) ?? []);

/** Counted from 1; null if it doesn't wait. */
export const placeOf = (board: Board, request: Request): number | null => {
  if (request.state !== 'queued') return null;
  const { queue } = loadRow(board, request.agent);
  if (queue.at(-1) === request.id) return queue.length;
  const at = placeIn(board, queue, request);
  return queue[at] === request.id ? at + 1 : null;
};

export const rankOf = (priority: Priority | undefined): number => PRIORITIES.indexOf(priority ?? 'NORMAL');

export const openRequest = (board: Board, request: Request): void => {
  board.requests.set(request.id, request);
  if (request.kind === 'join') board.asked.set(pairKey(request.agent, request.sidebarId), [request.id]);
  if (!isOpenRequest(request)) return;
  const key = sidebarKey(request.sidebarId);
  board.asked.set(key, [...(board.asked.get(key) ?? []), request.id]);
  if (request.state === 'queued') enqueue(board, request);
  else board.loads.set(request.agent, { ...loadRow(board, request.agent), asked: [...loadRow(board, request.agent).asked, request.id] });
};

/** No answer is needed any more; it waits for a seat. */
export const acceptRequest = (board: Board, id: string): void => {
  const request = board.requests.get(id);
  if (request?.state !== 'asked') return;
  board.requests.set(id, { ...request, state: 'queued' });
  const load = loadRow(board, request.agent);
  board.loads.set(request.agent, { ...load, asked: without(load.asked, id) });
  enqueue(board, request);
};

type Ending = { readonly state: RequestState; readonly at: number; readonly position: number } & Partial<
  Pick<Request, 'code' | 'answer' | 'wasAway'>
>;

export const endRequest = (board: Board, id: string, { at, position, ...ending }: Ending): void => {
  const request = board.requests.get(id);
  if (request === undefined) return;
  board.requests.set(id, { ...request, ...ending, endedAt: at, endedPosition: position });
  if (!isOpenRequest(request)) return;
  const key = sidebarKey(request.sidebarId);
  board.asked.set(key, without(board.asked.get(key) ?? [], id));
  const load = loadRow(board, request.agent);
  board.loads.set(request.agent, { ...load, queue: without(load.queue, id), asked: without(load.asked, id) });
};

/** LOAD-9: a change of its sidebar's priority changes its place. */
export const requeue = (board: Board, sidebarId: SidebarId): void => {
  for (const request of requestsOfSidebar(board, sidebarId)) {
    if (request.state !== 'queued') continue;
    const load = loadRow(board, request.agent);
    board.loads.set(request.agent, { ...load, queue: without(load.queue, request.id) });
    enqueue(board, request);
  }
};

const enqueue = (board: Board, request: Request): void => {
  const load = loadRow(board, request.agent);
  const at = placeIn(board, load.queue, request);
  const queue = at === load.queue.length ? [...load.queue, request.id] : load.queue.toSpliced(at, 0, request.id);
  board.loads.set(request.agent, { ...load, queue });
};

/** The index of a request, or where it belongs: by priority, then by position on the log. Binary search, since a queue may be long. */
const placeIn = (board: Board, queue: readonly string[], request: Request): number => {
  const rank = rankOf(priorityOf(board, request));
  const isBefore = (id: string | undefined): boolean => {
    const other = board.requests.get(id ?? '');
    if (other === undefined) return false;
    const byPriority = rankOf(priorityOf(board, other)) - rank;
    return byPriority === 0 ? other.position < request.position : byPriority < 0;
  };
  // Most of them come last.
  if (queue.length > 0 && isBefore(queue.at(-1))) return queue.length;
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(queue[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
};

const priorityOf = (board: Board, { sidebarId }: Request): Sidebar['priority'] | undefined => board.sidebars.get(sidebarId)?.priority;

/** LOAD-12: a recruit has done something in the sidebar. */
export const noteAct = (board: Board, agent: AgentId, sidebarId: SidebarId, position: number): void => {
  const request = requestFor(board, agent, sidebarId);
  if (request?.state !== 'joined' || request.hasActed || (request.endedPosition ?? 0) >= position) return;
  board.requests.set(request.id, { ...request, hasActed: true });
};

const without = (list: readonly string[], one: string): readonly string[] => (list.includes(one) ? list.filter((id) => id !== one) : list);
const sidebarKey = (id: string): string => `sidebar/${id}`;
const pairKey = (agent: AgentId, sidebarId: SidebarId): string => `pair/${agent}/${sidebarId}`;
