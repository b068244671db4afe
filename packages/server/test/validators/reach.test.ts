import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCleanPath, isDeniedName } from '../../src/validators/denied.ts';
import { createReach } from '../../src/validators/reach.ts';
import { rootsOf } from '../../src/validators/roots.ts';
import { searchFiles } from '../../src/validators/search.ts';
import { aroundOf, makeTree } from './trees.ts';

const NEVER = new AbortController().signal;

describe('what may be opened', () => {
  test('[VAL-16] some folders are no roots, even if they are named', () => {
    const home = makeTree({ 'project/a.txt': 'a', '.yarnboard/b': 'b' });
    const forbidden = { userHome: home, closed: [join(home, '.yarnboard')] };
    const named = ['/', home, '/etc', '/var', '/proc', '/proc/self', '/sys', '/dev', join(home, '.yarnboard'), 'relative', '/nowhere/at/all'];
    const { folders, problems } = rootsOf([...named, join(home, 'project')], forbidden);
    expect(folders).toEqual([join(home, 'project')]);
    expect(problems).toHaveLength(named.length);
  });

  test('[VAL-16] a closed folder stays closed however it is spelled, for a file system may take all spellings for the same', async () => {
    const root = makeTree({ 'Caf\u00e9/x.txt': 'closed', 'Cafe\u0301/x.txt': 'closed', 'CAF\u00c9/x.txt': 'closed', 'cafe/x.txt': 'open' });
    const reach = createReach(rootsOf([root], { userHome: '/nonexistent', closed: [join(root, 'Caf\u00e9')] }), root);
    for (const name of ['Caf\u00e9', 'Cafe\u0301', 'CAF\u00c9', 'cAF\u00c9'])
      expect([name, (await reach.read(join(root, name, 'x.txt'))).kind, reach.isHidden(root, name)]).toEqual([name, 'denied', true]);
    expect((await reach.read(join(root, 'cafe/x.txt'))).kind).toBe('text');
    expect((await reach.list(root, 10))?.map(({ name }) => name)).toEqual(['cafe']);
    const home = makeTree({ 'Home/me/project/a': '' });
    const spelled = rootsOf([join(home, 'Home')], { userHome: join(home, 'hOME/me'), closed: [] });
    expect([spelled.folders, spelled.problems.length]).toEqual([[], 1]);
  });

  test('[VAL-16] nothing outside the roots is opened, and no link is followed out of them', async () => {
    const outside = makeTree({ 'data.txt': 'outside' });
    const root = makeTree({ 'in/file.txt': 'inside', 'closed/x.txt': 'closed' });
    symlinkSync(join(outside, 'data.txt'), join(root, 'out.txt'));
    symlinkSync(outside, join(root, 'outer'));
    symlinkSync('in/file.txt', join(root, 'near.txt'));
    symlinkSync('loop', join(root, 'loop'));
    const reach = createReach(rootsOf([root], { userHome: '/nonexistent', closed: [join(root, 'closed')] }), root);
    const kind = async (path: string) => (await reach.read(path)).kind;
    expect(await kind(join(root, 'in/file.txt'))).toBe('text');
    expect(await kind(join(root, 'near.txt'))).toBe('text');
    for (const path of [
      join(root, 'out.txt'),
      join(root, 'outer/data.txt'),
      join(outside, 'data.txt'),
      join(root, 'closed/x.txt'),
      `${root}/../x`,
      '/etc/passwd',
    ])
      expect([path, await kind(path)]).toEqual([path, 'denied']);
    // VAL-19: nobody learns whether it is there.
    expect(await kind(join(root, 'outer/nothing'))).toBe('denied');
    expect(await kind(join(outside, 'nothing'))).toBe('denied');
    expect(await kind(join(root, 'loop'))).toBe('denied');
    expect(await kind(join(root, 'nothing'))).toBe('absent');
  });

  test('[VAL-17] secrets are never opened, listed or told from what does not exist', async () => {
    const names = [
      '.env',
      '.env.local',
      'prod.env',
      'server.pem',
      'id_rsa',
      'my-credentials.json',
      'client_secret.json',
      '.npmrc',
      '.netrc',
      'token',
      'api-token.txt',
      'x.tfstate',
    ];
    const root = makeTree({ ...Object.fromEntries(names.map((name) => [name, 'x'])), '.ssh/config': 'x', '.aws/config': 'x', 'plain.txt': 'x' });
    const { reach } = aroundOf(root);
    for (const name of [...names, '.ssh/config', '.aws/config', '.env.nothing'])
      expect([name, await reach.look(join(root, name))]).toEqual([name, { kind: 'denied' }]);
    expect((await reach.list(root, 100))?.map(({ name }) => name)).toEqual(['plain.txt']);
    expect((await searchFiles(reach, () => true, { signal: NEVER })).found.map(({ name }) => name)).toEqual(['plain.txt']);
    expect(['tokenizer.ts', 'monkey.ts', 'environment.ts', 'keys.ts'].filter(isDeniedName)).toEqual([]);
  });

  test('[VAL-18] what is no regular file, too large, not a text or not ours says so, and nobody waits for it', async () => {
    const root = makeTree({ 'huge.json': '', 'binary.bin': 'a\0b', 'locked/in.txt': 'x', 'folder/x': '' });
    execFileSync('mkfifo', [join(root, 'fifo')]);
    truncateSync(join(root, 'huge.json'), 2_000_000_000);
    writeFileSync(join(root, 'latin.txt'), Buffer.from([0xff, 0xfe, 0x41]));
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(join(root, 'socket'), resolve));
    const { reach } = aroundOf(root);
    const why = async (name: string) => {
      const read = await reach.read(join(root, name));
      return read.kind === 'unreadable' ? read.why : read.kind;
    };
    expect(await why('fifo')).toBe('it is not a regular file');
    expect(await why('huge.json')).toBe('the file is larger than 1 MB');
    expect(await why('binary.bin')).toBe('it is not a text');
    expect(await why('latin.txt')).toBe('it is not valid UTF-8');
    expect(await why('folder')).toBe('folder');
    expect(await why('socket')).toBe('it cannot be opened');
    expect(await why('locked/in.txt/deeper')).toBe('absent');
    chmodSync(join(root, 'locked/in.txt'), 0);
    // Whoever runs as root may read everything.
    expect(await why('locked/in.txt')).toBe(process.getuid?.() === 0 ? 'text' : 'permission denied');
    await new Promise((resolve) => server.close(resolve));
  });

  test('[VAL-16] a folder that is swapped for a link while one looks leads nowhere', async () => {
    const outside = makeTree({ 'file.txt': 'SECRET OF OTHERS' });
    const root = makeTree({ 'a/file.txt': 'mine' });
    const { reach } = aroundOf(root);
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) {
        renameSync(join(root, 'a'), join(root, 'b'));
        symlinkSync(outside, join(root, 'a'));
        await new Promise(setImmediate);
        rmSync(join(root, 'a'));
        renameSync(join(root, 'b'), join(root, 'a'));
        await new Promise(setImmediate);
      }
    })();
    const texts = new Set<string>();
    for (let i = 0; i < 300; i += 1) {
      const read = await reach.read(join(root, 'a/file.txt'));
      if (read.kind === 'text') texts.add(read.text);
    }
    isOver = true;
    await swapping;
    expect([...texts].filter((text) => text !== 'mine')).toEqual([]);
  });

  test('[VAL-16] a file that is swapped for a link or a FIFO while one looks is read as it was, or not at all, and nobody waits', async () => {
    const outside = makeTree({ 'file.txt': 'SECRET OF OTHERS' });
    const root = makeTree({ 'in/file.txt': 'mine', 'shelf/x': '' });
    const [place, shelf] = [join(root, 'in/file.txt'), join(root, 'shelf')];
    symlinkSync(join(outside, 'file.txt'), join(shelf, 'link'));
    execFileSync('mkfifo', [join(shelf, 'fifo')]);
    const { reach } = aroundOf(root);
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) {
        for (const other of ['link', 'fifo']) {
          renameSync(place, join(shelf, 'file'));
          renameSync(join(shelf, other), place);
          await new Promise(setImmediate);
          renameSync(place, join(shelf, other));
          renameSync(join(shelf, 'file'), place);
          await new Promise(setImmediate);
        }
      }
    })();
    const texts = new Set<string>();
    for (let i = 0; i < 300; i += 1) {
      const read = await reach.read(place);
      if (read.kind === 'text') texts.add(read.text);
    }
    isOver = true;
    await swapping;
    expect([...texts].filter((text) => text !== 'mine')).toEqual([]);
    expect(await reach.read(place)).toMatchObject({ kind: 'text', text: 'mine' });
  });

  test('[VAL-20] a search stops at its bounds, and says whether it saw everything', async () => {
    const root = makeTree(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`d${i}/f.txt`, ''])));
    mkdirSync(join(root, 'node_modules/x'), { recursive: true });
    writeFileSync(join(root, 'node_modules/x/f.txt'), '');
    symlinkSync(root, join(root, 'd1/up'));
    const { reach } = aroundOf(root);
    const isWanted = (name: string) => name === 'f.txt';
    expect(await searchFiles(reach, isWanted, { signal: NEVER, most: 100 })).toMatchObject({ isWhole: true, found: { length: 60 } });
    expect((await searchFiles(reach, isWanted, { signal: NEVER, mostEntries: 30 })).isWhole).toBe(false);
    expect((await searchFiles(reach, isWanted, { signal: NEVER, most: 5 })).found).toHaveLength(5);
    expect(await searchFiles(reach, isWanted, { signal: AbortSignal.abort() })).toEqual({ found: [], isWhole: false });
  });

  test('[VAL-16] whatever path is asked for, only what lies in the root is ever read', async () => {
    const outside = makeTree({ x: 'OUT' });
    const root = makeTree({ 'a/x': 'in', x: 'in' });
    const { reach } = aroundOf(root);
    const part = fc.constantFrom('a', 'x', '..', '.', '~', '/', outside, root, '\0', '%2e%2e', 'etc', 'passwd');
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.boolean(), async (parts, isBelow) => {
        const path = `${isBelow ? `${root}/` : ''}${parts.join('/')}`;
        fc.pre(isCleanPath(path));
        const read = await reach.read(path.startsWith('/') ? path : join(root, path));
        expect(read.kind === 'text' ? read.text : 'in').toBe('in');
      }),
    );
  });
});
