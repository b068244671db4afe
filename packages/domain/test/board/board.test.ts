import { describe, expect, test } from 'vitest';
import { evolve, tryOn, type Command, type Recorded } from '../../src/index.ts';
import { given } from './given.ts';
import { dumpOf } from './world.ts';

const LONG = 'x'.repeat(200_001);

describe('what a command may be', () => {
  test('[BOARD-1] a command that is refused leaves the board as it was', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const before = dumpOf(stage.world.board);
    stage.refuses({ type: 'finding.submit', sidebar, content: '' });
    stage.refuses({ type: 'sidebar.merge', sidebar });
    expect(dumpOf(stage.world.board)).toBe(before);
  });

  test('[BOARD-2] an event about what is not there changes nothing', () => {
    const stage = given();
    stage.spawns();
    const before = dumpOf(stage.world.board);
    const [event] = stage.world.log;
    evolve(stage.world.board, {
      ...event,
      type: 'sidebar.paused',
      contextId: 'sidebar:none',
      payload: { from: 'ACTIVE', reason: '', resumeCondition: null },
    } as Recorded); // type and payload belong together
    expect(dumpOf(stage.world.board)).toBe(before);
  });

  test('[BOARD-9] an event is folded as a whole or not at all, on a board and on a layer over one', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.does({ type: 'citation.create', sidebar, source: { kind: 'external', url: 'https://example.org', title: null } });
    stage.does({ type: 'finding.submit', sidebar, content: 'The pool is full.' });
    for (const board of [stage.world.board, tryOn(stage.world.board)]) {
      const before = dumpOf(board);
      // No such payload can be read; whatever throws in the middle of a fold, the writes before it are taken back.
      const halfway = [
        { type: 'sidebar.tested', payload: { description: 'x', result: 'y', get findings(): never { throw new Error('halfway'); } } },
        { type: 'gold.created', payload: { keyInsight: 'x', sourceRefs: null } },
        { type: 'citation.created', payload: { source: null } },
        { type: 'agent.left', payload: null },
      ]; // prettier-ignore
      for (const { type, payload } of halfway) {
        const event = { ...stage.world.log.at(-1), uuid: `new ${type}`, refs: ['CITE-9'], type, payload } as unknown as Recorded; // on purpose not one
        expect(() => evolve(board, event)).toThrow(/halfway|null|undefined|iterable/u);
        expect(dumpOf(board)).toBe(before);
      }
    }
  });

  const tooLarge: readonly (readonly [string, (sidebar: string) => Command])[] = [
    ['a text of more than 200,000 characters', (sidebar) => ({ type: 'chat.say', sidebar, content: LONG })],
    ['a note that may be left out', (sidebar) => ({ type: 'sidebar.pause', sidebar, reason: 'lunch', resumeCondition: LONG })],
    ['a name of more than 200', (sidebar) => ({ type: 'sidebar.change', sidebar, taskType: 'x'.repeat(201) })],
    ['a list of more than 500', (sidebar) => ({ type: 'sidebar.change', sidebar, tags: Array.from({ length: 501 }, (_, at) => `tag ${at}`) })],
    [
      'references by the thousand',
      (sidebar) => ({ type: 'chat.say', sidebar, content: 'see', citations: Array.from({ length: 201 }, (_, at) => `MSG-${at + 1}`) }),
    ],
    ['a finding of more than 20,000', (sidebar) => ({ type: 'finding.submit', sidebar, content: 'x'.repeat(20_001) })],
    [
      'a medium of more than 32 million characters',
      (sidebar) => ({
        type: 'media.upload',
        sidebar,
        mediaType: 'image',
        filePath: 'a.png',
        content: 'x'.repeat(32_000_001),
        found: { why: 'not looked at' },
      }),
    ],
  ];
  test.each(tooLarge)('[BOARD-4] %s is too large', (_name, command) => {
    const stage = given();
    expect(stage.code(command(stage.spawns()))).toBe('too-large');
  });

  test('[BOARD-4] what is no number is refused', () => {
    const stage = given();
    const sidebar = stage.spawns();
    expect(stage.code({ type: 'sidebar.wait', sidebar, waitingFor: 'ben', timeoutMs: Number.NaN })).toBe('bad-request');
    expect(stage.code({ type: 'inbox.read', upTo: Number.POSITIVE_INFINITY })).toBe('bad-request');
    expect(stage.code({ type: 'inbox.read', upTo: 0.5 })).toBe('bad-request');
  });

  const empty: readonly (readonly [string, (sidebar: string) => Command])[] = [
    ['task', () => ({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: ' ' })],
    ['forkReason', (sidebar) => ({ type: 'sidebar.fork', sidebar, reason: '' })],
    ['reason', (sidebar) => ({ type: 'sidebar.pause', sidebar, reason: '\n' })],
    ['waitingFor', (sidebar) => ({ type: 'sidebar.wait', sidebar, waitingFor: '' })],
    ['reason', (sidebar) => ({ type: 'sidebar.move', sidebar, to: 'FAILED' })],
    ['successCriteria', (sidebar) => ({ type: 'sidebar.change', sidebar, successCriteria: '' })],
    ['summary', (sidebar) => ({ type: 'sidebar.consolidate', sidebar, summary: ' ' })],
    ['content', (sidebar) => ({ type: 'chat.say', sidebar, content: '\t' })],
    ['message', (sidebar) => ({ type: 'mention.route', sidebar, targets: ['ada'], message: '' })],
    ['content', (sidebar) => ({ type: 'finding.submit', sidebar, content: '' })],
    ['summary', (sidebar) => ({ type: 'checkpoint.create', sidebar, summary: '' })],
    [
      'keyInsight',
      (sidebar) => ({ type: 'gold.create', sidebar, sourceRefs: ['SB-1'], keyInsight: '', reusePattern: 'p', triggerConditions: ['t'] }),
    ],
  ];
  test.each(empty)('[BOARD-5] an empty %s is refused by its name', (name, command) => {
    const stage = given();
    expect(stage.refuses(command(stage.spawns()))).toEqual({ code: 'bad-request', reason: 'empty', facts: { field: name } });
  });

  test('[BOARD-6] a sidebar is named by SB-n, in any case, or by its uuid; any other name is not found', () => {
    const stage = given();
    const { id } = stage.sidebar(stage.spawns());
    for (const sidebar of ['SB-1', 'sb-1', id]) expect(stage.doesKinds({ type: 'chat.say', sidebar, content: 'hello' })).toEqual(['chat.message']);
    expect(stage.refuses({ type: 'chat.say', sidebar: 'SB-2', content: 'hello' })).toEqual({
      code: 'not-found',
      reason: 'unknown-sidebar',
      facts: { asked: 'SB-2' },
    });
    stage.golds();
    expect(stage.code({ type: 'chat.say', sidebar: 'GOLD-1', content: 'hello' })).toBe('not-found');
  });
});
