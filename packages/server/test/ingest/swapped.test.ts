import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWithin, type OpenedAt } from '../../src/ingest/bounds.ts';
import { A, B, openBench, prompt, type Bench } from './bench.ts';

let bench: Bench;
let outside: string;
beforeEach(async () => {
  bench = await openBench();
  outside = mkdtempSync(join(tmpdir(), 'yarnboard-outside-'));
});
afterEach(async () => {
  await bench.close();
  rmSync(outside, { recursive: true, force: true });
});

const SECRET = 'nobody here may read this';

/** A file of elsewhere that would pass for a transcript. */
const victim = (): string => {
  const path = join(outside, `${B}.jsonl`);
  writeFileSync(path, `${JSON.stringify(prompt(SECRET, 1))}\n`);
  return path;
};

const swap = (path: string, target: string): void => {
  renameSync(path, `${path}.aside`);
  symlinkSync(target, path);
};

const textsOnLog = async (): Promise<string> => (await bench.entries()).map(({ text }) => text).join('\n');

/** Swaps at the first call only: behind the look, before the file is opened. */
const once = (work: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
};

describe('a file that a link takes the place of between being looked at and being opened', () => {
  const WHEN = {
    'before its ends are looked at': (swapNow: () => void) => ({ isExcluded: () => (swapNow(), false) }),
    'before it is read': (swapNow: () => void) => ({ onPending: swapNow }),
  };
  for (const [when, hooked] of Object.entries(WHEN)) {
    test(`[SEC-36] ${when}: nothing of elsewhere comes onto the log, and it is told`, async () => {
      const path = bench.write(`p/${A}.jsonl`, [prompt('mine', 1)]);
      const target = victim();
      const ingest = await bench.ingest(hooked(once(() => swap(path, target))));
      await ingest.importAll([bench.root]);
      expect(await textsOnLog()).not.toContain(SECRET);
      expect(ingest.troubles().map(({ path: file, why }) => [file, why])).toEqual([
        [path, expect.stringContaining('outside the folders that are read')],
      ]);
    });
  }

  test('[SEC-36] the same for one that the file system told of, and for a folder above it', async () => {
    const path = bench.write(`p/${A}.jsonl`, [prompt('mine', 1)]);
    const target = victim();
    const one = await bench.ingest({ isExcluded: excludingNothing(() => swap(path, target)) });
    await one.readFiles([path]);
    const deeper = bench.write(`q/${B}.jsonl`, [prompt('mine too', 1)]);
    const two = await bench.ingest({ isExcluded: excludingNothing(() => swap(join(bench.root, 'q'), outside)) });
    await two.readFiles([deeper]);
    expect(await textsOnLog()).not.toContain(SECRET);
    expect(one.troubles()).toHaveLength(1);
    expect(two.troubles()).toHaveLength(1);
  });

  test('[SEC-22] [SEC-36] a link that leads to a file below the same folders is read', async () => {
    const target = bench.write(`elsewhere/${A}.jsonl`, [prompt('mine', 1)]);
    mkdirSync(join(bench.root, 'p'));
    symlinkSync(target, join(bench.root, 'p', `${B}.jsonl`));
    expect((await bench.importAll()).added).toBe(1);
  });

  test('[SEC-36] where the system does not say what was opened, the file at its path must be the one that is open', async () => {
    const path = bench.write(`p/${A}.jsonl`, [prompt('mine', 1)]);
    const bounds = [realpathSync(bench.root)];
    const untold: OpenedAt = () => null;
    const handle = await openWithin(path, bounds, untold);
    await handle.close();
    const target = victim();
    // Swapped right behind the open, in front of the proof.
    const swapped: OpenedAt = () => (swap(path, target), null);
    await expect(openWithin(path, bounds, swapped)).rejects.toThrow('replaced while it was being opened');
    await expect(openWithin(path, bounds, untold)).rejects.toThrow('outside the folders');
  });
});

