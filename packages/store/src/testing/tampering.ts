import { expect, test } from 'vitest';
import { sha256 } from '../hash.ts';
import type { Item } from '../port.ts';
import { verifyRange, type Broken } from '../verify.ts';
import { append, faultOf, withBoard, type Bench, type Part } from './bench.ts';
import { line, mark, prompt, reply, said } from './records.ts';

/** Two entries, the 3rd and the 5th, that have nothing in common: a value of one is wrong in the other. */
const different = (which: number): Item =>
  said(
    `different-${which}`,
    {
      type: `type.${which}`,
      version: which,
      timestamp: which,
      processingTimeMs: which,
      contentType: which === 1 ? 'code' : 'text',
      contentLength: which,
      tokenCount: which,
      sender: `sender ${which}`,
      senderType: which === 1 ? 'agent' : 'human',
      contextId: `context ${which}`,
      parentMsgId: `parent ${which}`,
      sessionId: `session ${which}`,
      agentModelVersion: `model ${which}`,
      citationsUsed: [`MSG-${which}`],
      mediaAttached: [`MEDIA-${which}`],
      toolsInvoked: [`tool ${which}`],
      toolResultsSummary: `summary ${which}`,
      senderConfidence: which / 4,
      flaggedUncertain: which === 1,
      errorOccurred: which === 1,
      errorRef: `error ${which}`,
      originatingClient: `client ${which}`,
      clientVersion: `version ${which}`,
      occurrence: which,
      numbers: ['MSG', 'SB'],
      note: `note ${which}`,
    },
    Buffer.from(`payload ${which}`),
  );

const COPIED_COLUMNS = [
  'type',
  'version',
  'at',
  'msg',
  'other_refs',
  'payload_hash',
  'content_type',
  'content_length',
  'token_count',
  'processing_time_ms',
  'sender',
  'sender_type',
  'context',
  'parent_msg_id',
  'session',
  'agent_model_version',
  'citations_used',
  'media_attached',
  'tools_invoked',
  'tool_results_summary',
  'sender_confidence',
  'flagged_uncertain',
  'error_occurred',
  'error_ref',
  'originating_client',
  'client_version',
  'occurrence',
  'note',
  'inner_hash',
] as const;

const WRONG = [
  ['uuid', "'another'"],
  ['recorded_at', 'recorded_at + 1'],
  ['copy_of', '1'],
  ['citations_used', 'NULL'],
  ['tools_invoked', "'no list'"],
  ['token_count', 'NULL'],
] as const;

const whole = async ({ store }: Bench): Promise<Broken | null> => (await verifyRange(store.log, 1, 6, { forgotten: new Set() })).broken;

const prepared = async ({ store }: Bench): Promise<void> => {
  await append(store, [said('one'), said('two'), different(1)]);
  await append(store, [said('four'), different(2), said('six')]);
};

export const describeTampering: Part = (open) => {
  test('[LOG-4] a log that nobody touched is whole, from any position to any other', () =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      expect(await whole(bench)).toBeNull();
      expect(await verifyRange(bench.store.log, 3, 5, { forgotten: new Set() })).toEqual({
        entries: 3,
        payloads: 3,
        bytes: 'payload 1fourpayload 2'.length,
        forgotten: [],
        broken: null,
      });
    }));

  test.each(COPIED_COLUMNS)('[LOG-4] another %s in an entry is found', (column) =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      await bench.tamper.execute(`UPDATE entries SET ${column} = (SELECT ${column} FROM entries WHERE position = 5) WHERE position = 3`);
      await bench.reopen();
      expect(await whole(bench)).toMatchObject({ position: 3, kind: 'entry-changed' });
    }),
  );

  test.each(WRONG)('[LOG-4] a changed %s in an entry is found', (column, value) =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      await bench.tamper.execute(`UPDATE entries SET ${column} = ${value} WHERE position = 3`);
      await bench.reopen();
      expect(await whole(bench)).toMatchObject({ position: 3, kind: 'entry-changed' });
    }),
  );

  test('[LOG-4] a number that was made to point at another entry is not believed', () =>
    withBoard(open, async (bench) => {
      await append(bench.store, [said('first'), said('second')]);
      expect(await bench.store.log.positionOfRef('MSG', 2)).toBe(2);
      await bench.tamper.execute("UPDATE refs SET position = 1 WHERE type = 'MSG' AND number = 2");
      expect([await bench.store.log.positionOfRef('MSG', 1), await bench.store.log.positionOfRef('MSG', 2)]).toEqual([1, null]);
    }));

  test('[LOG-4] another checksum is found where it stands', () =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      await bench.tamper.execute('UPDATE entries SET checksum = (SELECT checksum FROM entries WHERE position = 5) WHERE position = 3');
      expect(await whole(bench)).toMatchObject({ position: 3, kind: 'link-broken' });
    }));

  test('[LOG-4] an entry that was taken away is found, also the first and the last', async () => {
    for (const position of [1, 4, 6]) {
      await withBoard(open, async (bench) => {
        await prepared(bench);
        await bench.tamper.execute(`DELETE FROM entries WHERE position = ${position}`);
        expect(await whole(bench)).toMatchObject({ position, kind: 'missing-entry' });
      });
    }
  });

  test('[LOG-4] two entries that changed places are found at the first of them', () =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      await bench.tamper.execute('UPDATE entries SET position = -3 WHERE position = 3');
      await bench.tamper.execute('UPDATE entries SET position = 3 WHERE position = 5');
      await bench.tamper.execute('UPDATE entries SET position = 5 WHERE position = -3');
      expect(await whole(bench)).toMatchObject({ position: 3, kind: 'entry-changed' });
    }));

  test('[LOG-4] a payload that was exchanged is found, and so is one that was taken away', () =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      const hash = sha256(Buffer.from('four')).toString('hex');
      await bench.tamper.replacePayload(hash, Buffer.from('five'));
      await bench.reopen();
      expect(await whole(bench)).toMatchObject({ position: 4, kind: 'payload-changed' });
    }));

  test.each(['entries', 'refs', 'board'])('[LOG-6] the database itself refuses to change or delete a row of %s', (table) =>
    withBoard(open, async (bench) => {
      await prepared(bench);
      const column = { entries: 'version', refs: 'number', board: 'created_at' }[table] ?? '';
      for (const sql of [`UPDATE ${table} SET ${column} = ${column}`, `DELETE FROM ${table}`]) {
        expect(await faultOf(bench.tamper.plainly(sql))).toMatchObject({ message: expect.stringContaining('append-only') as string });
      }
      expect(await whole(bench)).toBeNull();
    }),
  );

  test('[LOG-6] what is derived, and how far files were read, may be changed', () =>
    withBoard(open, async (bench) => {
      await append(bench.store, [line('weave', prompt('one', { uuid: 'u1' })), line('weave', reply('two', { uuid: 'u2' }))], [mark('/one')]);
      for (const table of ['messages', 'sessions', 'files']) await bench.tamper.plainly(`DELETE FROM ${table}`);
      expect(await bench.store.library.session('weave')).toBeNull();
      expect(await bench.store.log.files()).toEqual([]);
    }));
};
