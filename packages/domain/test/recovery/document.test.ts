import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  currentNotes,
  isOpenWrite,
  lineOfAddition,
  openWrites,
  planReplay,
  readAddition,
  readDocument,
  snapshotsOf,
  startupOf,
  summaryOf,
  textOfDocument,
  uniteCopies,
  withAdditions,
  type EmergencyDocument,
} from '../../src/index.ts';
import { given } from '../board/given.ts';
import { anyAddition } from './random-additions.ts';
import { anyDocument, anyWrite } from './random-documents.ts';

const sha256 = (bytes: string | Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const [example] = fc.sample(anyDocument(), { numRuns: 1, seed: 7 }) as [EmergencyDocument];
const HOME = { serverId: 'home-1', boardId: 'board-1' };

describe('emergency documents', () => {
  test('[REC-1] a document has every field that recovery needs, under the names that people and programs know', () => {
    const fields = JSON.parse(textOfDocument(example, sha256)) as Record<string, unknown>;
    const known =
      'cache_id created_at reason sidebar_snapshots pending_writes pending_archives scratchpad_states last_known_good_state services_down recovery_notes ' +
      'suggested_recovery_order resolved_at resolution_notes board_id server_id host version format head updated_at sha256';
    expect(Object.keys(fields).toSorted()).toEqual(known.split(' ').toSorted());
  });

  test('[REC-2] any document and any addition survives the way through its text', () => {
    fc.assert(
      fc.property(anyDocument(), (document) => {
        expect(readDocument(textOfDocument(document, sha256), sha256)).toEqual({ ok: true, value: document });
      }),
    );
    fc.assert(
      fc.property(anyAddition, (addition) => {
        expect(readAddition(lineOfAddition(addition, sha256), sha256)).toEqual({ ok: true, value: addition });
      }),
    );
  });

  test('[REC-2] a document that is torn, foreign, newer or forged is not believed, and the reason is reported', () => {
    const text = textOfDocument(example, sha256);
    const kindOf = (changed: string) => {
      const read = readDocument(changed, sha256);
      return read.ok ? 'believed' : read.error.kind;
    };
    expect(kindOf(text)).toBe('believed');
    expect(kindOf(JSON.stringify(JSON.parse(text), null, 2))).toBe('believed');
    expect(kindOf(text.slice(0, -1))).toBe('torn');
    expect(kindOf('')).toBe('torn');
    expect(kindOf('{"name":"somebody else"}')).toBe('foreign');
    expect(kindOf(text.replace('"format":1', '"format":2'))).toBe('newer');
    expect(kindOf(text.replace('"host":"here"', '"host":"there"'))).toBe('forged');
    expect(kindOf(text.replace('"host":"here"', '"host":"here","extra":1'))).toBe('foreign');
  });

  test('[REC-2] whatever byte of a document is changed, it is never believed to say something else', () => {
    const text = textOfDocument(example, sha256);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, letter) => {
        const read = readDocument(`${text.slice(0, at)}${letter}${text.slice(at + 1)}`, sha256);
        expect(read.ok ? read.value : example).toEqual(example);
      }),
    );
  });

  test('[REC-3] a snapshot has every sidebar that has not ended, with its scratchpad, and inherited memory as a place', () => {
    const stage = given();
    const open = stage.spawns();
    stage.does({ type: 'chat.say', sidebar: open, content: 'hello' });
    const child = stage.spawnsChild(open);
    const { sidebarSnapshots, scratchpadStates } = snapshotsOf(stage.world.board, { timeOf: (at) => new Date(at).toISOString(), wordsOf: () => [] });
    expect(Object.keys(sidebarSnapshots)).toEqual([open, child]);
    expect(sidebarSnapshots[open]).toMatchObject({
      sidebarId: open,
      childSidebarIds: [child],
      localMemory: { partial: true, messages: 1, items: [] },
    });
    expect(sidebarSnapshots[child]).toMatchObject({ parentContextId: open, inheritedMemory: { contextId: open } });
    expect(scratchpadStates[open]).toEqual(stage.sidebar(open).scratchpad);
    const document = { ...example, sidebarSnapshots, scratchpadStates };
    expect(readDocument(textOfDocument(document, sha256), sha256)).toEqual({ ok: true, value: document });
  });
});

