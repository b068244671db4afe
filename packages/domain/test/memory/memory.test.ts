import { describe, expect, test } from 'vitest';
import { provisionalAmong, refOfEpisode, rowsOf, type Episode } from '../../src/index.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const episodes = (stage: Stage): readonly Episode[] => rowsOf(stage.world.board.episodes);
const checkpoint = (stage: Stage, sidebar: string) => stage.does({ type: 'checkpoint.create', sidebar, summary: 'so far' }, { by: 'ada' });
const archive = (refs: readonly string[], more: object = {}) => ({ type: 'memory.archive', refs, ...more }) as const;
const standingsOf = (stage: Stage) =>
  episodes(stage).map(({ content, trigger, isProvisional, isSuperseded }) => [
    content,
    trigger,
    isSuperseded ? 'superseded' : isProvisional ? 'provisional' : 'final',
  ]);

describe('the five triggers', () => {
  test('[EPI-5] the flow of the seed: two checkpoints with a revision, a GOLD, and the end that has the last word', () => {
    const stage = given();
    const sidebar = stage.spawnsChild(stage.spawns());
    for (const content of ['the pool is small', 'the cache is cold', 'the queue is empty']) stage.confirms(sidebar, content);
    checkpoint(stage, sidebar);
    expect(standingsOf(stage)).toEqual([
      ['the pool is small', 'checkpoint', 'provisional'],
      ['the cache is cold', 'checkpoint', 'provisional'],
      ['the queue is empty', 'checkpoint', 'provisional'],
    ]);

    for (const content of ['the disk is slow', 'the log is long']) stage.confirms(sidebar, content);
    stage.validates(sidebar, stage.submits(sidebar, 'the pool is tiny', { supersedes: '1' }), 'confirmed');
    checkpoint(stage, sidebar);
    const [first, , , , , revision] = episodes(stage);
    expect([first?.supersededBy, revision?.supersedes]).toEqual([revision?.id, first?.id]);
    expect(episodes(stage).filter(({ isProvisional }) => isProvisional)).toHaveLength(5);

    const ref = 'SCRATCH-2:FINDING-2';
    const flagged = stage.does({
      type: 'gold.create',
      sidebar,
      sourceRefs: [ref],
      keyInsight: 'warm the cache',
      reusePattern: 'p',
      triggerConditions: ['slow'],
    });
    expect(payloadsOf(flagged, 'episodic.archived')).toMatchObject([
      { trigger: 'gold', isProvisional: true, requiresValidation: true, priority: 'high', sources: [ref] },
    ]);
    expect(payloadsOf(flagged, 'scratchpad.backed_up')).toMatchObject([{ reason: 'Contains GOLD', priority: 'high' }]);
    checkpoint(stage, sidebar);
    expect(episodes(stage).find(({ gold }) => gold !== null)?.isProvisional).toBe(true);

    stage.does({ type: 'gold.validate', gold: 'GOLD-1', status: 'confirmed' });
    stage.validates(sidebar, '3', 'rejected');
    stage.merges(sidebar);
    const { finalSummary } = stage.sidebar(sidebar).scratchpad;
    expect(finalSummary).not.toBeNull();
    expect(standingsOf(stage)).toEqual([
      ['the pool is small', 'checkpoint', 'superseded'],
      ['the cache is cold', 'checkpoint', 'final'],
      ['the queue is empty', 'checkpoint', 'superseded'],
      ['the disk is slow', 'checkpoint', 'final'],
      ['the log is long', 'checkpoint', 'final'],
      ['the pool is tiny', 'checkpoint', 'final'],
      ['warm the cache', 'gold', 'final'],
      [finalSummary, 'completion', 'final'],
    ]);
  });

  test('[EPI-6] the end of a sidebar keeps one episode of the whole of it, with where everything is', () => {
    const stage = given();
    const sidebar = stage.spawns({ tags: ['login'] });
    stage.does({ type: 'citation.create', sidebar, source: { kind: 'external', url: 'https://loom.example', title: null } });
    stage.golds({ sidebar });
    stage.confirms(sidebar, 'one thing');
    const { position, lastPosition } = stage.sidebar(sidebar);
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(episodes(stage).at(-1)).toMatchObject({
      content: stage.sidebar(sidebar).scratchpad.finalSummary,
      trigger: 'completion',
      about: 'SB-1',
      isProvisional: false,
      tags: ['login'],
      by: 'system',
      pointers: { from: position, to: lastPosition, scratchpad: 'SCRATCH-1', citations: ['CITE-1'], media: [], golds: ['GOLD-1'] },
    });
    expect(episodes(stage).filter(({ pointers }) => pointers !== null)).toHaveLength(1);
  });

  test('[EPI-5] what is kept of a stale sidebar is kept by timeout', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'one thing');
    stage.does({ type: 'sidebar.pause', sidebar, reason: 'later' });
    stage.does({ type: 'sidebar.archive', sidebar }, { by: 'system', facts: { isStale: true } });
    expect(episodes(stage).map(({ trigger }) => trigger)).toEqual(['timeout', 'timeout']);
  });
});

