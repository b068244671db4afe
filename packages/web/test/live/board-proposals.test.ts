import { OPERATOR, rowsOf, sidebarOf, type Actor, type Board, type Command } from '@yarnboard/domain';
import * as fc from 'fast-check';
import { createLanguage } from '@yarnboard/language';
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../domain/test/board/world.ts';
import { idOf, keyOf } from '../../../server/src/engine/command-ids.ts';
import { commandIds } from '../../src/live/board-ids.ts';
import { createBoardReplica } from '../../src/live/board-replica.ts';
import { createLateLanguage, type LateLanguage } from '../../src/live/late-language.ts';
import { compared, live, openPage, performAs, playFrom, rowsFrom, toldOf, wishIn, type Page, type Play } from './board-stage.ts';

const anySeed = fc.integer({ min: 0, max: 2 ** 31 });

/** What a board shows that can be there only once. */
const idsShown = (board: Board): readonly (readonly string[])[] =>
  rowsOf(board.sidebars).flatMap(({ children, citations, golds, media, proposals, testResults, scratchpad }) => [
    children,
    citations,
    golds,
    media,
    ...[proposals, testResults, scratchpad.findings, scratchpad.conflicts, scratchpad.checkpoints, scratchpad.backups].map((all) =>
      all.map(({ id }) => id),
    ),
  ]);

/** Something that somebody does in the page: sent, done by the server or refused by it, answered. */
type Act = {
  readonly id: string;
  readonly command: Command;
  /** The id of what it makes; null when nothing of it is shown. */
  readonly made: string | null;
  state: 'sent' | 'done' | 'refused' | 'answered';
  seq: number;
};

const propose = ({ world, random }: Play, { replica }: Page, acts: Act[]): void => {
  const id = `message-${acts.length}`;
  const { command } = wishIn(world, random);
  replica.propose({ id, command, actor: OPERATOR, now: world.now() });
  const made = commandIds(OPERATOR.id, id)();
  acts.push({ id, command, made: replica.pending().has(made) ? made : null, state: 'sent', seq: 0 });
};

const obey = ({ world }: Play, act: Act): void => {
  act.state = performAs(world, act.command, OPERATOR, act.id) ? 'done' : 'refused';
  act.seq = world.log.at(-1)?.position ?? 0;
};

const answer = ({ replica }: Page, act: Act): void => {
  replica.settle(act.id, act.state === 'done' ? act.seq : null);
  act.state = 'answered';
};

/** Looks at every version of the board that the page shows; the ids of what was proposed and is not there in one of them. */
const watch = ({ world }: Play, { replica }: Page, acts: readonly Act[]): ReadonlySet<string> => {
  const gone = new Set<string>();
  replica.subscribe(() => {
    const ids = idsShown(replica.board());
    expect(ids.map((all) => new Set(all).size)).toEqual(ids.map((all) => all.length));
    const pending = replica.pending();
    const heard = new Set(world.log.filter(({ position }) => position <= replica.position()).map(({ uuid }) => uuid));
    for (const { made } of acts) if (made !== null && !pending.has(made) && !heard.has(made)) gone.add(made);
  });
  return gone;
};

const one = (language?: LateLanguage) => {
  const world = createWorld();
  const replica = createBoardReplica(undefined, undefined, language);
  const spawn: Command = { type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'why is it slow?' };
  expect(world.perform(spawn, OPERATOR)).toMatchObject({ ok: true });
  let heard = world.log.length;
  replica.load(rowsFrom(world, {}, OPERATOR.id));
  return {
    world,
    replica,
    findings: () => sidebarOf(replica.board(), 'SB-1')?.scratchpad.findings.map(({ content, ref }) => `${content} ${ref}`),
    hear: (most = Number.POSITIVE_INFINITY) => {
      for (const event of world.log.slice(heard, heard + most).map(toldOf)) {
        replica.take(event);
        heard += 1;
      }
    },
  };
};

const submit: Command = { type: 'finding.submit', sidebar: 'SB-1', content: 'The retry limit is 3.', sourceRefs: ['MSG-12'] };
const proposal = { id: 'one', command: submit, actor: OPERATOR, now: 5 };

