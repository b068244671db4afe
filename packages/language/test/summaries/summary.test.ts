import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLanguage } from '../../src/language.ts';
import { sentencesOf } from '../../src/summaries/sentences.ts';
import type { Material } from '../../src/summaries/summary.ts';

const { summarise, tagsFor } = createLanguage({ mask: (text) => text.replaceAll('hunter2', '[masked]') });

const material = (task: string, talk: readonly string[], more: Partial<Material> = {}): Material => ({
  task,
  findings: [],
  fallen: [],
  talk: talk.map((text, i) => ({ ref: `MSG-${i + 1}`, text })),
  ending: [],
  ...more,
});

const findings = (...texts: readonly string[]): Material['findings'] =>
  texts.map((text, i) => ({ ref: `SCRATCH-1:FINDING-${i + 1}`, text, isGold: false }));

const LOGINS = [
  'Logins fail for ten minutes every day around 12:00. Users see a spinner and then a 504.',
  'Let me look at the gateway logs first.',
  'Could it be the DNS cache?',
  'The pool has 5 connections. At noon the report job opens 4 of them and holds them, so logins queue behind a single connection.',
  'Nice find!',
  "Agreed. Let's give the report job a separate pool of 2 and keep the login pool at 5.",
  "I've changed report/pool.ts and deployed it to staging.",
  'We still need to watch production for a day. Thanks all!',
];

describe('summaries', () => {
  test('[SUM-1] say what was asked, found, decided, changed and what is open, each sentence with its source', () => {
    expect(summarise(material('Why do logins time out at noon?', LOGINS))).toBe(
      'Why do logins time out at noon? ' +
        'Found: At noon the report job opens 4 of them and holds them, so logins queue behind a single connection (MSG-4). ' +
        "Decided: Let's give the report job a separate pool of 2 and keep the login pool at 5 (MSG-6). " +
        "Changed: I've changed report/pool.ts and deployed it to staging (MSG-7). " +
        'Open: We still need to watch production for a day (MSG-8).',
    );
  });

  test('[SUM-1] what keeps a conversation going is in none: thanks, promises to look, requests, guesses, questions that were answered', () => {
    const told = summarise(
      material('Name the owner of the queue', [
        'hi all',
        'Let me check the wiki.',
        '@ben can you ask the platform team?',
        'Maybe it is theirs?',
        'thanks!',
        'ok',
      ]),
    );
    expect(told).toBe('Name the owner of the queue. Nothing was found out.');
  });

  test('[SUM-1] code, logs, quotes and headings are no sentences, and lists are one for each line', () => {
    const text =
      '# Result\n> somebody said it is broken\n```\nthe cause is code\n```\n- The first thing\n- The second thing, e.g. this one\n12:00:01 started\nRun v1.2 now. it works.';
    expect(sentencesOf(text)).toEqual(['The first thing', 'The second thing, e.g. this one', 'Run v1.2 now.', 'it works.']);
  });

  test('[SUM-2] what was confirmed goes before what was only said, the most telling first, and what is left out is counted', () => {
    const found = findings(
      'Job 7 was disabled in March',
      'Tea is served at 4',
      'Backups run on Sundays',
      'Logins time out because the pool of 5 is empty at noon',
    );
    const told = summarise(material('Why do logins time out at noon?', LOGINS, { findings: found }));
    expect(told).toMatch(
      /^Why do logins time out at noon\? Found: Logins time out because the pool of 5 is empty at noon \(SCRATCH-1:FINDING-4\)\./u,
    );
    expect(told).toMatch(/And (?:one|\d) more findings?\./u);
  });

  test('[SUM-2] what was rejected, and what somebody took back later, is in none', () => {
    const wrong = summarise(
      material('Where does the time go?', ['The serializer takes 900 ms because it copies every buffer.'], {
        fallen: ['The serializer takes 900 ms, it copies buffers'],
      }),
    );
    expect(wrong).toBe('Where does the time go? Nothing was found out.');
    const changed = summarise(
      material('How long is the timeout?', ['It turned out the gateway timeout is 30 seconds.', 'It turned out the gateway timeout is 90 seconds.']),
    );
    expect([changed.includes('90'), changed.includes('30')]).toEqual([true, false]);
  });

  test('[SUM-2] what somebody proposed and asked consent for is a decision', () => {
    const told = summarise(
      material('Data loss in the sync engine', [
        'Meanwhile: conflict copies behind a flag, on for beta users. Everybody OK with that?',
        'fine by me',
      ]),
    );
    expect(told).toContain('Decided: Meanwhile: conflict copies behind a flag, on for beta users (MSG-1).');
  });

  test('[SUM-3] no summary is longer than 900 characters, and a result and a decision are never what is left out', () => {
    const long = 'on and on and on '.repeat(20);
    const talk = Array.from(
      { length: 40 },
      (_, i) => `The cause number ${i} is the cache of shard ${i}, because ${long}. We decided to use plan ${i} ${long}.`,
    );
    const told = summarise(material(`Find ${long}`, talk, { ending: [`It failed: ${long}`] }));
    expect(told.length).toBeLessThanOrEqual(900);
    expect(told).toMatch(/Found: .*Decided: /u);
  });

  test('[SUM-3] any texts give one, of at most 900 characters, masked, the same every time', () => {
    const anyText = fc.oneof(
      fc.string({ maxLength: 400, unit: 'binary' }),
      fc.lorem({ maxCount: 30, mode: 'sentences' }),
      fc.constant('The password is hunter2 because we decided so.'),
    );
    fc.assert(
      fc.property(anyText, fc.array(anyText, { maxLength: 8 }), fc.array(anyText, { maxLength: 30 }), (task, found, talk) => {
        const all = material(task, talk, { findings: findings(...found) });
        const told = summarise(all);
        expect(told.length).toBeLessThanOrEqual(900);
        expect(told).not.toContain('hunter2');
        expect(summarise(all)).toBe(told);
      }),
    );
  });

  test('[SUM-4] tags are the words that tell it from others, and its files; not how it ended, and not what everybody asks', () => {
    const tags = tagsFor({
      texts: [
        { text: 'Investigate the memory growth of the iOS feed', weight: 3 },
        { text: 'The feed leaks cells: src/feed/FeedCell.swift never cancels its image task', weight: 2 },
      ],
      files: ['app/Sources/Cache.swift'],
      others: ['Investigate the flaky build', 'Investigate the slow build', 'Why is memory of the build box full?'],
    });
    expect(tags).toEqual(expect.arrayContaining(['feed', 'ios', 'feedcell.swift', 'cache.swift']));
    for (const dull of ['investigate', 'build', 'the', 'growth of']) expect(tags).not.toContain(dull);
    expect(tags.length).toBeLessThanOrEqual(6);
  });
});