describe('keeping by hand', () => {
  test('[EPI-7] whoever takes part keeps what was said and found; a human for good, an agent until a human agrees', () => {
    const stage = given();
    const sidebar = stage.spawns({ tags: ['login'] });
    stage.does({ type: 'chat.say', sidebar, content: 'it is the cache' }, { by: 'ada' });
    stage.submits(sidebar, 'the cache is cold');
    stage.does(archive(['EXCH-1', 'SCRATCH-1:FINDING-1'], { reason: 'it comes up often', tags: ['cache'] }), { by: 'ada' });
    expect(episodes(stage)).toMatchObject([
      {
        trigger: 'manual',
        about: 'EXCH-1',
        content: 'what EXCH-1 says',
        sources: ['MSG-1'],
        isProvisional: true,
        tags: ['login', 'cache'],
        note: 'it comes up often',
        by: 'AGENT-ada',
        sourceSidebar: stage.sidebar(sidebar).id,
      },
      { trigger: 'manual', about: null, content: 'the cache is cold', isProvisional: true, requiresValidation: true },
    ]);
    expect(provisionalAmong(stage.world.board, ['SB-1:EPISODE-1'])).toEqual(['SB-1:EPISODE-1']);
    stage.does({ type: 'memory.finalise', episodes: ['SB-1:EPISODE-1'] });
    expect(provisionalAmong(stage.world.board, ['SB-1:EPISODE-1'])).toEqual([]);
    stage.does(archive(['MSG-1']));
    expect(episodes(stage).at(-1)).toMatchObject({ about: 'MSG-1', isProvisional: false, by: 'AGENT-operator' });
  });

  test('[EPI-7] [EPI-9] [EPI-10] what was said in a session is kept by anybody, named after it, and final when a person says so', () => {
    const stage = given();
    const exchange = stage.world.hear('session-1');
    stage.does(archive([exchange]), { by: 'cyd' });
    const [kept] = episodes(stage);
    expect(kept).toMatchObject({ about: exchange, sourceSidebar: null, isProvisional: true });
    expect(refOfEpisode(stage.world.board, kept?.id ?? '')).toBe(`${exchange}:EPISODE-1`);
    expect(stage.code({ type: 'memory.finalise', episodes: [`${exchange}:EPISODE-1`] }, { by: 'ada' })).toBe('operator-only');
    stage.does({ type: 'memory.finalise', episodes: [`${exchange}:EPISODE-1`] });
    expect(episodes(stage)).toMatchObject([{ isProvisional: false, finalisedAt: stage.world.now() }]);
    expect(stage.refuses({ type: 'memory.finalise', episodes: [`${exchange}:EPISODE-1`] })).toMatchObject({
      code: 'already-there',
      reason: 'final-already',
    });
  });

  test('[EPI-7] kept again, rejected, revised, unknown or not to be kept: refused, and nothing of it is kept', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.does({ type: 'chat.say', sidebar, content: 'it is the cache' });
    stage.confirms(sidebar, 'one');
    stage.submits(sidebar, 'two');
    stage.validates(sidebar, '2', 'rejected');
    stage.validates(sidebar, stage.submits(sidebar, 'three', { supersedes: '1' }), 'confirmed');
    stage.does(archive(['EXCH-1']));
    const refused = (refs: readonly string[], by = 'operator') => stage.refuses(archive(refs), { by });
    expect(refused(['MSG-1', 'EXCH-1'])).toMatchObject({ code: 'already-there', facts: { ref: 'EXCH-1', episode: 'SB-1:EPISODE-1' } });
    expect(refused(['SCRATCH-1:FINDING-2'])).toMatchObject({ code: 'wrong-status', reason: 'finding-rejected' });
    expect(refused(['SCRATCH-1:FINDING-1'])).toMatchObject({ reason: 'finding-revised', facts: { newer: 'SCRATCH-1:FINDING-3' } });
    expect(refused(['MSG-99'])).toMatchObject({ code: 'bad-reference', reason: 'unknown-reference' });
    expect(refused(['SB-1'])).toMatchObject({ reason: 'not-said-or-found' });
    expect(refused(['nothing'])).toMatchObject({ reason: 'not-a-reference' });
    expect(refused([])).toMatchObject({ reason: 'too-many-or-none' });
    expect(refused(['MSG-1'], 'cyd')).toMatchObject({ code: 'not-participant' });
    expect(refused(['FRAG-3'], 'cyd')).toMatchObject({ code: 'not-participant' });
    expect(stage.refuses(archive(['MSG-1']), { facts: { said: () => ({ messages: [] }) } })).toMatchObject({ reason: 'nothing-said' });
    expect(episodes(stage)).toHaveLength(1);
  });

  test('[EPI-8] protection is not validation: nothing that is kept early is final before its curator and its sidebar have spoken', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.submits(sidebar, 'never judged');
    stage.confirms(sidebar, 'judged');
    stage.does(archive(['SCRATCH-1:FINDING-1', 'SCRATCH-1:FINDING-2']));
    stage.golds({ sidebar });
    expect(episodes(stage).every(({ isProvisional }) => isProvisional)).toBe(true);
    for (const [episode, of] of [
      ['SB-1:EPISODE-1', 'finding'],
      ['SB-1:EPISODE-3', 'gold'],
    ] as const)
      expect(stage.refuses({ type: 'memory.finalise', episodes: [episode] })).toMatchObject({ code: 'not-curator', facts: { of } });
    checkpoint(stage, sidebar);
    expect(episodes(stage)).toHaveLength(3);
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(episodes(stage).map(({ isProvisional, why }) => [isProvisional, why])).toEqual([
      [false, 'its finding was never confirmed'],
      [false, null],
      [true, null],
      [false, null],
    ]);
  });

  test('[EPI-12] an episode has the mark that its evidence had, whatever is found out later', () => {
    const stage = given();
    const exchange = stage.world.hear('session-1');
    const sidebar = stage.spawns({ origin: { kind: 'session', sessionId: 'session-1', leafUuid: null, upTo: null } });
    const judge = (verification: 'confirmed' | 'contradicted', by: string) =>
      stage.does({ type: 'claim.verify', sidebar, claim: exchange, verification }, { by });
    judge('confirmed', 'operator');
    stage.does(archive([exchange], { sidebar }), { by: 'ada' });
    stage.does({ type: 'finding.submit', sidebar, content: 'it is cold', sourceRefs: [exchange] }, { by: 'ada' });
    stage.validates(sidebar, '1', 'confirmed');
    checkpoint(stage, sidebar);
    expect(episodes(stage).map(({ mark }) => mark)).toEqual(['confirmed', 'confirmed']);
    judge('contradicted', 'operator');
    expect(episodes(stage).map(({ mark }) => mark)).toEqual(['confirmed', 'confirmed']);
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(episodes(stage)[0]).toMatchObject({ isSuperseded: true, why: 'what was said turned out wrong', mark: 'confirmed' });
  });
});

