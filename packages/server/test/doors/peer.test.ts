import { spawn } from 'node:child_process';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPeers, type Ends } from '../../src/doors/peer.ts';
import { homeOf } from '../../src/home/home.ts';
import { startServer, type RunningServer } from '../../src/serving.ts';
import { makeFolder } from '../operations/boards.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (local: string, remote: string, uid: number): string =>
  `   3: ${local} ${remote} 01 00000000:00000000 02:000A7214 00000000  ${uid}        0 1234567 2 0000000000000000 20 4 30 10 -1`;
const ENDS: Ends = { remoteAddress: '127.0.0.1', remotePort: 40_000, localAddress: '127.0.0.1', localPort: 4_747 };
/** 40000 is 9C40, 4747 is 128B. */
const THEIRS = '0100007F:9C40';
const OURS = '0100007F:128B';
const MAPPED = '0000000000000000FFFF0000';

const peerIn = (tables: readonly string[], platform: NodeJS.Platform = 'linux') =>
  createPeers({ platform, uid: 1000, tables: () => tables }).of({ ...ENDS });

describe('who is at the other end', () => {
  test('[SEC-21] is the user whose socket has our ends the other way round, in either table', () => {
    expect(peerIn([[HEAD, row(OURS, THEIRS, 1000), row(THEIRS, OURS, 1000)].join('\n')])).toBe('owner');
    expect(peerIn([HEAD, [HEAD, row(MAPPED + THEIRS, MAPPED + OURS, 1000)].join('\n')])).toBe('owner');
    expect(peerIn([[HEAD, row(THEIRS, OURS, 1001)].join('\n')])).toBe('other');
    expect(peerIn([[HEAD, row(THEIRS, OURS, 0)].join('\n')])).toBe('root');
  });

  test('[SEC-21] is another one where no socket fits: our own end says nothing', () => {
    expect(peerIn([[HEAD, row(OURS, THEIRS, 1000)].join('\n')])).toBe('other');
    expect(peerIn([[HEAD, row('0200007F:9C40', OURS, 1000), row(THEIRS, '0100007F:128C', 1000)].join('\n')])).toBe('other');
    expect(peerIn([''])).toBe('other');
  });

  test('[SEC-21] many that come at once are looked up in one reading; one that comes later is looked up anew, whoever had its port before', () => {
    let reads = 0;
    let holder = 1000;
    const peers = createPeers({
      platform: 'linux',
      uid: 1000,
      tables: () => {
        reads += 1;
        return [[HEAD, row(THEIRS, OURS, holder), row('0100007F:9C41', OURS, 1001)].join('\n')];
      },
    });
    const [first, second] = [{ ...ENDS }, { ...ENDS, remotePort: 40_001 }];
    peers.accepted(first);
    peers.accepted(second);
    expect([peers.of(first), peers.of(second), peers.of(first), reads]).toEqual(['owner', 'other', 'owner', 1]);
    holder = 1001;
    const third = { ...ENDS };
    peers.accepted(third);
    expect([peers.of(third), peers.of(first), reads]).toEqual(['other', 'owner', 2]);
    expect([peers.of({ ...ENDS }), reads]).toEqual(['other', 3]);
  });

  test('[SEC-21] is not told on other systems', () => {
    expect(peerIn([[HEAD, row(THEIRS, OURS, 1000)].join('\n')], 'darwin')).toBe('untold');
  });

  test('[SEC-21] is found among any others, and nothing in the tables makes it somebody else', () => {
    const anyEnd = fc
      .tuple(fc.nat(0xffff_ffff), fc.nat(0xffff))
      .map(([a, p]) => `${a.toString(16).toUpperCase().padStart(8, '0')}:${p.toString(16).toUpperCase().padStart(4, '0')}`);
    const anyRow = fc
      .tuple(anyEnd, anyEnd, fc.nat(2000))
      .map(([local, remote, uid]) => (local === THEIRS && remote === OURS ? HEAD : row(local, remote, uid)));
    fc.assert(
      fc.property(fc.array(fc.oneof(anyRow, fc.string())), fc.array(anyRow), fc.constantFrom(0, 1000, 1001), (before, after, uid) => {
        const expected = { 0: 'root', 1000: 'owner', 1001: 'other' }[uid];
        expect(peerIn([[HEAD, ...before, row(THEIRS, OURS, uid), ...after].join('\n')])).toBe(expected);
      }),
    );
  });

  test.skipIf(process.platform !== 'linux')('[SEC-21] a real connection of this process is our own (needs Linux)', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket] = (await once(server, 'connection')) as [Socket];
    expect(createPeers().of(socket)).toBe('owner');
    client.destroy();
    socket.destroy();
    server.close();
  });
});

const canBecomeAnother = process.platform === 'linux' && process.getuid?.() === 0;

describe.skipIf(!canBecomeAnother)('another user of this machine (needs Linux, and root to become one)', () => {
  let server: RunningServer;
  let open: RunningServer;
  const start = (isOpenToRead: boolean): Promise<RunningServer> => {
    const folder = makeFolder();
    const home = homeOf({ env: { YARNBOARD_HOME: `${folder}/home`, YARNBOARD_STATE: `${folder}/state` }, home: folder });
    return startServer({ home, settings: { excludedProjects: [], roots: [], isOpenToRead }, roots: [], version: '0', programs: null, port: 0 });
  };
  beforeAll(async () => {
    server = await start(false);
    open = await start(true);
  });
  afterAll(async () => {
    await server.close();
    await open.close();
  });

  /** What a request comes to that a process of that user makes. */
  const ask = async (uid: number, url: string, init: object = {}): Promise<readonly [number, string]> => {
    const script = `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(async (r) => console.log(JSON.stringify([r.status, await r.text()])))`;
    const child = spawn(process.execPath, ['-e', script], { uid, gid: uid, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await once(child, 'close');
    return JSON.parse(out) as readonly [number, string]; // as it was written above
  };

  test('[SEC-21] reads nothing without a token, is told what to do, and reads with one', async () => {
    for (const path of ['/api/v1/status', '/api/v1/sessions', '/metrics', '/downloads/sessions/x?format=md']) {
      const [status, text] = await ask(NOBODY, server.url + path);
      expect([path, status]).toEqual([path, 401]);
      expect(text).toContain('only the user who runs the server may read');
    }
    expect((await ask(NOBODY, `${server.url}/healthz`))[0]).toBe(200);
    expect((await ask(NOBODY, `${server.url}/api/v1/status`, { headers: { authorization: `Bearer ${server.token}` } }))[0]).toBe(200);
    expect((await fetch(`${server.url}/api/v1/status`)).status).toBe(200);
    expect((await ask(NOBODY, `${open.url}/api/v1/status`))[0]).toBe(200);
  });

  test('[SEC-21] cannot enter by the operator’s link, which then still lets its owner in', async () => {
    const key = new URL(server.pageLink().url).hash.replace('#key=', '');
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ key }) };
    const path = `${server.url}/api/v1/enter`;
    expect((await ask(NOBODY, path, init))[0]).toBe(401);
    expect((await fetch(path, init)).status).toBe(200);
  });
});

const NOBODY = 65_534;
