import { goldOf, sidebarIdOfContext, type Board, type Entry } from '@yarnboard/domain';
import { findingName, namesOf } from './board/names.ts';

export type Mark = 'provisional' | 'superseded' | 'rejected' | 'archived';

/** The current standing of what an entry created (FIND-50). */
export type Standing = {
  readonly marks: readonly Mark[];
  /** Its successor: the name, and the position of the entry that created it. */
  readonly successor: { readonly name: string; readonly position: number } | null;
};

export const standingOf = (board: Board, { uuid, contextId, refs }: Pick<Entry, 'uuid' | 'contextId' | 'refs'>): Standing => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '');
  const { marks, successor } = uuid === null ? NOTHING : (standingOfThing(board, { uuid, contextId, refs }) ?? NOTHING);
  return { marks: sidebar?.archive == null ? marks : [...marks, 'archived'], successor };
};

/** Whether it still holds; archived things may. */
export const holds = ({ marks }: Standing): boolean => !marks.includes('superseded') && !marks.includes('rejected');

/** FIND-51: superseded hits go after their successor, if both are on the page. */
export const behindSuccessors = <Hit extends { readonly position: number }>(
  hits: readonly Hit[],
  successorOf: (hit: Hit) => number | null,
): readonly Hit[] => {
  const at = new Set(hits.map(({ position }) => position));
  const after = new Map<number, Hit[]>();
  const first = hits.filter((hit) => {
    const successor = successorOf(hit);
    if (successor === null || !at.has(successor) || successor === hit.position) return true;
    after.set(successor, [...(after.get(successor) ?? []), hit]);
    return false;
  });
  const placed: Hit[] = [];
  const place = (hit: Hit): void => {
    const waiting: Hit[] = [hit];
    // A revision may itself be revised.
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      placed.push(next);
      waiting.unshift(...(after.get(next.position) ?? []));
    }
  };
  for (const hit of first) place(hit);
  // Hits that name each other as successor, possible only on a forged log, come last.
  const shown = new Set(placed.map(({ position }) => position));
  return [...placed, ...hits.filter(({ position }) => !shown.has(position))];
};

const standingOfThing = (
  board: Board,
  { uuid, contextId, refs }: { readonly uuid: string; readonly contextId: string; readonly refs: readonly string[] },
): Standing | null => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '');
  const finding = sidebar?.scratchpad.findings.find(({ id }) => id === uuid);
  if (finding !== undefined) {
    const newer = sidebar?.scratchpad.findings.find(({ id }) => id === finding.supersededBy);
    return {
      marks:
        finding.supersededBy !== null
          ? ['superseded']
          : finding.status === 'rejected'
            ? ['rejected']
            : finding.status === 'pending'
              ? ['provisional']
              : [],
      successor: newer === undefined ? null : { name: findingName(board, newer.id, contextId), position: newer.position },
    };
  }
  const gold = board.golds.get(uuid) ?? refs.flatMap((ref) => (ref.startsWith('GOLD-') ? (goldOf(board, ref) ?? []) : []))[0];
  if (gold !== undefined) {
    const newer = board.golds.get(gold.superseded?.by ?? '');
    return {
      marks: gold.superseded !== null ? ['superseded'] : gold.status === 'rejected' ? ['rejected'] : gold.isProvisional ? ['provisional'] : [],
      successor: newer === undefined ? null : { name: newer.ref, position: newer.position },
    };
  }
  const episode = board.episodes.get(uuid);
  if (episode === undefined) return null;
  const newer = board.episodes.get(episode.supersededBy ?? '');
  return {
    marks: episode.isSuperseded ? ['superseded'] : episode.isProvisional ? ['provisional'] : [],
    successor: newer === undefined ? null : { name: namesOf(board).episode(newer.id), position: newer.position },
  };
};

const NOTHING: Standing = { marks: [], successor: null };
