import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canMove,
  EVENTS,
  ok,
  readEvent,
  contextIdOfSidebar,
  goldOf,
  inheritedBy,
  isEnded,
  OPERATOR,
  refOfFinding,
  rowsOf,
  sidebarIdOfContext,
  tryOn,
  hasFacts,
  REASONS,
  evolve,
  type Board,
  type EventType,
  type Payloads,
  type Recorded,
  type Sidebar,
  type Status,
} from '../../src/index.ts';
import { anyCommand, randomFrom } from './histories.ts';
import { live, sceneOf } from './living.ts';
import { dumpOf, refolded } from './world.ts';

const anySeed = fc.integer({ min: 0, max: 2 ** 31 });
const forAnyHistory = (check: (seed: number) => void): void => fc.assert(fc.property(anySeed, check));

type Move = { readonly from: Status; readonly to: Status };

const MOVES_TOLD: { readonly [T in EventType]?: (payload: Payloads[T]) => Move } = {
  'sidebar.moved': ({ from, to }) => ({ from, to }),
  'merge.refused': () => ({ from: 'CONSOLIDATING', to: 'ACTIVE' }),
  'sidebar.paused': ({ from }) => ({ from, to: 'PAUSED' }),
  'sidebar.resumed': ({ from }) => ({ from, to: 'ACTIVE' }),
  'sidebar.waiting': ({ from }) => ({ from, to: 'WAITING' }),
  'sidebar.consolidated': ({ from }) => ({ from, to: 'CONSOLIDATING' }),
  'sidebar.merged': () => ({ from: 'CONSOLIDATING', to: 'MERGED' }),
  'sidebar.archived': ({ finalStatus }) => ({ from: finalStatus, to: 'ARCHIVED' }),
};

/** The moves that events tell. A package that is put together again is none. */
const movesIn = (events: readonly Recorded[]): readonly (Move & { readonly id: string })[] =>
  events.flatMap(({ type, contextId, payload }) => {
    const told = MOVES_TOLD[type] as ((payload: unknown) => Move) | undefined; // type and payload belong together
    const move = told?.(payload);
    return move === undefined || move.from === move.to ? [] : [{ ...move, id: sidebarIdOfContext(contextId) ?? '' }];
  });

const liveChildrenOf = (board: Board, id: string): readonly string[] =>
  (board.sidebars.get(id)?.children ?? []).filter((child) => !isEnded(board.sidebars.get(child)?.status ?? 'ARCHIVED'));

/** Whether a SCRATCH-n:FINDING-m does not stand. */
const isUnfit = (sidebars: ReadonlyMap<string, Sidebar>, ref: string): boolean => {
  const [, sidebar, number] = /^SCRATCH-(\d+):FINDING-(\d+)$/u.exec(ref) ?? [];
  const home = [...sidebars.values()].find((one) => one.ref === `SB-${sidebar}`);
  const finding = home?.scratchpad.findings[Number(number) - 1];
  return finding !== undefined && (finding.status !== 'confirmed' || finding.supersededBy !== null);
};

