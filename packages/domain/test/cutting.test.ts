import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTimeOf } from '../../../tests/cpu-time.ts';
import { maskSecrets } from '../src/index.ts';
import { cutText } from '../src/policies/cutting.ts';
import { given } from './board/given.ts';

// Made up from a pattern, and never written whole: nothing in this file may look like a secret to a scanner.
const chars = (n: number, from = 'aB3dE5fG7hJ9kL1mN0pQ2rS4tU6vW8xYzC'): string =>
  Array.from({ length: n }, (_, i) => from[(i * 7 + Math.floor(i / 5)) % from.length]).join('');

const MARK = (which: string): string => `-----${which} PRIVATE KEY-----`;
const GITHUB = `ghp_${chars(36)}`;

/** What stands before a secret, the secret, and what stands behind it. */
const SECRETS: readonly (readonly [string, string, string])[] = [
  ['use ', GITHUB, ' here'],
  ['', `sk-ant-api03-${chars(80)}`, ''],
  ['id ', `AKIA${chars(16, 'QK7ZP3RM5XW2')}`, ', '],
  ['', `eyJ${chars(33)}.eyJ${chars(60)}.${chars(40)}`, ' ok'],
  ['Authorization: Bearer ', chars(40), '\n'],
  ['postgres://', `user:${chars(12)}`, '@db.test/x'],
  ['password = "', chars(24), '"; then'],
  ['API_KEY=', chars(32), '\nnext'],
  ['--token ', chars(24), ' x'],
  ['{\\"secret\\":\\"', chars(30), '\\"}'],
  ['', `${MARK('BEGIN')}\n${Array.from({ length: 8 }, () => chars(64)).join('\n')}\n${MARK('END')}`, '\n'],
];

/** Six characters in a row are more than the four that masking shows. */
const piecesOf = (secret: string): readonly string[] =>
  secret
    .replace(/^user:/u, '')
    .split(/[\n.]|-----[A-Z ]+-----/u)
    .flatMap((part) => Array.from({ length: Math.max(0, part.length - 5) }, (_, at) => part.slice(at, at + 6)));

const prose = fc.oneof(fc.constantFrom('', 'plain words ', '🧶 yarn 🧵', 'x=1; ', 'é ', '"quoted" '), fc.string({ maxLength: 30 }));

describe('shortened text', () => {
  test('[BOARD-8] is never longer than it may be, and is how the text begins', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat({ max: 310 }), (text, most) => {
        const cut = cutText(text, most);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut).toBe(text.length <= most ? text : cut);
      }),
    );
  });

  test('[BOARD-8] shows no part of a secret when it is masked, wherever it was cut and whatever is put behind it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(prose, fc.constantFrom(...SECRETS)), { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('', '…', ': and more', ' Please discuss.', ') '),
        (parts, share, behind) => {
          const text = parts.map(([before, [open, secret, close]]) => `${before} ${open}${secret}${close} `).join('');
          const shown = maskSecrets(text).text;
          const cut = maskSecrets(cutText(text, Math.floor(share * text.length)) + behind).text;
          const leaked = parts.flatMap(([, [, secret]]) => piecesOf(secret)).filter((piece) => cut.includes(piece) && !shown.includes(piece));
          expect(leaked).toEqual([]);
        },
      ),
    );
  });

  test('[BOARD-8] ends before a secret it would be cut in, and behind one that fits', () => {
    const text = `The token is ${GITHUB} and nothing else`;
    const cuts = Array.from({ length: text.length + 1 }, (_, most) => cutText(text, most));
    const behind = 13 + GITHUB.length + 2;
    expect(cuts).toEqual(cuts.map((_, most) => text.slice(0, most > 13 && most < behind ? 13 : most)));
  });

  test('[BOARD-8] has no half of a character at its end', () => {
    expect(Array.from({ length: 6 }, (_, most) => cutText('a🧶🧵', most))).toEqual(['', 'a', 'a', 'a🧶', 'a🧶', 'a🧶🧵']);
  });

  test('[BOARD-8] costs as much as is kept of it, however long the text is', () => {
    const took = cpuTimeOf(() => {
      for (let n = 0; n < 200; n += 1) cutText('password: x '.repeat(20_000), 100);
    });
    expect(took).toBeLessThan(2000);
  });
});

describe('on the board', () => {
  const masked = (value: unknown): string => maskSecrets(JSON.stringify(value)).text;
  const piece = GITHUB.slice(4, 14);

  test('[BOARD-8] a conflict is described without the secrets in its findings', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const other = `ghp_${chars(36, 'C9zYxW8vU6tS4rQ2pN0mL1kJ7hG5fE3dBa')}`;
    for (const content of [`The api key is ${GITHUB}`, `The api key is ${other}`]) stage.submits(sidebar, content);
    const told = stage.world.log.filter(({ type }) => type === 'conflict.detected' || type === 'chat.message');
    expect(told.length).toBe(2);
    const text = JSON.stringify(told).toLowerCase();
    expect([GITHUB, other].filter((secret) => text.includes(secret.slice(4, 14).toLowerCase()))).toEqual([]);
  });

  test('[BOARD-8] mentions, notices, summaries, changes, backups and refusals are shortened so', () => {
    const stage = given();
    const before = (most: number): string => `${'w'.repeat(most - 21)} `;
    const sidebar = stage.spawns({ task: `${before(200)}${GITHUB} x` });
    stage.does({ type: 'chat.say', sidebar, content: `@ada ${before(495)}${GITHUB} x` });
    stage.does({ type: 'mention.route', targets: ['ada'], message: `${before(1000)}${GITHUB} x` });
    stage.does({ type: 'sidebar.pause', sidebar, reason: 'lunch' });
    stage.spawns({ task: `${before(80)}${GITHUB} x` });
    stage.does({ type: 'sidebar.resume', sidebar });
    stage.does({ type: 'sidebar.wait', sidebar, waitingFor: `${before(200)}${GITHUB} x` });
    stage.does({ type: 'sidebar.resume', sidebar });
    const finding = stage.submits(sidebar, `${before(200)}${GITHUB} x`);
    stage.does({ type: 'finding.validate', sidebar, finding, status: 'pending', notes: `${before(1000)}${GITHUB} x` });
    stage.validates(sidebar, finding, 'confirmed');
    stage.golds({ sidebar, keyInsight: `${before(100)}${GITHUB} x` });
    stage.merges(sidebar, { target: { kind: 'session', sessionId: 's' } });
    const refusals = [
      stage.refuses({ type: 'gold.validate', gold: `${before(100)}${GITHUB} x`, status: 'confirmed' }),
      stage.refuses({ type: 'chat.say', sidebar, content: 'x', inReplyTo: `${before(100)}${GITHUB} x` }),
    ];
    const told = { log: stage.world.log, notices: [...stage.world.board.notices.entries()], refusals };
    const leaks = Object.entries(told).flatMap(([name, value]) => (masked(value).includes(piece) ? [name] : []));
    expect(leaks).toEqual([]);
  });
});
