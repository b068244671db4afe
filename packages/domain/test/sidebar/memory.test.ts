import { describe, expect, test } from 'vitest';
import { activeFocus, askedToReview, evolve, inheritedBy, localTo, relevanceScores, toReview, type Recorded } from '../../src/index.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const inheritance = (stage: Stage, ref: string) => inheritedBy(stage.world.board, stage.sidebar(ref));
const IN_SESSION = { kind: 'session', sessionId: 'session-1', leafUuid: 'leaf', upTo: null } as const;

describe('inherited memory', () => {
  test('[MEM-1] is a place on the log and no copy: a spawn tells the same however much was said', () => {
    const tell = (messages: number) => {
      const stage = given();
      const parent = stage.spawns();
      for (let n = 0; n < messages; n += 1) stage.does({ type: 'chat.say', sidebar: parent, content: 'hello' });
      const child = stage.does({ type: 'sidebar.spawn-child', sidebar: parent, upTo: null, task: 'Look closer' });
      return { bytes: JSON.stringify(child.map(({ type, payload }) => ({ type, payload }))).length, segments: inheritance(stage, 'SB-2').length };
    };
    // Ids count up, and may be a digit longer.
    expect(Math.abs(tell(300).bytes - tell(3).bytes)).toBeLessThan(20);
    expect(tell(300).segments).toBe(tell(3).segments);
  });

  test('[MEM-2] is followed from place to place, the oldest first, each up to its branch point', () => {
    const stage = given();
    stage.world.hear('session-1');
    const top = stage.spawns({ origin: IN_SESSION });
    stage.does({ type: 'chat.say', sidebar: top, content: 'hello' });
    const middle = stage.spawnsChild(top);
    const bottom = stage.spawnsChild(middle);
    const [a, b, c] = [top, middle, bottom].map((ref) => stage.sidebar(ref));
    expect(inheritance(stage, bottom)).toEqual([
      { kind: 'session', sessionId: 'session-1', leafUuid: 'leaf', upTo: a?.position },
      { kind: 'local', sidebarId: a?.id, upTo: b?.position },
      { kind: 'local', sidebarId: b?.id, upTo: c?.position },
    ]);
    expect(inheritance(stage, stage.spawns())).toEqual([]);
  });

  test('[MEM-2] a branch point before the parent began leaves out the parent, and what came to its own parent later', () => {
    const stage = given();
    const top = stage.spawns({ origin: IN_SESSION });
    const [said] = stage.does({ type: 'chat.say', sidebar: top, content: 'hello' });
    stage.does({ type: 'chat.say', sidebar: top, content: 'more' });
    const middle = stage.spawnsChild(top);
    const upTo = said?.position ?? 0;
    const bottom = stage.spawnsChild(middle, { upTo });
    expect(inheritance(stage, bottom).map((segment) => segment.upTo)).toEqual([stage.sidebar(top).position, upTo, upTo]);
  });

  test('[MEM-3] local memory is what happens in the sidebar itself', () => {
    const stage = given();
    const sidebar = stage.sidebar(stage.spawns());
    expect(localTo(sidebar)).toEqual({ kind: 'local', sidebarId: sidebar.id, upTo: Number.MAX_SAFE_INTEGER });
    stage.does({ type: 'chat.say', sidebar: sidebar.id, content: 'hello' });
    expect(stage.sidebar('SB-1').messages).toBe(1);
  });

  test('[MEM-4] a fork inherits what the original inherited and did, up to its end', () => {
    const stage = given();
    const top = stage.spawns();
    const original = stage.spawnsChild(top);
    stage.does({ type: 'sidebar.archive', sidebar: original });
    stage.does({ type: 'sidebar.fork', sidebar: original, reason: 'again' });
    const { id, position, archive } = stage.sidebar(original);
    expect(inheritance(stage, 'SB-3')).toEqual([
      { kind: 'local', sidebarId: stage.sidebar(top).id, upTo: position },
      { kind: 'local', sidebarId: id, upTo: archive?.position },
    ]);
  });

  test('[MEM-5] a log with a ring of parents does not keep anybody busy', () => {
    const stage = given();
    const parent = stage.spawns();
    const child = stage.spawnsChild(parent);
    const spawned = stage.world.log.find(({ type, refs }) => type === 'sidebar.spawned' && refs.includes(parent));
    const ring = { kind: 'sidebar', sidebarId: stage.sidebar(child).id } as const;
    evolve(stage.world.board, { ...spawned, payload: { ...spawned?.payload, origin: { ...ring, upTo: null }, parent: ring } } as Recorded); // only its parent is another
    expect(inheritance(stage, child).length).toBe(1);
    stage.does({ type: 'sidebar.consolidate', sidebar: child });
    stage.does({ type: 'merge.check', sidebar: child, isFit: true });
    expect(stage.code({ type: 'sidebar.merge', sidebar: child })).toBe('no-target');
  });

  test('[MEM-6] what happens in the parent later is not visible in the child, nor the other way round, until a merge', () => {
    const stage = given();
    const parent = stage.spawns();
    const child = stage.spawnsChild(parent);
    const before = inheritance(stage, child);
    const messages = stage.sidebar(parent).messages;
    stage.does({ type: 'chat.say', sidebar: parent, content: 'later' });
    stage.does({ type: 'chat.say', sidebar: child, content: 'elsewhere' });
    expect(inheritance(stage, child)).toEqual(before);
    expect(stage.sidebar(parent).messages).toBe(messages + 1);
    stage.merges(child);
    expect(inheritance(stage, child)).toEqual(before);
    expect(stage.sidebar(parent).messages).toBe(messages + 2);
  });
});

