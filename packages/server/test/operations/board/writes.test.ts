import { sidebarOf } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { writesIn } from '../../../src/engine/writes.ts';
import { makeBoard } from '../boards.ts';
import { prompt, reply, result, use } from '../records.ts';

const SESSION = '11111111-0000-4000-8000-000000000012';

test('[AUTO-12] what a finding cites counts as written where a tool wrote for it: by message, by exchange and through a citation', async () => {
  const board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [
        prompt('p1', null, 0, 'Is the loom on?'),
        reply('r1', 'p1', 1, 'It is.'),
        prompt('p2', 'r1', 2, 'Switch it off.'),
        reply('u2', 'p2', 3, [use('t2', 'Edit', { ['file_path']: '/loom.conf', ['old_string']: 'on', ['new_string']: 'off' })]),
        result('x2', 'u2', 4, 't2', 'done'),
        reply('r2', 'x2', 5, 'It is off.'),
        prompt('p3', 'r2', 6, 'Thanks.'),
      ],
    },
  });
  const { ref: sidebar } = await board.command('sidebar_spawn', { parent_id: SESSION, task_description: 'Look after the loom' });
  const { refs } = await board.command('citation_created', { sidebar_id: sidebar, source: 'EXCH-2' });
  const citation = refs.find((one) => one.startsWith('CITE-')) ?? '';
  const written = async (source: string): Promise<readonly string[]> => {
    await board.command('scratchpad_entry_submitted', { sidebar_id: sidebar, content: `Found in ${source}.`, source_refs: [source] });
    const { engine, store } = board.board;
    const row = sidebarOf(engine.board(), sidebar ?? '');
    return row === null ? [] : writesIn(store, engine.board(), row);
  };
  expect(await written('EXCH-1')).toEqual([]);
  expect(await written('EXCH-3')).toEqual([]);
  expect(await written(citation)).toEqual(['EXCH-2']);
  expect(await written('MSG-4')).toEqual(['EXCH-2', 'MSG-4']);
});

/** A session of so many exchanges, each of so many replies. */
const talkOf = (exchanges: number, replies: number): readonly object[] =>
  Array.from({ length: exchanges }, (_, e) => [
    prompt(`p${e}`, e === 0 ? null : `r${e - 1}-${replies - 1}`, e, 'And on?'),
    ...Array.from({ length: replies }, (__, r) => reply(`r${e}-${r}`, r === 0 ? `p${e}` : `r${e}-${r - 1}`, e, 'On it goes.')),
  ]).flat();

test('[AUTO-40] a merge is decided by reading the cited exchanges, not the session around them; where these are very long, somebody has to look', async () => {
  const readFor = async (exchanges: number, replies: number): Promise<{ readonly read: number; readonly found: readonly string[] }> => {
    const board = await makeBoard({ files: { [`-p/${SESSION}.jsonl`]: talkOf(exchanges, replies) } });
    const { ref: sidebar } = await board.command('sidebar_spawn', { parent_id: SESSION, task_description: 'Look after the loom' });
    await board.command('scratchpad_entry_submitted', { sidebar_id: sidebar, content: 'Found.', source_refs: ['EXCH-1', 'EXCH-2'] });
    const { engine, store } = board.board;
    const row = sidebarOf(engine.board(), sidebar ?? '');
    let read = 0;
    const log: typeof store.log = {
      ...store.log,
      linesOf: async (...asked) => {
        const lines = await store.log.linesOf(...asked);
        read += lines.length;
        return lines;
      },
    };
    return { found: row === null ? ['nothing'] : await writesIn({ log, library: store.library }, engine.board(), row), read };
  };
  const [short, long] = [await readFor(20, 10), await readFor(200, 10)];
  expect(long.found).toEqual([]);
  expect(long.read).toBe(short.read);
  const endless = await readFor(2, 3000);
  expect(endless.found).toEqual(['EXCH-2']);
  expect(endless.read).toBeLessThan(5100);
});

test('[AUTO-12] a command that writes files counts as a tool that does, one that only looks does not; an exchange too long to be seen whole needs somebody', async () => {
  const run = (n: number, command: string): readonly ReturnType<typeof prompt>[] => [
    prompt(`p${n}`, n === 1 ? null : `r${n - 1}`, n, `Question ${n}?`),
    reply(`u${n}`, `p${n}`, n, [use(`t${n}`, 'Bash', { command })]),
    result(`x${n}`, `u${n}`, n, `t${n}`, 'done'),
    reply(`r${n}`, `x${n}`, n, `Answer ${n}.`),
  ];
  const commands = [
    'redis-cli ping && git status | tee /dev/null',
    'echo "off" > loom.conf',
    'npm test 2>&1 | tail -5 > /tmp/out.txt',
    'sed -i s/on/off/ loom.conf',
    "git log -1 && cat > notes.md <<'EOF'\nthread\nEOF",
  ];
  const last = commands.length + 1;
  const board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [
        ...commands.flatMap((command, at) => run(at + 1, command)),
        prompt('long', `r${commands.length}`, 50, 'And everything else?'),
        ...Array.from({ length: 5001 }, (_, at) => reply(`l${at}`, at === 0 ? 'long' : `l${at - 1}`, 51, `Thread ${at}.`)),
      ],
    },
  });
  const { ref: sidebar } = await board.command('sidebar_spawn', { parent_id: SESSION, task_description: 'Look after the loom' });
  const source_refs = Array.from({ length: last }, (_, at) => `EXCH-${at + 1}`);
  await board.command('scratchpad_entry_submitted', { sidebar_id: sidebar, content: 'The loom is on.', source_refs });
  const { engine, store } = board.board;
  const row = sidebarOf(engine.board(), sidebar ?? '');
  expect(row === null ? [] : await writesIn(store, engine.board(), row)).toEqual(['EXCH-2', 'EXCH-4', 'EXCH-5', `EXCH-${last}`]);
});
