import { crc32, deflateSync } from 'node:zlib';
import { author, type Author } from './transcripts.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The sessions of the story, by what they are there for. */
export const STORY_SESSIONS = {
  /** Markdown, code, diffs, failures, an image, sub-agents. */
  login: 'a11c0de5-0000-4000-8000-000000000001',
  /** Two branches, and a compaction before them. */
  branched: 'b4a9c4ed-0000-4000-8000-000000000002',
  /** At work now: a turn is open, and so is a sub-agent's. */
  live: '11fe11fe-0000-4000-8000-000000000003',
} as const;

/** Writes all of them into a folder as it would be watched; `now` is when the last of them is at work. */
export const writeSessions = (folder: string, now: number): void => {
  writeLogin(folder, now - 50 * MINUTE);
  writeBranched(folder, now - 26 * 60 * MINUTE);
  writeLive(folder, now - MINUTE);
  writeDays(folder, now);
};

const writeLogin = (folder: string, startsAt: number): void => {
  const session = author({ folder, sessionId: STORY_SESSIONS.login, cwd: '/home/dev/shop', startsAt });
  const { main } = session;
  main.asks('Logins time out every day around noon. Find out why, and mend it. The gateway is in `src/gateway`.');
  main.says('I look at how the gateway takes connections, and at what the logs of the last days say about noon.', {
    thinking:
      'Around noon: a job, or a peak of traffic. The pool comes to mind first. Before I guess I should see its size and who holds connections.',
  });
  main.uses(
    'Grep',
    { pattern: 'createPool', path: 'src', ['output_mode']: 'content' },
    { text: 'src/gateway/pool.ts:4:export const pool = createPool({ size: 5 });\nsrc/jobs/report.ts:2:import { pool } from "../gateway/pool.ts";' },
  );
  main.uses(
    'Read',
    { ['file_path']: '/home/dev/shop/src/gateway/pool.ts' },
    {
      text: POOL.split('\n')
        .map((line, n) => `${String(n + 1).padStart(6)}\t${line}`)
        .join('\n'),
    },
  );
  main.uses(
    'Bash',
    { command: 'grep -c "pool exhausted" logs/gateway-2026-11-1*.log', description: 'Count exhaustions by day' },
    { text: 'logs/gateway-2026-11-11.log:412\nlogs/gateway-2026-11-12.log:398\nlogs/gateway-2026-11-13.log:421\nlogs/gateway-2026-11-14.log:0' },
  );
  explore(session);
  main.says(FOUND, { cost: { output: 1450 } });
  main.uses(
    'Edit',
    {
      ['file_path']: '/home/dev/shop/src/gateway/pool.ts',
      ['old_string']: 'createPool({ size: 5 })',
      ['new_string']: 'createPool({ size: 5, patience: 2_000 })',
    },
    {
      text: 'The file /home/dev/shop/src/gateway/pool.ts has been updated.',
      more: {
        filePath: '/home/dev/shop/src/gateway/pool.ts',
        structuredPatch: [
          {
            oldStart: 2,
            oldLines: 4,
            newStart: 2,
            newLines: 5,
            lines: [
              ' ',
              ' /** One for the whole process. */',
              '-export const pool = createPool({ size: 5 });',
              '+// Whoever waits longer is told so, instead of timing out at the door.',
              '+export const pool = createPool({ size: 5, patience: 2_000 });',
              ' ',
            ],
          },
        ],
      },
    },
  );
  main.uses('Bash', { command: 'npm test -- gateway', description: 'Run the tests of the gateway' }, { text: FAILING, isError: true });
  main.says('The retry asks for a connection while it holds one. That is the leak: three retries of two requests take all five.');
  main.uses(
    'Edit',
    {
      ['file_path']: '/home/dev/shop/src/gateway/retry.ts',
      ['old_string']: 'await attempt(connection)',
      ['new_string']: 'await attempt(await released(connection))',
    },
    { text: 'The file /home/dev/shop/src/gateway/retry.ts has been updated.' },
  );
  main.uses(
    'Bash',
    { command: 'npm test -- gateway', description: 'Run the tests of the gateway again' },
    { text: '\u001B[32m✓\u001B[39m 48 passed\n\u001B[2mDone in 3.1 s\u001B[22m' },
  );
  main.uses(
    'Read',
    { ['file_path']: '/home/dev/shop/docs/pool-by-hour.png' },
    { text: [{ type: 'image', source: { type: 'base64', ['media_type']: 'image/png', data: plot() } }] },
  );
  main.says(
    'Mended. A retry gives its connection back first, and whoever waits more than two seconds is told that the pool is full.\n\nThe picture shows the pool by hour before and after: the peak at noon is gone.',
  );
  main.asks('Good. Write it down where the next one will find it.');
  main.uses(
    'Write',
    {
      ['file_path']: '/home/dev/shop/docs/incidents/logins-at-noon.md',
      content: '# Logins time out at noon\n\nCause: a retry held its connection while asking for another.\n',
    },
    { text: 'File created successfully at: /home/dev/shop/docs/incidents/logins-at-noon.md' },
  );
  main.says('It is in `docs/incidents/logins-at-noon.md`, with how to recognise it: *pool exhausted* in the log, always in multiples of three.');
  session.write();
};

