import { expect, test } from 'vitest';
import type { Store } from '../port.ts';
import type { SearchAnswer } from '../search/port.ts';
import { append, indexAll, withBoard, type Part } from './bench.ts';
import { line, prompt, reply, use } from './records.ts';

const ask = (store: Store, text: string, limit = 20, cursor: string | null = null): Promise<SearchAnswer> =>
  store.search.find({ text, filters: {}, limit, cursor });
const positionsOf = ({ hits }: SearchAnswer): readonly number[] => hits.map(({ position }) => position);

const SAID: readonly string[] = [
  /* 1 */ 'The login page redirects forever once a session has expired',
  /* 2 */ 'Redirected the build output into another directory',
  /* 3 */ 'A worktree is a second checkout of the same repository',
  /* 4 */ 'Set the working directory before tests are started',
  /* 5 */ 'parse_session_id(raw) returns null for E1042',
  /* 6 */ 'This work belongs in another tree',
  /* 7 */ 'They recieve nothing',
  ...Array.from({ length: 12 }, (_, at) => `Clients receive batch ${at}`),
];

const filled = async (store: Store): Promise<void> => {
  await append(
    store,
    SAID.map((text, at) => line('weave', prompt(text, { uuid: `u${at + 1}`, minute: at }))),
  );
  await indexAll(store);
};

export const describeLooseSearch: Part = (open) => {
  test('[FIND-40] a question in plain words finds what has most of them, in any form, and says what was left out and widened', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const answer = await ask(store, 'why does it redirect to the login page after the session expires?');
      expect(positionsOf(answer)).toEqual([1]);
      expect([answer.loosened?.wanted, answer.loosened?.ignored]).toEqual(['most', ['why', 'does', 'it', 'to', 'the', 'after']]);
      // Words that nobody used are corrected, the others widened.
      expect([...answer.corrected.keys()]).toEqual(['redirect', 'expires']);
      expect([...(answer.loosened?.widened ?? [])]).toEqual([]);
      const widened = await ask(store, 'how do tests of clients starting in batches work');
      expect([...(widened.loosened?.widened ?? [])]).toEqual([
        ['starting', ['started']],
        ['batches', ['batch']],
        ['work', ['working']],
      ]);
      expect(answer.hits[0]?.covered).toBe(5);
      expect((await ask(store, 'login expired')).loosened).toBeNull();
      expect(positionsOf(await ask(store, 'login checkout'))).toEqual([]);
    }));

  test('[FIND-42] names, codes, quotations, beginnings and exclusions stay exact in a question', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(positionsOf(await ask(store, 'when does parse_session_id(raw) crash at startup?'))).toEqual([5]);
      expect(positionsOf(await ask(store, 'what returned E1042, null or undefined'))).toEqual([5]);
      expect(positionsOf(await ask(store, 'redirecting expired sessions -login'))).toEqual([]);
      expect(positionsOf(await ask(store, 'redirecting "session had expired" login'))).toEqual([]);
      expect(positionsOf(await ask(store, 'redirecting expired sessions zebra* login'))).toEqual([]);
    }));

  test('[FIND-43] words that were joined or split are found, the ones as typed first', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const joined = await ask(store, 'work tree');
      expect([positionsOf(joined), joined.loosened?.widened.get('work')]).toEqual([
        [6, 3],
        ['working', 'worktree'],
      ]);
      const split = await ask(store, 'workingdirectory');
      expect([positionsOf(split), split.corrected.get('workingdirectory')]).toEqual([[4], ['working directory']]);
      expect(positionsOf(await ask(store, 'second check-out'))).toEqual([3]);
    }));

  test('[FIND-44] a slip that others made, too, and one inside a name with signs are corrected, and that is said', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const rare = await ask(store, 'recieve');
      expect([positionsOf(rare)[0], rare.hits.length, rare.corrected.get('recieve')]).toEqual([7, 13, ['receive']]);
      const named = await ask(store, 'parse_sesion_id(raw)');
      expect([positionsOf(named), named.corrected.get('sesion')]).toEqual([[5], ['session']]);
      expect(positionsOf(await ask(store, '"parse_sesion_id(raw)"'))).toEqual([]);
      expect(positionsOf(await ask(store, 'parse_sesion_id[raw]'))).toEqual([]);
    }));

  test('[FIND-45] what somebody said goes before what a tool was given', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [
        line('weave', prompt('the spindle of the old loom is cracked', { uuid: 'u1' })),
        line('weave', reply([use('t1', 'Grep', { pattern: 'spindle cracked loom' })], { uuid: 'u2', minute: 1 })),
        line('weave', prompt('nothing', { uuid: 'u3', minute: 2 })),
        line('weave', prompt('nothing else', { uuid: 'u4', minute: 3 })),
        line('weave', prompt('nothing at all', { uuid: 'u5', minute: 4 })),
      ]);
      await indexAll(store);
      expect(positionsOf(await ask(store, 'how come the spindles of looms crack'))).toEqual([1, 2]);
    }));

  test('[FIND-46] page by page a question gives every hit once, as it would at once', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const question = 'which clients are receiving batches of nothing?';
      const all = positionsOf(await ask(store, question));
      expect(all.length).toBeGreaterThan(10);
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const answer: SearchAnswer = await ask(store, question, 5, cursor);
        expect(answer.loosened).not.toBeNull();
        seen.push(...positionsOf(answer));
        cursor = answer.next;
      } while (cursor !== null);
      expect(seen).toEqual(all);
    }));
};
