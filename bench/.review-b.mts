import { mkdtempSync, rmSync, readFileSync, writeFileSync, copyFileSync, existsSync, readdirSync, statSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../packages/store/src/sqlite/store.ts';
import { line, prompt, reply } from '../packages/store/src/testing/records.ts';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { homeOf } from '../packages/server/src/home.ts';
import { restoreBackup } from '../packages/server/src/board/restore.ts';
import { openBoard, startServer } from '../packages/server/src/main.ts';
const NOON = Date.UTC(2026,0,1,12);
const O = { prices: DEFAULT_PRICES, now: () => NOON, newId: () => 'board', isIndexing: true };
const ap = (s: any, items: any[]) => s.log.append({ items, files: [] });
const tryit = async (name: string, w: () => Promise<unknown>) => { try { console.log(name, JSON.stringify(await w())); } catch (c: any) { console.log(name, 'THROWS', c.message); } };
await tryit('cost overflow', async () => {
  const f = mkdtempSync('/tmp/rv/');
  const store = await openSqlite(join(f, 'board.db'), O);
  for (let b = 0; b < 5; b++) await ap(store, Array.from({ length: 2000 }, (_, i) => line('s1', reply('x', { uuid: `u${b}-${i}`, id: `m${b}-${i}`, tokens: { input: 1 }, more: { costUSD: 999999 } }))));
  return (await store.library.sessions({ limit: 9 })).map(s => s.spent);
});
await tryit('restore with wal', async () => {
  const f = mkdtempSync('/tmp/rv/');
  const home = homeOf({ env: { YARNBOARD_HOME: join(f, 'home'), YARNBOARD_STATE: join(f, 'state') }, home: f });
  const src = join(f, 'src'); mkdirSync(src);
  const store = await openSqlite(join(src, 'board.db'), O);
  await ap(store, [line('s1', prompt('alpha', { uuid: 'a' }))]);
  // as a killed process leaves it: the files as they are now
  const killed = join(f, 'killed'); mkdirSync(killed);
  for (const s of ['', '-wal']) copyFileSync(join(src, 'board.db' + s), join(killed, 'board.db' + s));
  await store.close();
  const r = await restoreBackup(home, join(killed, 'board.db'), () => NOON);
  const s = await openSqlite(home.database.slice(7), O);
  return [r, await s.log.head(), readdirSync(killed)];
});
await tryit('modes', async () => {
  const f = mkdtempSync('/tmp/rv/'); mkdirSync(join(f, 'home'), { mode: 0o755 });
  const home = homeOf({ env: { YARNBOARD_HOME: join(f, 'home'), YARNBOARD_STATE: join(f, 'state') }, home: f });
  const b = await openBoard({ home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: null });
  await b.writer.backup(join(f, 'x.db'));
  const m = (p: string) => (statSync(p).mode & 0o777).toString(8);
  const out = { home: m(home.folder), board: m(join(home.folder, 'board')), db: m(join(home.folder, 'board/board.db')), wal: m(join(home.folder, 'board/board.db-wal')), search: m(join(home.folder, 'board/search.db')), backup: m(join(f, 'x.db')) };
  await b.close(); return out;
});
await tryit('thread death', async () => {
  const f = mkdtempSync('/tmp/rv/');
  const home = homeOf({ env: { YARNBOARD_HOME: join(f, 'home'), YARNBOARD_STATE: join(f, 'state') }, home: f });
  const dist = '/work/main/packages/cli/dist/';
  const w = join(f, 'w.mjs');
  writeFileSync(w, `import { parentPort, workerData } from 'node:worker_threads';\nimport '${dist}writer-thread.mjs';\nparentPort.on('message', (m) => { if (m.method === 'poke') throw new Error('bug'); });\n`);
  const faults: string[] = [];
  const b = await openBoard({ home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: { writer: w, indexer: dist + 'indexer-thread.mjs', verifier: dist + 'verifier-thread.mjs' }, onFault: (c: any) => faults.push(c.message), onState: (s) => faults.push(JSON.stringify(s)) });
  const p = await b.writer.poke().catch((c: any) => c.message);
  await new Promise(r => setTimeout(r, 300));
  const h = await b.app.request('http://127.0.0.1:0/healthz', { headers: { host: '127.0.0.1:0' } });
  const out = [p, h.status, await h.json(), faults];
  await b.close().catch((c: any) => out.push('close: ' + c.message)); return out;
});
await tryit('stop order', async () => {
  const f = mkdtempSync('/tmp/rv/');
  const home = homeOf({ env: { YARNBOARD_HOME: join(f, 'home'), YARNBOARD_STATE: join(f, 'state') }, home: f });
  const s = await startServer({ home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: null, port: 0 });
  await s.imported;
  const c = s.close();
  const { runningServer, lockHome } = await import('../packages/server/src/board/lock.ts');
  let out: unknown = 'never seen';
  for (let i = 0; i < 100; i++) { if (runningServer(home) === null) { try { lockHome(home).release(); out = 'free'; } catch (e: any) { out = 'told stopped, but: ' + e.message.slice(0, 40); } break; } await new Promise(r => setImmediate(r)); }
  await c; return out;
});
