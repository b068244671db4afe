import { named } from '../board/deciding.ts';
import type { Board } from '../board/state.ts';
import { cutText } from '../policies/cutting.ts';
import type { Archive, Sidebar, SidebarFacts, Standstill } from './state.ts';
import type { Status } from '../messages/values.ts';

/** A sidebar whose end is being decided: the board doesn't know it yet. */
export type Ending = { readonly sidebar: Sidebar; readonly how: Extract<Status, 'MERGED' | 'FAILED' | 'ARCHIVED'> };

/** What changed since a sidebar became idle, in words. */
export type ChangesSince = (sidebar: Sidebar, since: Standstill) => readonly string[];

/**
 * LIFE-9: what ended and what began, in order, and how much was found. The board is scanned once, however many ask: thousands may wait for the same
 * (LIFE-16).
 */
export const changesFrom = (board: Board, earliest: number, ending: Ending | null = null): ChangesSince => {
  const touched: Touched[] = [];
  for (const [id, sidebar] of board.sidebars.entries()) {
    if (id === ending?.sidebar.id) touched.push({ ...sidebar, status: ending.how, endedPosition: Number.POSITIVE_INFINITY });
    else if (sidebar.lastPosition > earliest) touched.push(sidebar);
  }
  const changes = touched.map(changeOf).toSorted((a, b) => a.position - b.position);
  const positions = changes.map(({ position }) => position);
  const confirmed = timesOf(touched);
  return (sidebar, since) => {
    const count = countAfter(positions, since.position);
    const first = changes.length - count;
    const said = changes.slice(first, first + MOST_CHANGES).map(({ text }) => text());
    const own = sidebar.scratchpad.findings;
    const counted = [
      [sidebar.messages - since.messages, 'message', 'said here'],
      [own.length - since.findings, 'finding', 'submitted here'],
      [countAfter(timesOf([sidebar]), since.at), 'finding', 'confirmed here'],
      [board.citations.size() - since.citations, 'new citation', 'created'],
      [board.golds.size() - since.golds, 'new GOLD waypoint', 'created'],
      [countAfter(confirmed, since.at) - countAfter(timesOf([sidebar]), since.at), 'finding', 'confirmed elsewhere'],
    ] as const;
    const counts = counted.filter(([n]) => n > 0).map(([n, what, how]) => `${n} ${what}${n === 1 ? '' : 's'} ${how}`);
    return [...said, ...(count > MOST_CHANGES ? [`and ${count - MOST_CHANGES} more`] : []), ...counts];
  };
};

/** With the status it is about to have, and no details of it yet. */
type Touched = SidebarFacts & { readonly status: Status; readonly archive: Archive | null };

/** The log position of a sidebar's end, or otherwise of its beginning. */
type Change = { readonly position: number; readonly text: () => string };

const changeOf = (sidebar: Touched): Change => {
  const { position, endedPosition, archive, priority, status, task } = sidebar;
  const who = `${named(sidebar)} (${priority})`;
  const ended = Math.max(endedPosition ?? 0, archive?.position ?? 0);
  if (ended > 0) return { position: ended, text: () => `${who} ${archive === null ? status.toLowerCase() : `archived: ${archive.reason}`}` };
  return { position, text: once(() => `${who} spawned: ${cutText(task, MOST_QUOTED)}`) };
};

const once = (make: () => string): (() => string) => {
  let made: string | null = null;
  return () => (made ??= make());
};

/** The times of confirmed findings, in order. */
const timesOf = (sidebars: readonly SidebarFacts[]): readonly number[] =>
  sidebars
    .flatMap(({ scratchpad }) => scratchpad.findings.filter(({ status }) => status === 'confirmed').map(({ validatedAt }) => validatedAt ?? 0))
    .toSorted((a, b) => a - b);

/** How many of the sorted numbers are greater than the given one. */
const countAfter = (numbers: readonly number[], one: number): number => {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) > one) high = middle;
    else low = middle + 1;
  }
  return numbers.length - low;
};

const MOST_CHANGES = 20;
const MOST_QUOTED = 80;
