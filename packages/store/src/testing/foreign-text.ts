import { expect, test } from 'vitest';
import { sha256 } from '../hash.ts';
import { append, withBoard, type Part } from './bench.ts';
import { customTitle, line, mark, prompt, reply, result, summary, use } from './records.ts';

export const describeForeignText: Part = (open) => {
  test('[LIB-11] texts with NUL and halves of characters are kept as they are', () =>
    withBoard(open, async ({ store, reopen }) => {
      const odd = 'a\0b \ud83d c \udc00 \\0 \\ud83d \u2400';
      const context = { sessionId: odd, agentId: odd };
      await append(store, [
        line(odd, prompt(odd, { uuid: odd, more: { cwd: odd, version: odd } })),
        line(odd, reply([use(odd, odd, {})], { uuid: `${odd}2`, parent: odd, model: odd, id: odd, request: odd, tokens: { output: 1 } })),
        line(odd, result(odd, odd, { uuid: `${odd}3`, parent: `${odd}2` })),
        line(context, prompt(odd, { uuid: `${odd}4`, more: { isSidechain: true, agentId: odd } })),
      ]);
      const before = await store.library.dump();
      const { library } = await reopen();
      expect(await library.session(odd)).toMatchObject({ sessionId: odd, title: odd, project: odd, versions: [odd, '2.1.0'], models: [odd] });
      expect((await library.agents(odd)).map(({ agentId }) => agentId)).toEqual([odd]);
      expect(await library.messageByUuid(odd, odd)).toMatchObject({ position: 1, uuid: odd });
      expect((await library.childrenOf(odd, odd, 5)).map(({ position }) => position)).toEqual([2]);
      expect(await library.operations(odd, 0, 5)).toMatchObject([{ use: { toolUseId: odd, name: odd }, result: { toolUseId: odd } }]);
      expect((await library.responsesAt([2])).get(2)).toMatchObject({ messageId: odd, requestId: odd, model: odd });
      expect((await library.spending('project', {})).map(({ key }) => key)).toEqual([odd]);
      await library.rebuild();
      expect(await library.dump()).toEqual(before);
    }));

  test('[LIB-11] ids, names and paths may be of any length', () =>
    withBoard(open, async ({ store }) => {
      // Incompressible: an index would accept it otherwise.
      const long = (name: string): string => name + Array.from({ length: 400 }, (_, at) => sha256(`${name}${at}`).toString('hex')).join('');
      const place = { more: { cwd: long('cwd'), version: long('version'), isSidechain: true, agentId: long('agent') } };
      const items = [
        line('weave', prompt('x', { ...place, uuid: long('u1'), parent: long('u0') })),
        line('weave', reply([use(long('t1'), long('tool'), {})], { ...place, uuid: long('u2'), parent: long('u1'), model: long('model'), id: long('m1'), request: long('r1'), tokens: { output: 1 } })), // prettier-ignore
        line('weave', result(long('t1'), 'x', { ...place, uuid: long('u3'), parent: long('u2') })),
        line('weave', summary(long('summary'), long('u1'))),
      ];
      await append(store, items, [mark(long('/path'))]);
      await append(store, [line('twill', reply('y', { uuid: long('u2'), id: long('m1'), request: long('r1'), tokens: { output: 2 } }))]);
      await append(
        store,
        [line('twill', reply('y', { uuid: long('u4'), id: long('m1'), request: long('r2'), tokens: { output: 2 } }))],
        [mark(long('/path'))],
      );
      const { library, log } = store;
      expect((await log.files()).map(({ path }) => path)).toEqual([long('/path')]);
      expect((await log.entryByUuid(long('u2')))?.position).toBe(2);
      expect(await library.operations('weave', 0, 5)).toMatchObject([{ use: { toolUseId: long('t1') }, result: { position: 3 } }]);
      expect((await library.messages({ sessionId: 'weave', thread: { kind: 'agent', agentId: long('agent') }, from: 0, limit: 9 })).length).toBe(3);
      expect((await library.responsesAt([2, 6])).get(6)).toMatchObject({ messageId: long('m1'), ordinal: 1 });
      const before = await library.dump();
      await library.rebuild();
      expect(await library.dump()).toEqual(before);
    }));

  test('[LIB-12] what a forgotten record said can be taken out of the library', () =>
    withBoard(open, async ({ store }) => {
      const odd = 'the secret \ud83d';
      await append(store, [line('weave', prompt(odd, { uuid: 'u1' })), line('weave', customTitle(odd)), line('weave', summary(odd, 'u1'))]);
      expect((await store.library.session('weave'))?.title).toBe(odd);
      await store.library.scrub(3, 'weave', []);
      await store.library.scrub(2, 'weave', ['something else']);
      expect((await store.library.session('weave'))?.title).toBe(odd);
      await store.library.scrub(2, 'weave', [odd]);
      await store.library.scrub(2, 'unknown', [odd]);
      expect((await store.library.session('weave'))?.title).toBeNull();
      expect((await store.library.dump()).filter((row) => row.includes('secret'))).toEqual([]);
    }));
};