/** A sub-agent with something to say, and another one inside it. */
const explore = (session: Author): void => {
  const { main } = session;
  const prompt = 'Find out who holds connections of the pool at noon. Report names of modules with how long they hold one.';
  const outer = session.agent('a0e1c2b3d4f5a6b7c', { agentType: 'Explore', description: 'Who holds connections', toolUseId: main.nextUse() });
  outer.asks(prompt);
  outer.says('I list everybody who asks the pool, then measure how long each of them keeps a connection.');
  outer.uses('Grep', { pattern: 'pool\\.take', path: 'src' }, { text: 'src/gateway/login.ts\nsrc/gateway/retry.ts\nsrc/jobs/report.ts' });
  const inner = session.agent('a9d8c7b6a5f4e3d2c', {
    agentType: 'general-purpose',
    parentAgentId: 'a0e1c2b3d4f5a6b7c',
    description: 'Time the report job',
    toolUseId: outer.nextUse(),
  });
  inner.asks('How long does the report of noon hold a connection?');
  inner.uses('Bash', { command: 'node scripts/time-report.mjs' }, { text: 'report: 38 s, one connection' });
  inner.says('One connection for 38 seconds, every day at 12:00.');
  outer.uses(
    'Agent',
    { description: 'Time the report job', prompt: 'How long does the report of noon hold a connection?', ['subagent_type']: 'general-purpose' },
    {
      text: [{ type: 'text', text: 'One connection for 38 seconds, every day at 12:00.' }],
      more: { status: 'completed', agentId: 'a9d8c7b6a5f4e3d2c', totalDurationMs: 21_000, totalTokens: 9100, totalToolUseCount: 1 },
    },
  );
  outer.says(HOLDERS);
  main.uses(
    'Agent',
    { description: 'Who holds connections', prompt, ['subagent_type']: 'Explore' },
    {
      text: [{ type: 'text', text: HOLDERS }],
      more: { status: 'completed', agentId: 'a0e1c2b3d4f5a6b7c', totalDurationMs: 64_000, totalTokens: 31_200, totalToolUseCount: 4 },
    },
  );
};

const writeBranched = (folder: string, startsAt: number): void => {
  const session = author({ folder, sessionId: STORY_SESSIONS.branched, cwd: '/home/dev/atlas', startsAt });
  const { main } = session;
  main.asks('Draw the map tiles as vectors. Begin with the coast.');
  main.says('The coast first: it is one layer, and the largest one.', { cost: { model: 'claude-sonnet-5', output: 300 } });
  main.uses('Read', { ['file_path']: '/home/dev/atlas/src/tiles.ts' }, { text: '     1\texport const tiles = loadRaster();' });
  main.compacts(
    'This session is being continued from a previous conversation that ran out of context.\n\nSummary:\n1. The coast is drawn as vectors; rivers are next.',
  );
  const fork = main.says('The coast is drawn. For the rivers there are two ways: simplify them while loading, or keep them and draw fewer.');
  main.asks('Simplify while loading.', { after: fork });
  main.says('Loading now takes 400 ms longer, and every frame is cheaper. I would not keep this.', { cost: { model: 'claude-sonnet-5' } });
  main.asks('Keep them whole, and draw fewer.', { after: fork });
  main.uses('Bash', { command: 'npm run bench -- rivers' }, { text: 'rivers: 61 fps (was 24)' });
  main.says('61 frames per second, and nothing is lost when zooming in.', { cost: { model: 'claude-sonnet-5' } });
  session.write();
};

