import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { discover } from '../../src/ingest/discover.ts';
import { readGroup, type GroupReading } from '../../src/ingest/group.ts';
import { planGroups } from '../../src/ingest/plan.ts';
import { add, compareScenario, type Tolerance } from './compare.ts';
import { homeOf, openDatabase } from './homes.ts';
import { scenarios } from './told.ts';

/** The same call under the name that everything else knows for it (OPEN-7). */
const NAMES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  task: 'Agent',
  todowrite: 'TodoWrite',
};

const TOLERANCE: Tolerance = {
  around: { hasBranch: false, interrupted: / abort$/u, hasErrors: true, hasFiles: false },
  nameOf: (name) => NAMES[name] ?? name,
  // Deleted with the next prompt: nothing of it is left unless it was read before (OPEN-10).
  messagesOf: (messages) => messages.filter(({ dropped }) => dropped !== true),
  // Of a tool that is not there only its name is kept.
  inputOf: ({ name, input, result }) =>
    name === 'no_such_tool' ? { tool: name, error: result?.replace('The arguments provided to the tool are invalid: ', '') } : input,
  // Half of a text that a kill cut off.
  textOf: (text) => text.slice(0, 90),
  // What the fork is called is the tool's own.
  titleOf: ({ title = null, kind }) => (title !== null && kind === 'fork' ? `${title} (fork #1)` : title),
  usageOf: (session) => {
    const compactions = (session.own_requests ?? []).filter(({ kind }) => kind === 'compact').map(({ usage }) => usage);
    const own = session.kind === 'fork' ? session.usage : (session.usage_in_files ?? session.usage);
    return compactions.reduce(add, own);
  },
};

describe.each(scenarios('opencode'))('$name', (scenario) => {
  test('[OPEN-2] [OPEN-5] [OPEN-7] [OPEN-9] is reported as it happened', () => {
    const home = homeOf('opencode', scenario.folder);
    try {
      expect(compareScenario(home.folder, scenario, TOLERANCE)).toBeGreaterThan(0);
    } finally {
      home.close();
    }
  });
});

describe('a long session in a database', () => {
  const MESSAGES = 150;
  const LONG = 20_000;

  /** The plain scenario, with many prompts after it. Each text has its number in the middle. */
  const longHome = (): ReturnType<typeof homeOf> => {
    const plain = scenarios('opencode').find(({ name }) => name === '1.18.33 plain');
    const home = homeOf('opencode', plain?.folder ?? '');
    const database = openDatabase(join(home.folder, 'opencode.db'));
    const { id, session_id: session } = database.prepare('SELECT id, session_id FROM message WHERE data LIKE \'%"role":"user"%\'').get() as {
      readonly id: string;
      readonly session_id: string;
    }; // rows are objects
    const more = (table: string, values: string) => database.prepare(`INSERT INTO ${table} SELECT ${values} FROM ${table} WHERE id = ?`);
    const message = more('message', "'msg_z' || ?, session_id, time_created + ?, time_updated, data");
    const part = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
    for (let n = 100; n < 100 + MESSAGES; n += 1) {
      message.run(String(n), n * 1000, id);
      const text = `${'a'.repeat(LONG)} number${n}. ${'b'.repeat(LONG)}`;
      part.run(`prt_z${n}`, `msg_z${n}`, session, 1_794_787_480_000 + n, 1_794_787_480_000 + n, JSON.stringify({ type: 'text', text }));
    }
    database.pragma('journal_mode = DELETE');
    database.close();
    return home;
  };

  const readOnce = (folder: string): GroupReading => {
    const [group] = planGroups(discover([folder])).groups;
    if (group === undefined) throw new Error('no session was found');
    return readGroup(group);
  };

  test('[OPEN-3] is read once with and without an index alike, and a damaged one as far as it goes, which is reported', () => {
    const home = longHome();
    const file = join(home.folder, 'opencode.db');
    try {
      const without = readOnce(home.folder);
      expect(without.session.main.nodes.length).toBeGreaterThanOrEqual(MESSAGES);
      openDatabase(file).exec('CREATE INDEX own ON part (message_id, id)').close();
      const within = readOnce(home.folder);
      const told = ({ session, counts, skipped, files }: GroupReading) => ({
        uuids: session.main.nodes.map(({ uuid }) => uuid),
        counts,
        skipped,
        files,
      });
      expect(told(within)).toEqual(told(without));
      const bytes = readFileSync(file);
      const size = bytes.readUInt16BE(16);
      // The page in the middle of a text names one that is not there as the next.
      bytes.writeUInt32BE(0xffffffff, Math.floor(bytes.indexOf('number200.') / size) * size);
      writeFileSync(file, bytes);
      const damaged = readOnce(home.folder);
      expect(damaged.skipped).toMatchObject([{ reason: expect.stringMatching(/^in part: /u) as string }]);
      expect(damaged.files).toBe(1);
      expect(damaged.counts.records).toBeGreaterThan(100);
      expect(damaged.counts.records).toBeLessThan(without.counts.records);
    } finally {
      home.close();
    }
  });
});