describe('what is proposed in the page', () => {
  test('[PAGE-192] is shown once and without a break until it is on the log or refused, and leaves no trace', () => {
    fc.assert(
      fc.property(anySeed, fc.integer({ min: 0, max: 40 }), (seed, before) => {
        const play = playFrom(seed, before);
        const page = openPage(play, 1_000_000);
        page.settleDown();
        const acts: Act[] = [];
        const gone = watch(play, page, acts);
        for (let n = 0; n < 60; n += 1) {
          const sent = acts.find(({ state }) => state === 'sent');
          const done = acts.find(({ state }) => state === 'done' || state === 'refused');
          const dice = play.random();
          if (dice < 0.25) propose(play, page, acts);
          else if (dice < 0.45 && sent !== undefined) obey(play, sent);
          else if (dice < 0.6 && done !== undefined) answer(page, done);
          else live(play, page);
        }
        for (const act of acts) if (act.state === 'sent') obey(play, act);
        for (const act of acts) if (act.state !== 'answered') answer(page, act);
        page.settleDown();
        expect(play.world.log.filter(({ uuid }) => gone.has(uuid))).toEqual([]);
        expect(page.replica.pending()).toEqual(new Set());
        expect(page.replica.proposed()).toEqual([]);
        const { found, expected } = compared(play, page);
        expect(found).toEqual(expected);
      }),
    );
  });

  test('[PAGE-192] has no reference until it is on the log; whether that or the answer comes first, it is there once', () => {
    const { world, replica, findings, hear } = one();
    expect(replica.propose(proposal)).toBe(null);
    const [uuid = ''] = replica.pending();
    expect([findings(), replica.position()]).toEqual([['The retry limit is 3. '], 2]);
    expect(replica.proposed()).toMatchObject([{ type: 'finding.submitted', uuid, position: 3, at: 5, refs: [] }]);
    performAs(world, { ...submit, sourceRefs: [] }, OPERATOR, 'one');
    hear();
    expect([findings(), [...replica.pending()]]).toEqual([['The retry limit is 3. FRAG-1'], []]);
    replica.settle('one', 3);
    replica.propose({ ...proposal, id: 'two' });
    performAs(world, { ...submit, sourceRefs: [] }, OPERATOR, 'two');
    replica.settle('two', world.log.at(-1)?.position ?? 0);
    expect(findings()).toEqual(['The retry limit is 3. FRAG-1', 'The retry limit is 3. ']);
    hear();
    expect(findings()).toEqual(['The retry limit is 3. FRAG-1', 'The retry limit is 3. FRAG-2']);
  });

  test('[PAGE-192] of which a part is on the log is shown as a whole', () => {
    const { world, replica, hear } = one();
    const stranger: Actor = { id: 'AGENT-ada', type: 'agent' };
    const register: Command = {
      type: 'agent.register',
      agent: stranger.id,
      kind: 'agent',
      specialties: [],
      preferredCollaborators: [],
      tokenHash: 'a'.repeat(64),
    };
    world.perform(register, OPERATOR);
    hear();
    const command: Command = { type: 'chat.say', sidebar: 'SB-1', content: 'what do you think, @ada?' };
    replica.propose({ id: 'one', command, actor: OPERATOR, now: 5 });
    expect(replica.proposed().map(({ type }) => type)).toEqual(['chat.message', 'mention.routed']);
    performAs(world, command, OPERATOR, 'one');
    hear(1);
    expect(replica.proposed().map(({ type }) => type)).toEqual(['mention.routed']);
    expect(sidebarOf(replica.board(), 'SB-1')?.messages).toBe(1);
    hear(1);
    expect([replica.proposed(), sidebarOf(replica.board(), 'SB-1')?.messages]).toEqual([[], 1]);
  });

  test('[PAGE-192] what contradicts it is shown when the rules are there, which are asked for when a finding first needs them', async () => {
    const asked: string[] = [];
    const loads = [
      () => Promise.reject(new Error('away')),
      () => Promise.resolve(createLanguage({ mask: (text) => text })),
      () => Promise.reject(new Error('asked for twice')),
    ];
    const language = createLateLanguage(() => {
      asked.push('asked');
      return loads[asked.length - 1]?.() ?? Promise.reject(new Error('asked too often'));
    });
    const { world, replica, hear } = one(language);
    const kinds = (): readonly string[] => replica.proposed().map(({ type }) => type);
    const conflicts = (): number | undefined => sidebarOf(replica.board(), 'SB-1')?.scratchpad.conflicts.length;
    replica.propose(proposal);
    performAs(world, { ...submit, sourceRefs: [] }, OPERATOR, 'one');
    hear();
    expect([asked.length, replica.pending().size]).toEqual([0, 0]);
    const other: Command = { type: 'finding.submit', sidebar: 'SB-1', content: 'The retry limit is 5.' };
    replica.propose({ id: 'two', command: other, actor: OPERATOR, now: 6 });
    expect([kinds(), conflicts()]).toEqual([['finding.submitted'], 0]);
    // That they cannot be had is no reason to show less, nor to stop asking.
    await Promise.resolve();
    expect([kinds(), asked.length]).toEqual([['finding.submitted'], 1]);
    let told = 0;
    replica.subscribe(() => (told += 1));
    replica.propose({ id: 'three', command: { type: 'chat.say', sidebar: 'SB-1', content: 'let us see' }, actor: OPERATOR, now: 7 });
    const before = told;
    await Promise.resolve();
    await Promise.resolve();
    expect([asked.length, told]).toEqual([2, before + 1]);
    expect(kinds()).toEqual(['finding.submitted', 'conflict.detected', 'chat.message', 'chat.message']);
    expect(conflicts()).toBe(1);
    performAs(world, other, OPERATOR, 'two');
    hear();
    expect([kinds(), conflicts(), asked.length]).toEqual([['chat.message'], 1, 2]);
  });

  test('[PAGE-192] is not shown when it would be refused, and goes when it is', () => {
    const { replica, findings } = one();
    expect(replica.propose({ ...proposal, command: { type: 'sidebar.resume', sidebar: 'SB-1' } })).toMatchObject({ code: 'wrong-status' });
    expect(replica.pending()).toEqual(new Set());
    replica.propose({ ...proposal, id: 'two' });
    replica.settle('two', null);
    replica.settle('nothing', null);
    expect(findings()).toEqual([]);
  });

  test('[PAGE-192] has the ids that the engine gives it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.uuid(), fc.integer({ min: 1, max: 5 }), (actorId, messageId, count) => {
        const newId = commandIds(actorId, messageId.toUpperCase());
        const ids = Array.from({ length: count }, newId);
        expect(ids).toEqual(ids.map((_, n) => idOf(keyOf(actorId, messageId), n)));
      }),
    );
  });
});