describe('any history', () => {
  test('[CAT-2] whatever is decided can be read from the log again', () => {
    forAnyHistory((seed) => {
      for (const { type, payload } of live(seed, () => {}).log) {
        const written: unknown = JSON.parse(JSON.stringify(payload));
        expect([seed, readEvent({ type, version: EVENTS[type].version, payload: written })]).toEqual([seed, ok({ type, payload: written })]);
      }
    });
  });

  test('[LIFE-1] a status moves only along the table, and the events tell each move from where it stood', () => {
    forAnyHistory((seed) => {
      const wrong: unknown[] = [];
      live(seed, (world, events, before) => {
        const at = new Map([...before].map(([id, { status }]) => [id, status]));
        for (const { id, from, to } of movesIn(events)) {
          if (at.get(id) !== from || !canMove(from, to)) wrong.push({ id, from, to, stood: at.get(id) });
          at.set(id, to);
        }
        wrong.push(...rowsOf(world.board.sidebars).filter(({ id, status }) => (at.get(id) ?? status) !== status));
      });
      expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    });
  });

  test('[LIFE-6] no sidebar has live children at the moment it ends', () => {
    forAnyHistory((seed) => {
      const living: string[] = [];
      live(seed, ({ board }, events) => {
        const ended = movesIn(events).filter(({ to }) => isEnded(to));
        living.push(...ended.flatMap(({ id }) => liveChildrenOf(board, id)));
      });
      expect({ seed, living }).toEqual({ seed, living: [] });
    });
  });

  test('[LIFE-18] a sidebar says why it is paused, what it waits for or how it was archived exactly while it is so', () => {
    const seen = new Set<string>();
    forAnyHistory((seed) => {
      live(seed, ({ board }) => {
        for (const [, { ref, status, pause, waiting, archive }] of board.sidebars.entries()) {
          seen.add(status);
          const says = { ref, pause: pause !== null, waiting: waiting !== null, archive: archive !== null };
          const is = { ref, pause: status === 'PAUSED', waiting: status === 'WAITING', archive: status === 'ARCHIVED' };
          expect({ seed, ...says }).toEqual({ seed, ...is });
        }
      });
    });
    expect([...seen]).toEqual(expect.arrayContaining(['PAUSED', 'WAITING', 'ARCHIVED']));
  });

  test('[MERGE-1] what is rejected, pending or revised is never in a package that is merged', () => {
    forAnyHistory((seed) => {
      live(seed, (world, events, before) => {
        for (const event of events) {
          const sidebar = event.type === 'sidebar.merged' ? before.get(sidebarIdOfContext(event.contextId) ?? '') : undefined;
          const merged = event.type === 'sidebar.merged' ? event.payload.package : null;
          const unfit = (sidebar?.scratchpad.findings ?? []).filter(({ status, supersededBy }) => status !== 'confirmed' || supersededBy !== null);
          const inside = unfit.map((finding) => refOfFinding(sidebar?.ref ?? '', finding)).filter((ref) => merged?.keyFindings.includes(ref));
          const weak = (refs: readonly string[]) => refs.filter((ref) => isUnfit(before, ref));
          const golds = (merged?.goldCandidates ?? []).filter((ref) => {
            const gold = goldOf(world.board, ref);
            return gold?.status !== 'confirmed' || weak(gold.sourceRefs).length > 0;
          });
          const citations = (merged?.newCitations ?? []).filter((ref) => {
            const source = world.board.citations.get(world.board.ids.get(ref) ?? '')?.source;
            return source?.kind === 'reference' && weak([source.ref]).length > 0;
          });
          expect({ seed, inside, golds, citations }).toEqual({ seed, inside: [], golds: [], citations: [] });
        }
      });
    });
  });

  test('[MERGE-9] [MERGE-10] no agent’s words go into a conversation by its own hand alone', () => {
    forAnyHistory((seed) => {
      live(seed, (_, events, before) => {
        const alone = events.filter((event) => {
          if (event.type !== 'sidebar.merged' || event.by.id === OPERATOR.id) return false;
          const { merge } = before.get(sidebarIdOfContext(event.contextId) ?? '') ?? {};
          const check = merge?.checks.findLast(({ as }) => as === 'curator');
          return merge?.proposedBy === event.by.id || (event.payload.target.kind === 'session' && check?.by === event.by.id);
        });
        const checked = events.filter((event) => {
          const merge = before.get(sidebarIdOfContext(event.contextId) ?? '')?.merge;
          return event.type === 'merge.checked' && event.by.id !== OPERATOR.id && merge?.proposedBy === event.by.id;
        });
        expect({ seed, alone, checked }).toEqual({ seed, alone: [], checked: [] });
      });
    });
  });

  test('[BOARD-1] [REJ-2] deciding never throws, never changes the board, and says why it refuses, with the facts of the reason', () => {
    forAnyHistory((seed) => {
      const random = randomFrom(seed + 1);
      live(seed, (world, events) => {
        // Looked at after some of the steps: a dump costs as much as the board is large.
        if (events.length === 0 || random() > 0.1) return;
        const before = dumpOf(world.board);
        for (let tries = 0; tries < 5; tries += 1) {
          const { command, actor } = anyCommand(sceneOf(world, random));
          const decision = world.decide(command, actor);
          if (decision.ok) continue;
          const { code, reason, facts } = decision.error;
          expect({ reason, code, isKnown: hasFacts(REASONS[reason].facts, facts) }).toEqual({ reason, code: REASONS[reason].code, isKnown: true });
        }
        expect(dumpOf(world.board)).toBe(before);
      });
    });
  });

  test('[BOARD-2] the log folded from the beginning gives the board that was folded along the way', () => {
    forAnyHistory((seed) => {
      const world = live(seed, () => {});
      expect(dumpOf(refolded(world.log))).toBe(dumpOf(world.board));
    });
  });

  test('[BOARD-3] what is tried out on a layer leaves the board underneath as it was, and shows what folding it would give', () => {
    forAnyHistory((seed) => {
      const world = live(seed, () => {});
      const half = refolded(world.log.slice(0, world.log.length / 2));
      const before = dumpOf(half);
      const layer = tryOn(tryOn(half));
      for (const event of world.log.slice(world.log.length / 2)) evolve(layer, event);
      expect(dumpOf(half)).toBe(before);
      expect(dumpOf(layer)).toBe(dumpOf(world.board));
    });
  });

  test('[MEM-2] inherited memory has nothing from behind any branch point on the way, and never changes', () => {
    forAnyHistory((seed) => {
      const first = new Map<string, string>();
      const world = live(seed, ({ board }) => {
        for (const sidebar of rowsOf(board.sidebars)) {
          const segments = JSON.stringify(inheritedBy(board, sidebar));
          expect({ seed, segments: first.get(sidebar.id) ?? segments }).toEqual({ seed, segments });
          first.set(sidebar.id, segments);
        }
      });
      for (const sidebar of rowsOf(world.board.sidebars)) {
        const segments = inheritedBy(world.board, sidebar);
        const limits = segments.map(({ upTo }) => upTo);
        const branch = sidebar.origin.kind === 'none' ? 0 : Math.min(sidebar.origin.upTo ?? 0, sidebar.position);
        expect({ seed, behind: limits.filter((upTo) => upTo > branch), order: limits.toSorted((a, b) => a - b) }).toEqual({
          seed,
          behind: [],
          order: limits,
        });
        const own = segments.filter((segment) => segment.kind === 'local' && contextIdOfSidebar(segment.sidebarId) === sidebar.contextId);
        expect(own).toEqual([]);
      }
    });
  });

  test('[LIFE-12] interventions are counted as often as they happened', () => {
    forAnyHistory((seed) => {
      const world = live(seed, () => {});
      const happened = world.log.filter(({ type }) => type === 'sidebar.intervened').length;
      const bySidebar = rowsOf(world.board.sidebars).reduce((sum, { interventions }) => sum + interventions, 0);
      const byType = rowsOf(world.board.interventions).reduce((sum, count) => sum + count, 0);
      expect({ seed, bySidebar, byType }).toEqual({ seed, bySidebar: happened, byType: happened });
    });
  });

  test('[BOARD-7] the first id that is asked for is the id of something that happens', () => {
    forAnyHistory((seed) => {
      const random = randomFrom(seed);
      const world = live(seed, () => {});
      for (let tries = 0; tries < 20; tries += 1) {
        const { command, actor } = anyCommand(sceneOf(world, random));
        let ids = 0;
        const decision = world.decide(command, actor, { newId: () => `new-${(ids += 1)}` });
        const uuids = decision.ok ? decision.value.map(({ uuid }) => uuid) : ['new-1'];
        expect({ seed, uuids }).toEqual({ seed, uuids: expect.arrayContaining(['new-1']) });
        expect(new Set(uuids).size).toBe(uuids.length);
      }
    });
  });
});