describe('relevance', () => {
  const scored = () => {
    const stage = given();
    const exchanges = [stage.world.hear('session-1'), stage.world.hear('session-1'), stage.world.hear('session-1')];
    const sidebar = stage.spawns({ origin: IN_SESSION, participants: ['ada', 'ben'] });
    const score = (by: string, scores: Readonly<Record<string, number>>) => stage.does({ type: 'relevance.score', sidebar, scores }, { by });
    return { stage, sidebar, score, first: exchanges[0] ?? '', second: exchanges[1] ?? '', third: exchanges[2] ?? '' };
  };

  test('[MEM-7] every participant scores inherited exchanges, and whoever has not yet is asked to', () => {
    const { stage, sidebar, score, first, second } = scored();
    expect(toReview(stage.sidebar(sidebar))).toEqual(['AGENT-operator', 'AGENT-ada', 'AGENT-ben']);
    expect(payloadsOf(score('ada', { [first.toLowerCase()]: 0.9, [second]: 0.5 }), 'relevance.scored')).toEqual([
      { scores: { [first]: 0.9, [second]: 0.5 } },
    ]);
    score('ben', { [first]: 0.8 });
    stage.does({ type: 'agent.recruit', sidebar, agent: 'cyd' });
    expect(toReview(stage.sidebar(sidebar))).toEqual(['AGENT-operator', 'AGENT-cyd']);
    expect(relevanceScores(stage.sidebar(sidebar))).toEqual({ [first]: 0.85, [second]: 0.5 });
    expect(toReview(stage.sidebar(stage.spawns()))).toEqual([]);
  });

  test('[MEM-12] whoever was brought in is asked for scores, not the human, nor whoever opened it or is alone', () => {
    const { stage, sidebar, score, first } = scored();
    expect(askedToReview(stage.sidebar(sidebar))).toEqual(['AGENT-ada', 'AGENT-ben']);
    score('ada', { [first]: 0.9 });
    expect(askedToReview(stage.sidebar(sidebar))).toEqual(['AGENT-ben']);
    const own = stage.spawns({ origin: IN_SESSION, participants: ['ben'] }, { by: 'ada' });
    expect(askedToReview(stage.sidebar(own))).toEqual(['AGENT-ben']);
    const alone = stage.spawns({ origin: IN_SESSION }, { by: 'ada' });
    expect([stage.sidebar(alone).participants, askedToReview(stage.sidebar(alone))]).toEqual([['AGENT-ada'], []]);
    expect(askedToReview(stage.sidebar(stage.spawns({ participants: ['ada', 'ben'] })))).toEqual([]);
  });

  test('[MEM-7] only what was inherited has a score, from 0 to 1', () => {
    const { stage, sidebar, first } = scored();
    const later = stage.world.hear('session-1');
    const elsewhere = stage.world.hear('session-2');
    const code = (scores: Readonly<Record<string, number>>) => stage.code({ type: 'relevance.score', sidebar, scores });
    expect([code({ [later]: 0.5 }), code({ [elsewhere]: 0.5 }), code({ 'MSG-1': 0.5 }), code({ nothing: 0.5 })]).toEqual(
      Array(4).fill('bad-reference'),
    );
    expect([code({ [first]: 1.1 }), code({ [first]: -0.1 }), code({})]).toEqual(Array(3).fill('bad-request'));
  });

  test('[MEM-8] where one finds it HIGH and another LOW they are asked to talk, once, until they agree', () => {
    const { stage, sidebar, score, first, second } = scored();
    score('ada', { [first]: 0.9, [second]: 0.9 });
    const events = score('ben', { [first]: 0.1, [second]: 0.5 });
    expect(events.map(({ type }) => type)).toEqual(['relevance.scored', 'relevance.disputed', 'chat.message']);
    expect(payloadsOf(events, 'relevance.disputed')).toEqual([{ exchange: first, agents: ['AGENT-ada', 'AGENT-ben'] }]);
    expect(payloadsOf(events, 'chat.message')).toMatchObject([
      {
        role: 'system',
        content: `@ada and @ben disagree about how much ${first} matters for this task. Please discuss it here.`,
        citations: [first],
      },
    ]);
    expect(score('ben', { [first]: 0.2 }).map(({ type }) => type)).toEqual(['relevance.scored']);
    expect(stage.sidebar(sidebar).disputes).toMatchObject([{ exchange: first }]);
    score('ben', { [first]: 0.7 });
    expect(stage.sidebar(sidebar).disputes).toEqual([]);
    expect(stage.world.board.notices.get('AGENT-ada')?.map(({ kind }) => kind)).toContain('dispute');
  });

  test('[MEM-9] the focus is what everybody who scored it finds HIGH', () => {
    const { stage, sidebar, score, first, second, third } = scored();
    score('ada', { [first]: 0.9, [second]: 0.9, [third]: 0.5 });
    score('ben', { [second]: 0.6 });
    expect(activeFocus(stage.sidebar(sidebar))).toEqual([first]);
  });

  test('[MEM-10] an exchange is put into the focus, or taken out of it, by hand', () => {
    const { stage, sidebar, score, first, second } = scored();
    score('ada', { [first]: 0.9 });
    stage.does({ type: 'focus.change', sidebar, add: [second], remove: [first] }, { by: 'ben' });
    expect(activeFocus(stage.sidebar(sidebar))).toEqual([second]);
    stage.does({ type: 'focus.change', sidebar, add: [first], remove: [second] });
    expect(activeFocus(stage.sidebar(sidebar))).toEqual([first]);
    const code = (more: object) => stage.code({ type: 'focus.change', sidebar, ...more });
    expect([code({}), code({ add: [first], remove: [first] }), code({ add: ['EXCH-99'] })]).toEqual(['bad-request', 'bad-request', 'bad-reference']);
  });

  test('[MEM-11] scores of whoever leaves are gone, and disputes over them, too', () => {
    const { stage, sidebar, score, first, second } = scored();
    score('ada', { [first]: 0.9, [second]: 0.9 });
    score('ben', { [first]: 0.1 });
    stage.does({ type: 'agent.leave', sidebar, agent: 'ada' }, { by: 'ada' });
    expect(stage.sidebar(sidebar)).toMatchObject({ relevance: { [first]: { 'AGENT-ben': 0.1 } }, disputes: [] });
    expect(activeFocus(stage.sidebar(sidebar))).toEqual([]);
  });
});