describe('links within what a tool keeps its sessions in', () => {
  const SESSION = 'ses_4a1b2c3d4e';
  const tree = (): string => {
    bench.write(`storage/session/p/${SESSION}.json`, [{ id: SESSION, directory: '/srv/mine', title: 'mine', time: { created: 1_790_000_000_000 } }]);
    const said = { id: 'msg_1', sessionID: SESSION, role: 'user', time: { created: 1_790_000_000_001 } };
    bench.write(`storage/message/${SESSION}/msg_1.json`, [said]);
    bench.write('storage/part/msg_1/prt_1.json', [{ id: 'prt_1', sessionID: SESSION, messageID: 'msg_1', type: 'text', text: 'mine' }]);
    return join(bench.root, 'storage');
  };
  const secret = (name: string, text: string): string => {
    const path = join(outside, name);
    writeFileSync(path, text);
    return path;
  };

  const LINKS: Readonly<Record<string, (storage: string) => void>> = {
    'a part of a message': (storage) => symlinkSync(secret('shadow', `root:${SECRET}`), join(storage, 'part/msg_1/prt_2.json')),
    'a message': (storage) => symlinkSync(secret('m.json', JSON.stringify({ role: SECRET })), join(storage, 'message', SESSION, 'msg_2.json')),
    'a folder of parts': (storage) => {
      secret('prt_9.json', JSON.stringify({ type: 'text', text: SECRET }));
      bench.write(`storage/message/${SESSION}/msg_2.json`, [{ id: 'msg_2', role: 'user', time: { created: 1_790_000_000_002 } }]);
      symlinkSync(outside, join(storage, 'part/msg_2'));
    },
  };
  for (const [what, link] of Object.entries(LINKS)) {
    test(`[SEC-22] ${what} in a tree of opencode: it is not followed, it is named, and the rest is read`, async () => {
      link(tree());
      const ingest = await bench.ingest();
      await ingest.importAll([bench.root]);
      const texts = await textsOnLog();
      expect(texts).not.toContain(SECRET);
      expect(texts).toContain('mine');
      expect(ingest.troubles().map(({ why }) => why)).toContainEqual(expect.stringContaining('links in there are not followed'));
    });
  }

  test('[SEC-22] what says where the chats of Gemini were had, where it is a link', async () => {
    const chat = {
      sessionId: B,
      startTime: '2026-11-16T00:22:00.000Z',
      messages: [{ id: 'm', type: 'user', content: 'mine', timestamp: '2026-11-16T00:22:01.000Z' }],
    };
    bench.write('tmp/p/chats/session-2026-11-16T00-22-da604097.json', [chat]);
    symlinkSync(secret('shadow', SECRET), join(bench.root, 'tmp/p/.project_root'));
    await bench.importAll();
    const all = JSON.stringify(await bench.entries());
    expect(all).not.toContain(SECRET);
    expect(all).toContain('mine');
  });

  test('[SEC-36] a chat of Gemini that a link takes the place of before it is read', async () => {
    const name = 'tmp/p/chats/session-2026-11-16T00-22-da604097.json';
    const chatOf = (content: string) => ({ sessionId: B, startTime: '2026-11-16T00:22:00.000Z', messages: [{ id: 'm', type: 'user', content }] });
    const path = bench.write(name, [chatOf('mine')]);
    const target = secret('chat.json', JSON.stringify(chatOf(SECRET)));
    const ingest = await bench.ingest({ onPending: once(() => swap(path, target)) });
    await ingest.importAll([bench.root]);
    expect(await textsOnLog()).not.toContain(SECRET);
    expect(ingest.troubles().map(({ why }) => why)).toContainEqual(expect.stringContaining('outside the folders that are read'));
  });
});

const excludingNothing = (work: () => void): (() => boolean) => {
  const swapNow = once(work);
  return () => (swapNow(), false);
};
