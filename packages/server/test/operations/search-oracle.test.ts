import { REGISTRY, type Operation, type OperationName } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, pathOf, walk, type Input, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

// Put together here, so that no scanner takes this file for a leak.
const KEY = ['sk', 'ant', 'api03', 'q7wm2kx9lp4vt8rb3nc6yd1hf5jg0'].join('-');
const GITHUB = ['ghp', 'a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8'].join('_');
const PASSWORD = 'z3bra7finch9ostrich';
const LINES = Array.from({ length: 6 }, (_, n) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ${n}walrus`);
const PRIVATE = ['-----BEGIN RSA PRIVATE KEY-----', ...LINES, '-----END RSA PRIVATE KEY-----'];
/** What is hidden, each from the first character that a mask covers. */
const HIDDEN = [KEY.slice(13), GITHUB.slice(4), PASSWORD, (LINES[2] ?? '').toLowerCase()];
const SESSION = '11111111-0000-4000-8000-000000000001';

let board: TestBoard;
beforeAll(async () => {
  board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [
        prompt('u1', null, 0, `use the key ${KEY} please`, { cwd: `/home/ada/${GITHUB}`, gitBranch: GITHUB }),
        reply('u2', 'u1', 1, [{ type: 'text', text: `use ${GITHUB} instead` }, use('t1', 'Bash', { command: 'use it', password: PASSWORD })]),
        { ...result('u3', 'u2', 2, 't1', 'use done'), toolUseResult: { structuredPatch: [{ lines: PRIVATE }] } },
        prompt('u4', 'u3', 3, `use ${PRIVATE.join('\n')} and a wombat`),
        `{"type":"user" broken, use ${KEY} and password = "${PASSWORD}"`,
        { type: 'custom-title', customTitle: `use ${KEY}`, sessionId: SESSION },
      ],
      [`-p/${SESSION}/tool-results/t1.txt`]: [`use the whole output: ${KEY}`, ...PRIVATE],
      [`-p/${KEY}.jsonl`]: [prompt('y1', null, 30, 'use a session named like a key', { sessionId: KEY })],
    },
  });
  await board.command('sidebar_spawn', { parent_id: null, task_description: `use ${KEY} here` });
  await board.command('chat_message', { sidebar_id: 'SB-1', content: `use ${GITHUB} and password: "${PASSWORD}"` });
  await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: `use ${KEY}`, source_refs: ['MSG-1'] });
  await board.command('gold_created', {
    sidebar_id: 'SB-1',
    source_refs: ['MSG-1'],
    key_insight: `use ${KEY}`,
    reuse_pattern: 'use it again',
    trigger_conditions: [`refused token ${GITHUB}`, `login fails with ${KEY}`],
  });
  await board.board.indexer.drain();
});

/** An answer, with everything in it but what was asked. */
const answerTo = async (name: OperationName, input: Input, guess: string): Promise<string> => {
  const response = await board.ask(pathOf(name, input));
  const text = (await response.text()).toLowerCase().replaceAll(guess.toLowerCase(), '?');
  // A guess that looks like a secret is quoted with its end.
  return `${response.status} ${text.replaceAll(/…\S{4}\]/gu, '…]')}`;
};

/** All there is to ask with a beginning that may be right. */
const QUESTIONS: readonly ((guess: string) => string)[] = [
  (guess) => guess,
  (guess) => `${guess}*`,
  (guess) => `"${guess}"`,
  (guess) => `use -${guess}*`,
  (guess) => `use -${guess}`,
  (guess) => `use -"${guess}*"`,
  (guess) => `use ${guess}*`,
];

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'.split('');

/** Reads on behind a beginning, a character at a time: whichever gives another answer than all the others is the next one. */
const readOut = async (ask: (guess: string) => Promise<string>, start: string, most: number): Promise<string> => {
  let known = start;
  for (let n = 0; n < most; n += 1) {
    const answers = await Promise.all(ALPHABET.map(async (letter) => [letter, await ask(known + letter)] as const));
    const usual = answers.map(([, answer]) => answer).sort((a, b) => countIn(answers, b) - countIn(answers, a))[0];
    const others = answers.filter(([, answer]) => answer !== usual);
    if (others.length !== 1) return known.slice(start.length);
    known += others[0]?.[0] ?? '';
  }
  return known.slice(start.length);
};

const countIn = (answers: readonly (readonly [string, string])[], wanted: string): number => answers.filter(([, answer]) => answer === wanted).length;

describe('what is hidden takes no part in finding', () => {
  test('[SEC-23] a key cannot be read out by searching, though a word that everybody sees can', async () => {
    const search = (question: (guess: string) => string) => (guess: string) => answerTo('search', { q: question(guess), limit: 50 }, guess);
    for (const question of QUESTIONS.filter((one) => one('').endsWith('*'))) {
      expect(await readOut(search(question), 'wom', 1)).toBe('b');
      for (const secret of HIDDEN) {
        const start = secret.slice(0, 3);
        expect({ asked: question(start), read: await readOut(search(question), start, 1) }).toEqual({ asked: question(start), read: '' });
      }
    }
  });

  test('[SEC-23] [SEC-26] through no door does a right guess get another answer than a wrong one', async () => {
    const doors = Object.values<Operation>(REGISTRY).filter(({ method, who }) => method === 'GET' && who === 'anyone');
    let asked = 0;
    for (const { name, input, path } of doors) {
      const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, key = '']) => key);
      const furniture = Object.fromEntries(inPath.map((key) => [key, key === 'id' ? SESSION : 'SB-1']));
      for (const key of Object.keys(input.shape)) {
        const isText = key === 'q' || key === 'text';
        const base: Input = { ...furniture, ...('q' in input.shape && key !== 'q' ? { q: 'use' } : {}) };
        for (const secret of isText ? HIDDEN : [KEY, `/home/ada/${GITHUB}`])
          for (const length of isText ? [4, 12, secret.length - 1, secret.length] : [secret.length - 9, secret.length - 1])
            for (const question of isText ? QUESTIONS : [(guess: string) => guess]) {
              const right = secret.slice(0, length);
              const wrong = `${right.slice(0, -1)}${right.endsWith('j') ? 'z' : 'j'}`;
              const told = await Promise.all(
                [right, wrong].map((guess) => answerTo(name as OperationName, { ...base, [key]: question(guess) }, question(guess))),
              );
              asked += 1;
              // MEAN-25 looks at the question alone: a word is known to the model or not, whatever is on the board.
              const [toldRight, toldWrong] = told.map((one) => one.replace(',"unknown":true', ''));
              expect({ name, key, right: question(right), told: toldRight }).toEqual({ name, key, right: question(right), told: toldWrong });
            }
      }
    }
    expect(asked).toBeGreaterThan(300);
  });

  test('[SEC-26] filters compare what everybody sees: a whole secret fits no better than another one, and its mask fits', async () => {
    const [right, wrong] = [GITHUB, `ghp_${GITHUB.slice(4, -4).split('').toReversed().join('')}${GITHUB.slice(-4)}`];
    const hidden = { task_type: `kind ${right}`, tags: [`tag ${right}`] };
    const { ref: spawned } = await board.command('sidebar_spawn', { parent_id: null, task_description: 'archive me', ...hidden });
    const archived = spawned ?? '';
    await board.command('sidebar_archive', { sidebar_id: archived, archive_reason: 'manual' });
    await board.command('session_label', { id: SESSION, tags: [`label ${right}`] });
    await board.command('citation_created', { url: `https://ada:${PASSWORD}@host.example/a`, title: 'use it' });
    const mask = (await board.command('sidebar', { sidebar_id: archived })).tags[0]?.slice(4) ?? '';
    expect(mask).toMatch(/^\[masked/u);
    const count = async (name: OperationName, input: Input): Promise<number> => {
      const response = await board.ask(pathOf(name, input));
      return ((await response.json()) as { readonly items?: readonly unknown[] }).items?.length ?? -response.status;
    };
    const asked: readonly (readonly [OperationName, (guess: string) => Input])[] = [
      ['sidebars', (guess) => ({ archived: true, task_type: `kind ${guess}` })],
      ['archive_search', (guess) => ({ task_types: `kind ${guess}` })],
      ['archive_search', (guess) => ({ tags: `TAG ${guess}` })],
      ['sessions', (guess) => ({ tag: `Label ${guess}` })],
    ];
    for (const [name, of] of asked) {
      const counts = await Promise.all([right, wrong, mask].map((guess) => count(name, of(guess))));
      expect([name, of('?'), counts]).toEqual([name, of('?'), [1, 1, 1]]);
    }
    const facets = (await board.command('archive_search', { facets: true })).facets;
    expect(JSON.stringify(facets)).not.toContain(GITHUB.slice(4, 20).toLowerCase());
    // An address is told by its citation; a guess at the password in it is answered like any other.
    for (const guess of [PASSWORD, 'z3bra7finch9ostrixx']) expect(await count('trace', { ref: `https://ada:${guess}@host.example/a` })).toBe(-404);
  });

  test('[SEC-26] [PAD-21] a finding with a secret repeats no other, or its submitter would hear whether the secret is right', async () => {
    const { ref: spawned } = await board.command('sidebar_spawn', { parent_id: null, task_description: 'who guesses' });
    const submit = (content: string) => board.command('scratchpad_entry_submitted', { sidebar_id: spawned ?? '', content, source_refs: ['MSG-1'] });
    await submit(`the password is "${PASSWORD}"`);
    await submit('it rains');
    for (const guess of [PASSWORD, 'z3bra7finch9ostrixx']) expect((await submit(`the password is "${guess}"`)).warnings).toEqual([]);
    expect((await submit('It rains.')).warnings).toHaveLength(1);
  });

  test('[SEC-23] pages and counts are those of what everybody sees', async () => {
    const all = await walk(board, 'search', { q: 'use', limit: 1 });
    expect(all.length).toBeGreaterThan(8);
    for (const secret of HIDDEN) {
      const without = await walk(board, 'search', { q: `use -${secret}`, limit: 1 });
      expect(without.map(({ position }) => position)).toEqual(all.map(({ position }) => position));
    }
  });

  test('[SEC-25] the operator finds what is hidden, if he asks to see it, and nobody else does', async () => {
    for (const secret of [KEY, GITHUB, PASSWORD, `${KEY.slice(13, 20)}*`]) {
      const found = await board.command('search', { q: secret, reveal: true });
      expect(found.items.length).toBeGreaterThan(1);
      for (const { highlights } of found.items) expect(highlights.length).toBeGreaterThan(0);
      const positions: number[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await board.command('search', { q: secret, reveal: true, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
        positions.push(...page.items.map(({ position }) => position));
        cursor = page.next_cursor;
      }
      expect(positions).toEqual(found.items.map(({ position }) => position));
    }
    // What everybody finds comes behind, once.
    const words = await board.command('search', { q: 'use', reveal: true, limit: 100 });
    expect(words.items.map(({ position }) => position)).toEqual(
      (await board.get('search', { q: 'use', limit: 100 })).items.map(({ position }) => position),
    );
    expect((await board.command('search', { q: `use -${PASSWORD}`, reveal: true, limit: 100 })).items.length).toBe(words.items.length);
    expect((await board.problem(pathOf('search', { q: KEY, reveal: true }))).status).toBe(403);
    expect((await board.problem(pathOf('search', { q: KEY, cursor: 'x12' }))).status).toBe(400);
  });
});
