import { expect, test } from 'vitest';
import { append, withBoard, type Part } from './bench.ts';
import { line, prompt, reply, result, use } from './records.ts';

const file = (path: string, more: Readonly<Record<string, number>> = {}) => Object.fromEntries([['file_path', path], ...Object.entries(more)]);

export const describeTouches: Part = (open) => {
  test('[TRACE-10] what calls touch and records mention is found from both ends, stays when rebuilt, and goes when it is forgotten', () =>
    withBoard(open, async ({ store }) => {
      const { library } = store;
      await append(store, [
        line('weave', prompt('as MSG-7 and SB-2 say, twice MSG-7', { uuid: 'u1' })),
        line(
          'weave',
          reply(
            [use('t1', 'Write', file('src/loom.ts')), use('t2', 'Bash', { command: 'cat src/loom.ts' }), use('t3', 'Edit', file('/srv/x/loom.ts'))],
            {
              uuid: 'a1',
              parent: 'u1',
            },
          ),
        ),
        line('spin', reply([use('t4', 'Read', file('/home/ada/loom/src/loom.ts', { offset: 10, limit: 5 }))], { uuid: 'b1' })),
        // A copy touches nothing: its original did.
        line('fork', reply([use('t4', 'Read', file('/home/ada/loom/src/loom.ts'))], { uuid: 'b1' })),
      ]);
      const path = '/home/ada/loom/src/loom.ts';
      const told = (rows: Awaited<ReturnType<typeof library.touchesAt>>) =>
        rows.map(({ position, use: call, kind, target, from, to }) => [position, call, kind, target, from, to]);
      const touches = async () => ({
        at: told(await library.touchesAt([2, 1])),
        of: told(await library.touchesOf([path], { limit: 10 })),
        before: told(await library.touchesOf([path, 'MSG-7'], { before: 3, limit: 1 })),
        counts: await library.touchCounts([path]),
        mentioned: told(await library.touchesOf(['MSG-7'], { limit: 10 })),
        like: await library.pathsLike('loom.ts', 5),
        one: await library.pathsLike('/src/loom.ts', 5),
        none: await library.pathsLike('om.ts', 5),
      });
      const expected = {
        at: [
          [2, 0, 'wrote', path, null, null],
          [2, 2, 'edited', '/srv/x/loom.ts', null, null],
          [1, null, 'mentions', 'MSG-7', null, null],
          [1, null, 'mentions', 'SB-2', null, null],
        ],
        of: [
          [3, 0, 'read', path, 10, 14],
          [2, 0, 'wrote', path, null, null],
        ],
        before: [[2, 0, 'wrote', path, null, null]],
        counts: { wrote: 1, read: 1 },
        mentioned: [[1, null, 'mentions', 'MSG-7', null, null]],
        like: [path, '/srv/x/loom.ts'],
        one: [path],
        none: [],
      };
      expect(await touches()).toEqual(expected);
      const before = await library.dump();
      for (const session of [undefined, 'weave', 'spin']) {
        await library.rebuild(session);
        expect(await library.dump()).toEqual(before);
      }
      expect(await touches()).toEqual(expected);
      await library.scrub(2, 'weave', []);
      expect(told(await library.touchesOf([path], { limit: 10 }))).toEqual([[3, 0, 'read', path, 10, 14]]);
    }));

  test('[TRACE-10] [VERIFY-4] a board from before replies had mentions has them once it is opened, and nothing is missing', () =>
    withBoard(open, async ({ store, tamper, migrate, beforeMentions, reopen }) => {
      await append(store, [line('weave', prompt('begin', { uuid: 'u1' })), line('weave', reply('as MSG-7 says', { uuid: 'a1', parent: 'u1' }))]);
      const before = await store.library.dump();
      await tamper.plainly('DELETE FROM touches');
      await migrate(beforeMentions);
      const again = await reopen();
      expect((await again.library.touchesOf(['MSG-7'], { limit: 9 })).map(({ position }) => position)).toEqual([2]);
      expect(await again.library.dump()).toEqual(before);
      expect((await again.audit()).damages).toEqual([]);
    }));

  test('[TRACE-7] copies, calls of sub-agents and sessions that go on from one are found from either end', () =>
    withBoard(open, async ({ store }) => {
      const { library } = store;
      await append(store, [
        line('weave', reply([use('t1', 'Task', { prompt: 'look' })], { uuid: 'a1' })),
        line('weave', { ...result('t1', 'done', { uuid: 'r1' }), toolUseResult: { agentId: 'spider' } }),
        line({ sessionId: 'weave', agentId: 'spider' }, reply('found', { uuid: 'x1', more: { isSidechain: true, agentId: 'spider' } })),
        line('fork', reply([use('t1', 'Task', { prompt: 'look' })], { uuid: 'a1' })),
      ]);
      const call = { sessionId: 'weave', agentId: 'spider', toolUseId: 't1' };
      expect((await library.copiesOf('a1', 5)).map(({ position, copyOf }) => [position, copyOf])).toEqual([[4, 1]]);
      expect(await library.callsOf('weave', { agentId: 'spider' })).toEqual([call]);
      expect(await library.callsOf('weave', { toolUseIds: ['nothing', 't1'] })).toEqual([call]);
      expect((await library.usesOf('weave', ['t1', 'nothing'])).map(({ position, index }) => [position, index])).toEqual([[1, 0]]);
      const places = (session: string, ...tools: readonly string[]): Promise<readonly number[]> => library.placesOfUses(session, tools, 5);
      expect([await places('weave', 'Edit', 'Task'), await places('weave', 'Edit'), await places('weave'), await places('nowhere', 'Task')]).toEqual([
        [1],
        [],
        [],
        [],
      ]);
      expect(await library.placesOfUses('weave', ['Task'], 0)).toEqual([]);
      expect([await library.successorsOf('weave', 5), await library.successorsOf('fork', 5)]).toEqual([['fork'], []]);
      const newest = { sessionId: 'weave', thread: { kind: 'main' }, limit: 1 } as const;
      expect((await library.latest({ ...newest, before: 2 })).map(({ position }) => position)).toEqual([1]);
    }));
};
