import { OPERATOR, sidebarOf, type Command } from '@yarnboard/domain';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandIds } from '../../src/live/board-ids.ts';
import type { QueuedSaying } from '../../src/live/board-proposals.ts';
import { createBoardReplica } from '../../src/live/board-replica.ts';
import { createWorld } from '../../../domain/test/board/world.ts';
import { compared, live, openPage, performAs, playFrom, rowsFrom, toldOf, wishIn, type Play } from './board-stage.ts';

/** What the server would tell of a command that waits: nothing of it is in the world. */
const sayingOf = ({ world }: Pick<Play, 'world'>, command: Command, messageId: string): QueuedSaying | null => {
  const decision = world.decide(command, OPERATOR, { newId: commandIds(OPERATOR.id, messageId) });
  if (!decision.ok || decision.value.length === 0) return null;
  const events = decision.value.map((happening, n) => ({ ...happening, position: 1_000_000 + n, at: world.now(), refs: [] }));
  return { uuid: commandIds(OPERATOR.id, messageId)(), messageId, sender: OPERATOR.id, context: null, events };
};

type Waiting = {
  readonly command: Command;
  readonly saying: QueuedSaying;
  /** What of it the page is still to be told; in any order. */
  readonly frames: ('queued' | 'settled')[];
  seq: number | null | 'open';
};

const one = () => {
  const world = createWorld();
  const replica = createBoardReplica();
  world.perform({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'why is it slow?' }, OPERATOR);
  replica.load(rowsFrom(world, {}, OPERATOR.id));
  const heard = world.log.length;
  return {
    world,
    replica,
    findings: () => sidebarOf(replica.board(), 'SB-1')?.scratchpad.findings.map(({ content, ref }) => `${content} ${ref}`),
    hear: () => {
      for (const event of world.log.slice(heard)) replica.take(toldOf(event));
    },
  };
};

const submit: Command = { type: 'finding.submit', sidebar: 'SB-1', content: 'The retry limit is 3.', sourceRefs: [] };

describe('what waits for the log', () => {
  test('[PAGE-434] in any order of what is told, the board is the fold once everything is settled', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 0, max: 40 }), (seed, before) => {
        const play = playFrom(seed, before);
        const { world, random } = play;
        const page = openPage(play, 1_000_000);
        page.settleDown();
        const all: Waiting[] = [];
        const tell = (one: Waiting, frame: 'queued' | 'settled'): void => {
          if (frame === 'queued') page.replica.queue(one.saying);
          else page.replica.settleQueued(one.saying.uuid, one.seq === 'open' ? null : one.seq);
        };
        for (let n = 0; n < 80; n += 1) {
          const dice = random();
          if (dice < 0.2) {
            const { command } = wishIn(world, random);
            const saying = sayingOf(play, command, `waits-${n}`);
            if (saying !== null) all.push({ command, saying, frames: ['queued'], seq: 'open' });
          } else if (dice < 0.35) {
            // The log is back for one of them: it is done, or a conflict.
            const next = all.find(({ seq }) => seq === 'open');
            if (next !== undefined) {
              const isDone = performAs(world, next.command, OPERATOR, next.saying.messageId);
              next.seq = isDone ? (world.log.at(-1)?.position ?? 0) : null;
              next.frames.push('settled');
            }
          } else if (dice < 0.65) {
            const some = all.filter(({ frames }) => frames.length > 0);
            const chosen = some[Math.floor(random() * some.length)];
            const [frame] = chosen?.frames.splice(Math.floor(random() * chosen.frames.length), 1) ?? [];
            if (chosen !== undefined && frame !== undefined) tell(chosen, frame);
          } else if (dice < 0.7) {
            // The connection is another one: whatever waits is told again, and perhaps twice.
            page.replica.doubtQueued();
            for (const waits of all) if (waits.seq === 'open') tell(waits, 'queued');
            page.replica.dropUntold();
          } else live(play, page);
        }
        for (const waits of all) {
          if (waits.seq === 'open') {
            waits.seq = null;
            waits.frames.push('settled');
          }
          for (const frame of waits.frames) tell(waits, frame);
        }
        page.settleDown();
        expect([page.replica.pending(), page.replica.queued(), page.replica.proposed()]).toEqual([new Set(), new Set(), []]);
        const { found, expected } = compared(play, page);
        expect(found).toEqual(expected);
      }),
    );
  });

  test('[PAGE-435] is shown without a number, and becomes ordinary in the moment it is on the log', () => {
    const stage = one();
    const { world, replica, findings, hear } = stage;
    const saying = sayingOf(stage, submit, 'theirs');
    if (saying === null) throw new Error('it was refused');
    replica.queue(saying);
    expect([findings(), [...replica.queued()]]).toEqual([['The retry limit is 3. '], [saying.uuid]]);
    performAs(world, submit, OPERATOR, 'theirs');
    // Told to be done before the entry has come: nothing jumps.
    expect(replica.settleQueued(saying.uuid, world.log.at(-1)?.position ?? 0)).toEqual(saying);
    expect(findings()).toEqual(['The retry limit is 3. ']);
    hear();
    expect([findings(), [...replica.queued()], [...replica.pending()]]).toEqual([['The retry limit is 3. FRAG-1'], [], []]);
    // Told late, it is over.
    replica.queue(saying);
    expect(findings()).toEqual(['The retry limit is 3. FRAG-1']);
  });

  test('[PAGE-435] what was proposed here lasts as queued; a conflict takes it away', () => {
    const { replica, findings } = one();
    replica.propose({ id: 'mine', command: submit, actor: OPERATOR, now: 5 });
    expect([...replica.queued()]).toEqual([]);
    replica.hold('mine');
    const [uuid = ''] = replica.queued();
    expect(uuid).toBe(commandIds(OPERATOR.id, 'mine')());
    // Another connection does not hear of it again from itself.
    replica.doubtQueued();
    replica.dropUntold();
    expect(findings()).toEqual(['The retry limit is 3. ']);
    replica.settleQueued(uuid, null);
    expect([findings(), [...replica.queued()]]).toEqual([[], []]);
  });

  test('[PAGE-434] ten thousand may wait: each is known, and the latest are shown where they stand', () => {
    const stage = one();
    const saying = sayingOf(stage, submit, 'many');
    if (saying === null) throw new Error('it was refused');
    const uuidOf = (n: number): string => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
    for (let n = 0; n < 10_000; n += 1) {
      const uuid = uuidOf(n);
      stage.replica.queue({
        ...saying,
        uuid,
        messageId: uuid,
        events: saying.events.map((event, i) => (i === 0 ? { ...event, uuid } : { ...event, uuid: `${uuid}-${i}` })),
      });
    }
    expect(stage.replica.queued().has(uuidOf(0))).toBe(true);
    expect(stage.findings()).toHaveLength(200);
    for (let n = 0; n < 10_000; n += 1) stage.replica.settleQueued(uuidOf(n), null);
    expect([stage.replica.queued().size, stage.findings()]).toEqual([0, []]);
  });
});
