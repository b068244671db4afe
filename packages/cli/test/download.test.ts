import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO, makeBoard, type TestBoard } from '../../server/test/operations/boards.ts';
import { yarnboard } from './terminal.ts';

type Document = { readonly messages: readonly Readonly<Record<string, unknown>>[] } & Readonly<Record<string, unknown>>;

describe('a session as a file', () => {
  let board: TestBoard;
  let ids: readonly string[] = [];
  beforeAll(async () => {
    board = await makeBoard({ roots: [DEMO] });
    ids = (await board.get('sessions', { limit: 100 })).items.map(({ session_id: id }) => id);
  });

  const downloaded = async (id: string, format: string): Promise<string> => {
    const response = await board.ask(`/downloads/sessions/${id}?format=${format}`);
    expect(response.status).toBe(200);
    return response.text();
  };
  /** The page knows titles that other files of the project give a session; `show` reads the session alone. */
  const untitled = (document: string): string =>
    document
      .replace(/^# .*/u, '')
      .replace(/<title>.*?<\/title>/u, '')
      .replace(/<h1>.*?<\/h1>/u, '');
  const shown = async (id: string, format: string): Promise<string> => (await yarnboard(['show', id, '--demo', '--format', format])).out;

  test('[PAGE-203] every demo session is written as `yarnboard show` writes it', async () => {
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) {
      for (const format of ['md', 'html']) expect([id, untitled(await downloaded(id, format))]).toEqual([id, untitled(await shown(id, format))]);
      // Where a record stands is told of the log here, of a file there.
      const told = ({ messages, title: _title, ...head }: Document) => ({
        ...head,
        messages: messages.map(({ file: _file, line: _line, ...message }) => message),
      });
      expect(told(JSON.parse(await downloaded(id, 'json')) as Document)).toEqual(told(JSON.parse(await shown(id, 'json')) as Document));
    }
  });
});
