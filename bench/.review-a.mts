import { mkdtempSync, rmSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSqlite } from '../packages/store/src/sqlite/store.ts';
import { line, prompt, reply, said, forgotten, customTitle } from '../packages/store/src/testing/records.ts';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { verifyRange } from '../packages/store/src/verify.ts';
import { uuidFor, sha256 } from '../packages/store/src/hash.ts';
const NOON = Date.UTC(2026,0,1,12);
const O = { prices: DEFAULT_PRICES, now: () => NOON, newId: () => 'board', isIndexing: true };
const mk = async () => { const f = mkdtempSync('/tmp/rv/'); return { f, path: join(f,'board.db'), store: await openSqlite(join(f,'board.db'), O) }; };
const ap = (s: any, items: any[]) => s.log.append({ items, files: [] });
const tryit = async (name: string, w: () => Promise<unknown>) => { try { console.log(name, JSON.stringify(await w())); } catch (c: any) { console.log(name, 'THROWS', c.message); } };

await tryit('A names after failed rebuild', async () => {
  const { store, path } = await mk();
  const p = line('s1', prompt('hello secret', { uuid: 'u1' }));
  await ap(store, [p, line('s1', reply('x', { uuid: 'u2', parent: 'u1' }))]);
  const h = sha256(p.payload!).toString('hex');
  await ap(store, [forgotten(h)]); await store.log.dropPayload(h);
  await store.library.rebuild(undefined, () => { throw new Error('boom'); }).catch(() => {});
  // a speaker called like a name that only the failed rebuild gave a number
  await ap(store, [said('z1', { sender: 'newname' }), said('z2', { sender: 'meta' })]);
  await store.close();
  const again = await openSqlite(path, O);
  const { count } = await again.log.head();
  const v = await verifyRange(again.log, 1, count, { forgotten: new Set([h]) });
  return [v.broken, (await again.log.entriesAfter(0, 99)).map(e => e.sender)];
});
await tryit('B generated uuid poison', async () => {
  const { store } = await mk();
  const target = line('s1', { type: 'summary', summary: 'hi', leafUuid: 'x' });
  const hash = sha256(target.payload!).toString('hex');
  const evil = uuidFor(`s1|${hash}|1`);
  await ap(store, [line('s1', prompt('evil', { uuid: evil }))]);
  return ap(store, [target]);
});
await tryit('C refs tamper', async () => {
  const { store, path } = await mk();
  await ap(store, [said('a'), said('b')]);
  await store.close();
  const db = new Database(path);
  db.exec('DROP TRIGGER refs_never_updated; UPDATE refs SET position = 3 - position'); db.close();
  const again = await openSqlite(path, O);
  return [(await verifyRange(again.log, 1, 2, { forgotten: new Set() })).broken, await again.log.positionOfRef('MSG', 1)];
});
await tryit('D forgotten said again', async () => {
  const { store } = await mk();
  const p = line('s1', prompt('hello secret', { uuid: 'u1' }));
  await ap(store, [p]);
  const h = sha256(p.payload!).toString('hex');
  await ap(store, [forgotten(h)]); await store.library.scrub(1, 's1', ['hello secret']); await store.log.dropPayload(h);
  await ap(store, [line('s2', prompt('hello secret', { uuid: 'u1' }))]);
  const grown = await store.library.dump();
  const t = (await store.library.sessions({ limit: 9 })).map(s => [s.sessionId, s.title]);
  await store.library.rebuild();
  const re = await store.library.dump();
  return [t, grown.filter(x => !re.includes(x)), re.filter(x => !grown.includes(x))];
});
await tryit('E tokens', async () => {
  const { store } = await mk();
  const big = Number.MAX_SAFE_INTEGER;
  const items = [];
  for (let i = 0; i < 50; i++) items.push(line('s1', reply('x', { uuid: 'u' + i, id: 'm' + i, tokens: { input: big, output: big, read: big }, more: { costUSD: 1e9 * i, timestamp: i % 2 ? '9999-12-31T23:59:59.999Z' : '0000-01-01T00:00:00Z' } })));
  await ap(store, items);
  return (await store.library.sessions({ limit: 9 })).map(s => s.spent);
});
await tryit('F search ahead', async () => {
  const { store, path, f } = await mk();
  await ap(store, [line('s1', prompt('alpha one', { uuid: 'a' }))]);
  await store.backup(join(f, 'b.db'));
  await ap(store, [line('s1', prompt('bravo two', { uuid: 'b' })), line('s1', prompt('charlie three', { uuid: 'c' }))]);
  while (await store.search.advance(100)); 
  await store.close();
  for (const s of ['', '-wal', '-shm']) rmSync(path + s, { force: true });
  const { copyFileSync } = await import('node:fs'); copyFileSync(join(f, 'b.db'), path);
  const again = await openSqlite(path, O);
  await ap(again, [line('s1', prompt('delta four', { uuid: 'd' }))]);
  while (await again.search.advance(100));
  const find = async (text: string) => (await again.search.find({ text, filters: {}, cursor: null, limit: 9 } as any)).hits.map(h => h.position);
  return { bravo: await find('bravo'), delta: await find('delta') };
});
await tryit('H plan', async () => {
  const { store, path } = await mk();
  const db = new Database(path);
  return [1, 2, 50].map(n => db.prepare(`EXPLAIN QUERY PLAN SELECT * FROM entries WHERE session IN (${Array(n).fill('?').join()}) AND position > ? ORDER BY position LIMIT ?`).all(...Array(n).fill(1), 1, 2).map((r: any) => r.detail));
});
