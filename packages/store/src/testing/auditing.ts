import { expect, test } from 'vitest';
import { sha256 } from '../hash.ts';
import { append, indexAll, withBoard, type Bench, type Part } from './bench.ts';
import { forgotten, line, mark, prompt, reply, said, summary } from './records.ts';

const prepared = async ({ store }: Bench): Promise<string> => {
  await append(store, [line('weave', prompt('warp the loom', { uuid: 'u1' })), said('one', { citationsUsed: ['MSG-1'] })], [mark('/one')]);
  await append(store, [line('weave', reply('it is warped', { uuid: 'u2', parent: 'u1', id: 'r1', tokens: { input: 3, output: 4 } }))]);
  await append(store, [line('other', prompt('something else', { uuid: 'v1' })), line('other', summary('about it', 'v1'))]);
  await store.media.put('upload', 0, Buffer.from('a pict'));
  await store.media.put('upload', 1, Buffer.from('ure'));
  await indexAll(store);
  return (await store.media.finish('upload', sha256('a picture').toString('hex'))).sha256;
};

const foundIn = async ({ store }: Bench): Promise<readonly string[]> => (await store.audit()).damages.map(({ part, where }) => `${part}: ${where}`);

export const describeAuditing: Part = (open) => {
  test('[VERIFY-1] nothing is found on a board that nobody touched, also after something was forgotten, when it was rebuilt, and by a reader', () =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      expect(await bench.store.audit()).toMatchObject({ damages: [], checked: { media: 1 } });
      const reader = await bench.reader();
      expect((await reader.audit()).damages).toEqual([]);
      const entry = await bench.store.log.entryAt(1);
      await append(bench.store, [forgotten(entry?.payloadHash ?? '')]);
      await bench.store.library.scrub(1, 'weave', ['warp the loom']);
      await bench.store.log.dropPayload(entry?.payloadHash ?? '');
      await bench.store.search.drop([1]);
      await indexAll(bench.store);
      expect(await foundIn(bench)).toEqual([]);
      await bench.store.library.rebuild();
      expect(await foundIn(bench)).toEqual([]);
    }));

  test.each([
    ['[VERIFY-4] a row of the library that was changed', 'UPDATE messages SET is_error = 1 WHERE position = 1', 'library: messages'],
    ['[VERIFY-4] a row of the library that was deleted', 'DELETE FROM summaries', 'library: summaries'],
    [
      '[VERIFY-3] a list with another space in it',
      "UPDATE entries SET citations_used = ' ' || citations_used WHERE citations_used IS NOT NULL",
      'log: entries, 2',
    ],
    ['[VERIFY-3] a flag that is neither', 'UPDATE entries SET error_occurred = 2 WHERE position = 2', 'log: entries, 2'],
    ['[VERIFY-3] a number that leads elsewhere', "UPDATE refs SET position = 3 WHERE type = 'MSG' AND number = 1", 'log: refs, MSG-1'],
    [
      '[VERIFY-5] a medium whose bytes were changed',
      'UPDATE media_parts SET bytes = (SELECT bytes FROM media_parts WHERE part = 1) WHERE part = 0',
      'media: media_uploads',
    ],
    ['[VERIFY-5] a medium that lacks a part', 'DELETE FROM media_parts WHERE part = 0', 'media: media_uploads'],
  ])('%s is found and named', (_, sql, named) =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      await bench.tamper.execute(sql);
      expect(await foundIn(bench)).toContainEqual(expect.stringContaining(named));
    }),
  );

  test('[VERIFY-7] all texts of a short log are compared, and an index that claims to be further than the log is found and named', () =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      expect((await bench.store.audit()).checked).toMatchObject({ searchTexts: 5, searchTextsOf: 5 });
      await bench.tamper.index('UPDATE progress SET position = 99');
      expect(await foundIn(bench)).toContain('search: progress');
    }));
};
