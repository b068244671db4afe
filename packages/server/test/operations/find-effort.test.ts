import { beforeAll, describe, expect, test } from 'vitest';
import { search, type SearchNeeds } from '../../src/operations/find.ts';
import { createSessionLoader } from '../../src/sessions/session-loader.ts';
import { makeBoard, type TestBoard } from './boards.ts';
import { prompt } from './records.ts';

const LONG = '11111111-0000-4000-8000-000000000001';
const OTHER = '22222222-0000-4000-8000-000000000001';
const FOUND = 100;

describe('finding in a session', () => {
  let board: TestBoard;
  beforeAll(async () => {
    const said = Array.from({ length: 300 }, (_, i) => prompt(`p${i}`, i === 0 ? null : `p${i - 1}`, i, `needle ${i}`));
    board = await makeBoard({ files: { [`-p/${LONG}.jsonl`]: said, [`-p/${OTHER}.jsonl`]: [prompt('q0', null, 0, 'a needle elsewhere')] } });
  });

  /** The same store, and what was asked of it: which rows by which call, in order. */
  const watched = (onFind: () => void = () => {}): { readonly needs: SearchNeeds; readonly asked: (readonly [string, number])[] } => {
    const { store, engine } = board.board;
    const asked: (readonly [string, number])[] = [];
    const needs: SearchNeeds = {
      engine,
      sessions: createSessionLoader(store),
      pending: () => [],
      store: {
        log: {
          ...store.log,
          payloadsOf: (at) => (asked.push(['payloads', at.length]), store.log.payloadsOf(at)),
          entriesAt: (at) => (asked.push(['entries', at.length]), store.log.entriesAt(at)),
        },
        library: {
          ...store.library,
          session: (id) => (asked.push(['session', 1]), store.library.session(id)),
          sessionsById: (ids) => (asked.push(['sessions', ids.length]), store.library.sessionsById(ids)),
          messagesAt: (at) => (asked.push(['messages', at.length]), store.library.messagesAt(at)),
        },
        search: {
          ...store.search,
          find: async (query) => {
            asked.push(['find', 1]);
            const answer = await store.search.find(query);
            onFind();
            return answer;
          },
        },
      },
    };
    return { needs, asked };
  };
  const input = { q: 'needle', limit: FOUND, reveal: false, mode: 'words', standing: false } as const;

  test('[FIND-17] each row is read once, however many hits are in one session', async () => {
    const { needs, asked } = watched();
    const { items } = await search(needs, { ...input, session: LONG }, new AbortController().signal);
    expect(items).toHaveLength(FOUND);
    expect(asked).toEqual([
      ['session', 1],
      ['find', 1],
      ['payloads', FOUND],
      ['entries', FOUND],
      ['messages', FOUND],
      ['sessions', 1],
    ]);
  });

  test('[FIND-17] what nobody waits for any longer is not looked for', async () => {
    const { needs, asked } = watched();
    const given = new AbortController();
    const answer = search(needs, input, given.signal);
    given.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(asked).toEqual([]);
  });

  test('[FIND-17] nor is read what was found by then', async () => {
    const given = new AbortController();
    const { needs, asked } = watched(() => given.abort());
    await expect(search(needs, input, given.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(asked).toEqual([['find', 1]]);
  });

  test('[FIND-17] others have their turn while hits are read', async () => {
    const { needs } = watched();
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await search(needs, input, new AbortController().signal);
    isOver = true;
    expect(turns).toBeGreaterThan(FOUND / 16);
  });
});