describe('copies', () => {
  test('[REC-4] copies unite to the same document in any order and however often, and no write of any is lost', () => {
    fc.assert(
      fc.property(fc.array(anyDocument(), { minLength: 1, maxLength: 4 }), (copies) => {
        const united = uniteCopies(copies);
        expect(uniteCopies(copies.toReversed())).toEqual(united);
        expect(uniteCopies([...copies, ...copies])).toEqual(united);
        expect(united === null ? null : uniteCopies([united, ...copies])?.pendingWrites).toEqual(united?.pendingWrites);
        const numbers = new Set(copies.flatMap(({ pendingWrites }) => pendingWrites.map(({ n }) => n)));
        expect(new Set(united?.pendingWrites.map(({ n }) => n))).toEqual(numbers);
      }),
    );
  });

  test('[REC-4] what was settled in one copy is settled, and what was put on the log counts before everything else', () => {
    fc.assert(
      fc.property(fc.array(anyDocument('EC-1', 1), { minLength: 1, maxLength: 4 }), (copies) => {
        const kinds = copies.flatMap(({ pendingWrites }) => pendingWrites.map(({ outcome }) => outcome.kind));
        const [write] = uniteCopies(copies)?.pendingWrites ?? [];
        const order = ['replayed', 'known', 'discarded', 'conflict', 'pending'] as const;
        expect(write?.outcome.kind).toBe(order.find((kind) => kinds.includes(kind)));
        // What was queued behind a resolution is open.
        const united = uniteCopies(copies);
        const isOpen = united !== null && openWrites(united).length > 0;
        expect(united?.resolvedAt !== null).toBe(copies.some(({ resolvedAt }) => resolvedAt !== null) && !isOpen);
      }),
    );
  });

  test('[REC-6] additions come to the same, in whichever parts and however often they are added', () => {
    fc.assert(
      fc.property(anyDocument(), fc.array(anyAddition, { maxLength: 8 }), fc.nat(8), (document, additions, cut) => {
        const whole = withAdditions(document, additions);
        expect(withAdditions(whole, additions)).toEqual(whole);
        expect(withAdditions(withAdditions(document, additions.slice(0, cut)), additions)).toEqual(whole);
      }),
    );
  });
});

describe('the start of a server', () => {
  const cache: EmergencyDocument = {
    ...example,
    resolvedAt: null,
    pendingWrites: [],
    pendingArchives: [],
    recoveryNotes: ['mid-validation'],
    reason: 'working_memory_down',
  };

  test('[REC-7] after a graceful stop, or in a new home, everything is clean', () => {
    expect(startupOf(HOME, 'clean', [])).toEqual({ state: 'CLEAN', alert: null, unresolved: [], others: [] });
    expect(startupOf(HOME, 'unmarked', []).state).toBe('CLEAN');
    expect(startupOf(HOME, 'clean', [{ ...cache, resolvedAt: cache.updatedAt }]).state).toBe('CLEAN');
  });

  test('[REC-7] a cache of this home that nobody has resolved needs recovery, however the last stop was', () => {
    for (const lastStop of ['clean', 'unmarked', 'abnormal'] as const) expect(startupOf(HOME, lastStop, [cache]).state).toBe('RECOVERY_NEEDED');
  });

  test('[REC-7] a cache of another home or another board is listed and stands in nobody’s way', () => {
    for (const other of [
      { ...cache, serverId: 'home-2' },
      { ...cache, boardId: 'board-2' },
    ]) {
      expect(startupOf(HOME, 'clean', [other])).toEqual({ state: 'CLEAN', alert: null, unresolved: [], others: [other] });
    }
  });

  test('[REC-8] the alert says what was found, in fixed words', () => {
    const [write] = fc.sample(anyWrite(1), 1);
    const waiting = write === undefined ? [] : [{ ...write, outcome: { kind: 'pending' as const } }];
    expect(startupOf(HOME, 'abnormal', [{ ...cache, pendingWrites: waiting }]).alert).toEqual({
      type: 'startup_recovery_alert',
      severity: 'warning',
      message: 'Previous session ended abnormally. 1 unresolved emergency cache(s) found.',
      details: [{ cacheId: 'EC-1', reason: 'working_memory_down', occurredAt: cache.createdAt, pendingItems: 1, notes: ['mid-validation'] }],
      recommendation: 'Recovery audit recommended before resuming normal operations.',
      actions: ['review_cached_state', 'replay_pending_writes', 'resolve_conflicts', 'mark_resolved'],
    });
    expect(startupOf(HOME, 'abnormal', [])).toMatchObject({
      state: 'AUDIT_RECOMMENDED',
      alert: {
        severity: 'info',
        message: 'Previous session did not shut down cleanly. No cached emergencies found, but audit recommended.',
        details: [],
        recommendation: 'Quick health check recommended.',
      },
    });
  });

  test('[REC-8] a cache is summed up in one line', () => {
    expect(summaryOf({ ...cache, sidebarSnapshots: {} })).toBe('Working memory down since 14:32, 0 sidebars cached');
  });
});

describe('the plan of a replay', () => {
  test('[REC-9] everything that waits is planned once, in the order it was said, and only a conflict is left for a person', () => {
    fc.assert(
      fc.property(anyDocument(), fc.array(fc.constantFrom('done', 'known', 'conflict'), { minLength: 6, maxLength: 6 }), (document, kinds) => {
        const plan = planReplay(document, ({ n }) => {
          const kind = kinds[n % kinds.length];
          if (kind === 'done') return { kind, wouldDo: 'say hello' };
          return kind === 'known' ? { kind, position: 3, refs: [] } : { kind: 'conflict', code: 'wrong-status', message: 'it has ended' };
        });
        expect(plan.steps.map(({ write }) => write)).toEqual(openWrites(document));
        expect(plan.steps.every(({ write }) => isOpenWrite(write))).toBe(true);
        expect(plan.counts.done + plan.counts.known + plan.counts.conflict).toBe(plan.steps.length);
        expect(plan.notes).toHaveLength(plan.counts.conflict);
      }),
    );
  });

  test('[REC-9] notes speak of a conflict only while one is open', () => {
    fc.assert(
      fc.property(anyDocument(), (document) => {
        const open = openWrites(document).some(({ outcome }) => outcome.kind === 'conflict');
        expect(currentNotes(document).some((note) => note.includes('conflict'))).toBe(open);
      }),
    );
  });
});
