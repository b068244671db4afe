import { createHash } from 'node:crypto';
import { MOST_MEDIA_BYTES } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { keptMedia, openMedia } from '../../../src/operations/board/media.ts';
import { makeBoard, type TestBoard } from '../../operations/boards.ts';
import { connectTo } from '../mcp/connections.ts';
import { serveBoard } from '../ws/sockets.ts';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** So many bytes, in chunks of an odd length; `breakAt` ends it with a fault. */
const streamed = (size: number, breakAt = Number.POSITIVE_INFINITY): ReadableStream<Uint8Array> => {
  let sent = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (sent >= breakAt) controller.error(new Error('the line went dead'));
      else if (sent >= size) controller.close();
      else {
        const chunk = new Uint8Array(Math.min(100_003, size - sent)).fill(sent % 251);
        sent += chunk.length;
        controller.enqueue(chunk);
      }
    },
  });
};

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(800_000, 3)]);

describe('media', () => {
  let board: TestBoard;
  const asOperator = (): Record<string, string> => ({ authorization: `Bearer ${board.token}` });
  const send = (body: BodyInit, headers: Record<string, string> = asOperator()): Promise<Response> =>
    board.ask('/uploads/media', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  const uploaded = async (body: BodyInit): Promise<string> => ((await (await send(body)).json()) as { readonly upload: string }).upload;
  const attached = async (name: string, body: BodyInit): Promise<string> => {
    const upload = await uploaded(body);
    const { ref } = await board.command('media_uploaded', { sidebar_id: 'SB-1', media_type: 'image', file_path: name, upload });
    return ref ?? '';
  };

  beforeAll(async () => {
    board = await makeBoard({});
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'Look at pictures' });
  });

  test('[MEDIA-4] [MEDIA-5] 24 MB go in and out of a server as a stream, and one byte more is refused with the limit', async () => {
    const server = await serveBoard();
    const url = `http://127.0.0.1:${server.port}`;
    const headers = { authorization: `Bearer ${server.token}` };
    const post = (body: BodyInit): Promise<Response> =>
      fetch(`${url}/uploads/media`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
    const say = async (name: string, input: object): Promise<{ readonly ref: string }> =>
      (await (await fetch(`${url}/api/v1/${name}`, { method: 'POST', headers, body: JSON.stringify(input) })).json()) as { readonly ref: string };
    await say('sidebars', { parent_id: null, task_description: 'Large' });
    const whole = Buffer.from(await new Response(streamed(MOST_MEDIA_BYTES)).arrayBuffer());
    const taken = await post(streamed(MOST_MEDIA_BYTES));
    expect([taken.status, await taken.json()]).toEqual([201, { upload: hashOf(whole), size: MOST_MEDIA_BYTES }]);
    const { ref } = await say('media', { sidebar_id: 'SB-1', media_type: 'image', file_path: 'screen.bin', upload: hashOf(whole) });
    const back = await fetch(`${url}/downloads/media/${ref}`);
    expect([back.status, back.headers.get('content-length')]).toEqual([200, String(MOST_MEDIA_BYTES)]);
    expect(hashOf(Buffer.from(await back.arrayBuffer()))).toBe(hashOf(whole));
    const more = await post(streamed(MOST_MEDIA_BYTES + 1));
    expect([more.status, await more.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'too-large', detail: expect.stringContaining('25,165,824 bytes (24 MB)') as string }),
    ]);
    const announced = await post(Buffer.alloc(MOST_MEDIA_BYTES + 1)).then(
      ({ status }) => status,
      () => 413, // refused while it was still sending
    );
    expect(announced).toBe(413);
    expect(await server.board.store.media.usage()).toEqual({ files: 1, bytes: MOST_MEDIA_BYTES, unfinished: 0 });
    await server.close();
  });

  test('[MEDIA-3] what was uploaded is attached by reference through any door, with what was found out about it', async () => {
    const upload = await uploaded(PNG);
    const mcp = await connectTo(board, { token: board.token });
    const input = { sidebar_id: 'SB-1', media_type: 'image', file_path: '/tmp/screen.png', upload };
    const { ref } = (await mcp.answer('media_uploaded', input)) as { readonly ref: string };
    expect(await board.get('media', { media_id: ref, content: 'true' })).toMatchObject({
      file_size: PNG.length,
      mime: 'image/png',
      hash: hashOf(PNG),
      processing_status: 'complete',
      content: null,
      download: `/downloads/media/${ref}`,
    });
    // What fits into an answer is in it, wherever it lies.
    const small = await attached('note.txt', 'a short note');
    expect(Buffer.from((await board.get('media', { media_id: small, content: 'true' })).content ?? '', 'base64').toString()).toBe('a short note');
    const { ref: inline } = await board.command('media_uploaded', {
      sidebar_id: 'SB-1',
      media_type: 'document',
      file_path: 'in.txt',
      content: Buffer.from('inline').toString('base64'),
    });
    expect(await (await board.ask(`/downloads/media/${inline}`)).text()).toBe('inline');
    // VERIFY-1: those in their entries are no more missed than those beside the log.
    expect(await board.command('verify', { deep: true })).toMatchObject({ is_whole: true, damages: [] });
  });

  test('[MEDIA-4] nothing is taken without a token, of nothing, or under a name that nobody uploaded', async () => {
    const before = await board.board.store.media.usage();
    expect((await send(PNG, {})).status).toBe(401);
    expect((await send('')).status).toBe(400);
    const refused = async (input: object) =>
      (
        await board.problem('/api/v1/media', {
          method: 'POST',
          headers: asOperator(),
          body: JSON.stringify({ sidebar_id: 'SB-1', media_type: 'image', file_path: 'x', ...input }),
        })
      ).code;
    expect(await refused({ upload: '0'.repeat(64) })).toBe('not-found');
    expect(await refused({ upload: 'no hash' })).toBe('bad-request');
    expect(await refused({})).toBe('bad-request');
    expect(await refused({ upload: hashOf(PNG), content: 'YQ==' })).toBe('bad-request');
    expect(await board.board.store.media.usage()).toEqual(before);
  });

  test('[MEDIA-5] it is served in ranges, not again to whoever has it, and as nothing that a browser would run', async () => {
    const ref = await attached('C:\\shots\\"scr\u202eeen".png', PNG);
    const path = `/downloads/media/${ref}`;
    const whole = await board.ask(path);
    expect(
      Object.fromEntries(
        ['content-type', 'content-disposition', 'etag', 'x-content-type-options', 'cache-control'].map((name) => [name, whole.headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="_screen_.png"; filename*=UTF-8''%22screen%22.png`,
      etag: `"${hashOf(PNG)}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect((await board.ask(path, { headers: { 'if-none-match': `"${hashOf(PNG)}"` } })).status).toBe(304);
    const ranges: readonly (readonly [string, number, number])[] = [
      ['bytes=0-0', 0, 1],
      ['bytes=524280-524300', 524_280, 524_301],
      ['bytes=-7', PNG.length - 7, PNG.length],
      ['bytes=800000-', 800_000, PNG.length],
    ];
    for (const [range, from, to] of ranges) {
      const part = await board.ask(path, { headers: { range } });
      expect([range, part.status, part.headers.get('content-range')]).toEqual([range, 206, `bytes ${from}-${to - 1}/${PNG.length}`]);
      expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), PNG.subarray(from, to))).toBe(0);
    }
    expect((await board.ask(path, { headers: { range: `bytes=${PNG.length}-` } })).status).toBe(416);
    expect((await board.ask(path, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } })).status).toBe(200);
    const page = await board.ask(`/downloads/media/${await attached('evil.html', '<script>alert(1)</script>')}`);
    expect([page.headers.get('content-type'), page.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      expect.stringMatching(/^attachment;/u),
    ]);
  });

  test('[SEC-29] a text is handed over without its secrets, through every door, and as it was to the operator who asks to see them', async () => {
    // Put together here, so that no scanner takes this file for a leak.
    const key = ['sk', 'ant', 'api03', 'Zq7Wm2Kx9Lp4Vt8Rb3Nc6Yd1Hf5Jg0'].join('-');
    const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ1walrus\n'.repeat(400);
    const long = `${'filler words\n'.repeat(40_000)}-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----\n${'filler\n'.repeat(90_000)}${key}\n`;
    const hidden = [key.slice(13, -4), 'walrus'];
    const texts: readonly (readonly [string, Buffer])[] = [
      ['note.txt', Buffer.from(`use ${key}`)],
      ['data.json', Buffer.from(`{"key":"\\u0073${key.slice(1)}","also":"${key}"}`)],
      ['drawing.svg', Buffer.from(`<svg><text>${key}</text></svg>`)],
      ['windows.log', Buffer.from(`\ufeffuse ${key}`, 'utf16le')],
      ['long.log', Buffer.from(long)],
    ];
    const readable = (bytes: Buffer): string => bytes.toString('utf8') + bytes.toString('utf16le');
    const leaks = (bytes: Buffer): readonly string[] => hidden.filter((secret) => readable(bytes).includes(secret));
    for (const [name, bytes] of texts) {
      const inline = bytes.length > 600_000 ? null : bytes.toString('base64');
      const refs = [await attached(name, new Uint8Array(bytes))];
      if (inline !== null) {
        const input = { sidebar_id: 'SB-1', media_type: 'document', file_path: name, content: inline };
        refs.push((await board.command('media_uploaded', input)).ref ?? '');
      }
      for (const ref of refs) {
        const path = `/downloads/media/${ref}`;
        const given = await board.ask(path);
        const shown = Buffer.from(await given.arrayBuffer());
        expect({ name, leaks: leaks(shown), length: given.headers.get('content-length') }).toEqual({ name, leaks: [], length: String(shown.length) });
        expect(readable(shown)).toContain('[masked anthropic-key');
        expect(given.headers.get('etag')).not.toContain(hashOf(bytes));
        const part = await board.ask(path, { headers: { range: 'bytes=2-5' } });
        expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, shown.subarray(2, 6)]);
        const { content } = await board.get('media', { media_id: ref, content: 'true' });
        expect(leaks(Buffer.from(content ?? '', 'base64'))).toEqual([]);
        const whole = await board.ask(`${path}?reveal=true`, { headers: asOperator() });
        expect(hashOf(Buffer.from(await whole.arrayBuffer()))).toBe(hashOf(bytes));
        expect((await board.problem(`${path}?reveal=true`)).status).toBe(403);
        const told = await board.command('media', { media_id: ref, content: 'true', reveal: 'true' });
        expect(told.content).toBe(inline);
      }
    }
    for (const { type, raw_content: raw } of (await board.get('log', { limit: 500 })).items) {
      if (type !== 'media.uploaded') continue;
      const { content = '' } = JSON.parse(raw ?? '{}') as { readonly content?: string };
      expect(leaks(Buffer.from(content, 'base64'))).toEqual([]);
    }
    const plain = await attached('plain.txt', 'nothing to hide');
    expect((await board.ask(`/downloads/media/${plain}`)).headers.get('etag')).toBe(`"${hashOf(Buffer.from('nothing to hide'))}"`);
  });

  test('[MEDIA-6] bytes that are not those that were uploaded are never handed over as a whole', async () => {
    const ref = await attached('whole.png', PNG);
    const { store, engine } = board.board;
    const tampered = {
      ...store.media,
      part: async (sha256: string, part: number) => {
        const bytes = await store.media.part(sha256, part);
        return bytes === null || part !== 1 ? bytes : Buffer.from(bytes).fill(9, 0, 1);
      },
    };
    const { read, size } = await openMedia({ store: { log: store.log, media: tampered }, engine }, ref, false);
    let taken = 0;
    await expect(async () => {
      for await (const piece of read(0, size)) taken += piece.length;
    }).rejects.toThrow('are not those that were uploaded');
    expect(taken).toBeLessThan(size);
  });

  test('[MEDIA-7] an upload that breaks off leaves nothing, and what nobody attached is swept away and counted', async () => {
    const { store, writer } = board.board;
    const before = await store.media.usage();
    await send(streamed(3_000_000, 1_000_000)).catch(() => null);
    expect(await store.media.usage()).toEqual(before);
    const forsaken = await uploaded('nobody attaches this');
    const kept = keptMedia(board.board.engine.board());
    expect(await writer.sweepMedia(Date.now() + 1000, kept)).toEqual({ uploads: 0, files: 1, bytes: 20 });
    expect([await store.media.find(forsaken), (await store.media.usage()).files]).toEqual([null, before.files]);
    expect(await (await board.ask('/metrics')).text()).toMatch(
      /yarnboard_media_files \d+\n(?:.*\n)*yarnboard_media_unfinished 0\n(?:.*\n)*yarnboard_media_swept 0\n/u,
    );
  });

  test('[MEDIA-7] what is forgotten is gone, unless the same file is attached elsewhere', async () => {
    const once = await attached('once.txt', 'only here');
    const twice = await attached('a.txt', 'here and there');
    const other = await attached('b.txt', 'here and there');
    for (const ref of [once, twice]) await board.command('forget', { ref: (await board.get('media', { media_id: ref })).uuid });
    expect((await board.ask(`/downloads/media/${once}`)).status).toBe(404);
    expect((await board.ask(`/downloads/media/${twice}`)).status).toBe(404);
    expect(await (await board.ask(`/downloads/media/${other}`)).text()).toBe('here and there');
    expect(await board.board.store.media.find(hashOf(Buffer.from('only here')))).toBeNull();
  });
});