describe('confidence', () => {
  test('[MEM-16] a confidence is set by an entry of its own, with what it was; what was said stays', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.does({ type: 'chat.say', sidebar, content: 'it is the cache', confidence: 0.9 }, { by: 'ada' });
    const set = (confidence: number) => ({ type: 'confidence.set', about: 'msg-1', confidence, reason: 'measured' }) as const;
    expect(payloadsOf(stage.does(set(0.4)), 'confidence.set')).toEqual([{ about: 'MSG-1', confidence: 0.4, was: null, reason: 'measured' }]);
    expect(payloadsOf(stage.does(set(0), { by: 'ada' }), 'confidence.set')).toMatchObject([{ was: 0.4 }]);
    expect(stage.world.board.confidences.get('MSG-1')).toMatchObject({ confidence: 0, was: 0.4, times: 2, by: 'AGENT-ada' });
    expect(stage.world.log.find(({ type }) => type === 'chat.message')?.payload).toMatchObject({ confidence: 0.9 });
    expect(stage.refuses(set(0))).toMatchObject({ reason: 'nothing-to-change' });
    expect(stage.refuses(set(2))).toMatchObject({ reason: 'not-a-share' });
    expect(stage.refuses({ ...set(1), reason: ' ' })).toMatchObject({ reason: 'empty' });
    expect(stage.refuses(set(1), { by: 'cyd' })).toMatchObject({ code: 'not-participant' });
    expect(stage.refuses({ ...set(1), about: 'SB-1' })).toMatchObject({ reason: 'not-said-or-found' });
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(stage.refuses(set(1))).toMatchObject({ reason: 'sidebar-ended' });
  });
});