const writeLive = (folder: string, startsAt: number): void => {
  const session = author({ folder, sessionId: STORY_SESSIONS.live, cwd: '/home/dev/shop', startsAt, pace: 4000 });
  const { main } = session;
  main.asks('Move the sessions of the shop to the new store, one table at a time.');
  main.says('I begin with carts. An agent checks meanwhile that nothing reads the old table any more.');
  const reader = session.agent('acafe0123456789ab', { agentType: 'Explore', description: 'Who reads carts', toolUseId: main.nextUse() });
  main.uses('Agent', { description: 'Who reads carts', prompt: 'Who reads the table carts?', ['subagent_type']: 'Explore' }, null);
  reader.asks('Who reads the table carts?');
  reader.uses('Grep', { pattern: 'FROM carts', path: 'src' }, null);
  session.write();
};

/** Small ones of the last two weeks: what plots by day are made of. */
const writeDays = (folder: string, now: number): void => {
  const work = [
    'Sort the changelog',
    'Why is the build slow?',
    'Name things in the cart',
    'A test for the coast',
    'Upgrade the linter',
    'Explain the scheduler',
    'Draft the release notes',
  ];
  const projects = ['/home/dev/shop', '/home/dev/atlas', '/home/dev/notes'];
  const models = ['claude-opus-5-5', 'claude-sonnet-5', 'claude-haiku-4-5'];
  for (let n = 0; n < 21; n += 1) {
    const title = work[n % work.length] ?? '';
    const sessionId = `da7e00${String(n).padStart(2, '0')}-0000-4000-8000-000000000000`;
    const session = author({ folder, sessionId, cwd: projects[n % 3] ?? '', startsAt: now - (2 + n * 0.65) * DAY });
    session.main.asks(title);
    const cost = { model: models[(n + 1) % 3] ?? '', cached: 60_000 * (1 + (n % 5)), output: 2000 + 1500 * (n % 6) };
    for (let step = 1; step <= 4 + (n % 7); step += 1) session.main.says(`${title}: step ${step}.`, { cost });
    session.write();
  }
};

const POOL = `import { createPool } from '../store/pool.ts';

/** One for the whole process. */
export const pool = createPool({ size: 5 });
`;

const HOLDERS = `Three modules take connections:

- \`login.ts\`: 20 ms each
- \`report.ts\`: **38 s**, once a day at 12:00
- \`retry.ts\`: as long as the attempt before it, up to 6 s`;

const FOUND = `## What happens at noon

The pool has **five** connections. At 12:00 the report takes one for 38 s; what is left is not enough for retries:

| who        | holds            | how often |
| ---------- | ---------------- | --------- |
| \`login\`    | 20 ms            | 40 / s    |
| \`report\`   | 38 s             | daily     |
| \`retry\`    | up to 6 s        | on errors |

A retry takes a *second* connection while it holds the first:

\`\`\`ts
const retried = async (connection: Connection): Promise<Answer> => {
  // Still holds \`connection\` while it waits for the next one.
  const next = await pool.take();
  return attempt(next);
};
\`\`\`

So I will

1. let waiting end after two seconds, with a clear error;
2. give the connection back before a retry;
3. leave the report alone, which is slow but not wrong.

See [the notes on pools](https://example.org/pools) for why more connections would only hide it.`;

const FAILING = `\u001B[31m✗\u001B[39m gateway › retries give their connection back
  AssertionError: expected 3 to be 1

  - Expected   1
  + Received   3

    at test/gateway.test.ts:41:28

47 passed, \u001B[31m1 failed\u001B[39m`;

/** Bars of a day, as a PNG: the smallest there is to show an image with. */
const plot = (): string => {
  const [width, height] = [240, 96];
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3, 0xf4);
    row[0] = 0;
    for (let x = 0; x < width; x += 1) {
      const hour = Math.floor(x / 10);
      const isBar = x % 10 > 1 && height - y < (hour === 12 ? 88 : 20 + ((hour * 37) % 30));
      if (isBar) row.set(hour === 12 ? [0xc8, 0x50, 0x3c] : [0x4a, 0x78, 0xa8], 1 + x * 3);
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]).toString('base64');
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
