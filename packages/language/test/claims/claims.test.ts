import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readClaim, readClaims, readCore, type ReadClaim } from '../../src/claims/classify.ts';
import { proseIn } from '../../src/claims/prose.ts';

type Row = {
  readonly text: string;
  readonly type: string;
  readonly args: Readonly<Record<string, string | number>>;
  readonly half: 'tuning' | 'frozen';
};

/** Sentences as people and agents write them, labelled without sight of the rules; the card beside them says how. */
const lines = readFileSync(new URL('../../../../fixtures/labelled/claims/claims.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const rows = lines.map((line) => JSON.parse(line) as Row);
const frozen = rows.filter(({ half }) => half === 'frozen');

const CHECKABLE = [
  'config_value',
  'file_exists',
  'service_status',
  'current_state',
  'code_structure',
  'version_check',
  'dependency_exists',
  'did_it',
];
const NEVER = ['hypothesis', 'causation', 'recommendation', 'interpretation'];
const typeRead = (claim: ReadClaim | null): string => claim?.type ?? 'none';
const share = (part: readonly unknown[], whole: readonly unknown[]): number => part.length / whole.length;

/** Our arguments under the names of the labels. */
const argumentsOf = (claim: ReadClaim): string => {
  if (claim.kind !== 'checkable') return '';
  const bounds = { exactly: null, 'at-least': 'at_least', 'at-most': 'at_most', above: 'more_than', below: 'less_than', about: 'about' } as const;
  const { type, ...all } = claim.arguments;
  const { value: amount, bound: limit, name, deed, ...rest } = { value: null, bound: 'exactly', name: null, deed: null, ...all } as const;
  const bound = claim.isDenied ? 'not' : bounds[amount?.bound ?? limit];
  return listed({
    ...rest,
    act: deed,
    [type === 'current_state' ? 'subject' : 'name']: name,
    value: amount?.value ?? null,
    unit: amount?.unit ?? null,
    bound: type === 'config_value' || type === 'version_check' ? bound : null,
  });
};

const listed = (args: Readonly<Record<string, unknown>>): string =>
  Object.entries(args)
    .filter(([, value]) => value !== null)
    .map(
      ([key, value]) =>
        `${key}=${String(value)
          .toLowerCase()
          .replaceAll(/,(?=\d)/gu, '')}`,
    )
    .sort()
    .join(' ');

describe('sentences that nobody tuned the rules on', () => {
  const read = frozen.map((row) => ({ row, claim: readClaim(row.text) }));

  test('[CLAIM-17] are what they were before there were rules', () => {
    expect([rows.length, frozen.length]).toEqual([997, 500]);
    const text = lines.filter((_, at) => rows[at]?.half === 'frozen').join('\n');
    expect(createHash('sha256').update(text).digest('hex')).toBe('1aadb012d93f880233d987cc6c01884a10b66ef3bbc2cfa218851693569b8180');
  });

  test.each(CHECKABLE)('[CLAIM-17] of %s at least 95 of 100 are right', (type) => {
    const taken = read.filter(({ claim }) => typeRead(claim) === type);
    expect(taken.length).toBeGreaterThan(10);
    expect(
      share(
        taken.filter(({ row }) => row.type === type),
        taken,
      ),
    ).toBeGreaterThanOrEqual(0.95);
  });

  test('[CLAIM-17] at least 7 of 10 that can be checked are found, and 9 of 10 of those with exactly their arguments', () => {
    const due = read.filter(({ row }) => CHECKABLE.includes(row.type));
    const found = due.filter(({ row, claim }) => typeRead(claim) === row.type);
    expect(share(found, due)).toBeGreaterThanOrEqual(0.7);
    const exact = found.filter(({ row, claim }) => claim !== null && argumentsOf(claim) === listed(row.args));
    expect(share(exact, found)).toBeGreaterThanOrEqual(0.9);
  });

  test('[CLAIM-15] what is a matter of judgement, asked, planned, past or reported is never taken for what can be checked', () => {
    const judged = read.filter(({ row }) => NEVER.includes(row.type));
    expect(judged.length).toBeGreaterThan(100);
    expect(
      share(
        judged.filter(({ claim }) => claim?.kind === 'checkable'),
        judged,
      ),
    ).toBeLessThanOrEqual(0.005);
    const none = read.filter(({ row }) => row.type === 'none');
    expect(none.filter(({ claim }) => claim?.kind === 'checkable')).toEqual([]);
  });
});

describe('a text', () => {
  test('[CLAIM-14] only prose is read: no code, no quotations, no tables, no output; each claim stands where its words do', () => {
    const text = [
      'Redis is running. The timeout is 500ms.',
      '```',
      'Postgres is running.',
      '```',
      '> Kafka is running.',
      '| nginx is running. |',
      '    etcd is running.',
      '- **Node version is 20.10**',
      'The ticket says "Consul is running on all of the hosts".',
    ].join('\n');
    const claims = readClaims(text);
    expect(claims.map(({ type, words }) => [type, words])).toEqual([
      ['service_status', 'Redis is running.'],
      ['config_value', 'The timeout is 500ms.'],
      ['version_check', '**Node version is 20.10**'],
    ]);
    for (const { from, words } of claims) expect(text.slice(from, from + words.length)).toBe(words);
  });

  test('[CLAIM-16] a name with a scope is one of npm, and no path', () => {
    expect(readClaim('The package `@types/node` is installed.')).toMatchObject({ type: 'dependency_exists', arguments: { name: '@types/node' } });
    for (const name of ['@socket.io/redis-adapter', '@types/lodash.merge'])
      expect(readClaim(`The package \`${name}\` is installed.`)).toMatchObject({ arguments: { name } });
    for (const path of ['src/node', '@app/main.ts']) expect(readClaim(`\`${path}\` is installed.`)?.kind).not.toBe('checkable');
  });

  test('[CLAIM-16] an argument that is missing or of another shape makes it uncheckable, and nothing is guessed', () => {
    for (const text of [
      'It is running.',
      'The server is running.',
      'The file is at $(rm -rf x).',
      'The file is at ../../etc/passwd.',
      'The file is at http://example.org/x.',
      '`-rf` is running.',
      '`a;b` is installed.',
      'The timeout is long.',
      'Everything is installed.',
    ])
      expect([text, readClaim(text)]).toEqual([text, null]);
  });

  test.each([
    'Verify the port is 8443.',
    'Pretend the port is 8443.',
    'Use Python 3.12.',
    'Never use Python 2.7.',
    'Keep the port at 8443.',
    "I can't confirm that the tests pass.",
    'I was not able to verify that nginx is running.',
    'For the sake of argument, the limit is 100.',
    'The limit is 100, which is too low.',
    'The proposed timeout is 30s.',
    'The old default is 5.',
    'The expected port is 8443.',
    'Normal load average is 3.2.',
    'The next version is 3.0.',
    'The port is 8443 only in staging.',
    'There is a bug in src/a.ts.',
  ])('[CLAIM-15] an order, a guess, a value of another time or place is none of what there is: %s', (text) => {
    expect(readClaim(text)?.kind).not.toBe('checkable');
  });

  test.each([
    ['Check interval is set to 30s.', { type: 'config_value', key: 'check interval' }],
    ['Autocommit is off in my.cnf.', { type: 'config_value', key: 'autocommit', file: 'my.cnf' }],
    ['We have retries at 5 in config/worker.yaml.', { type: 'config_value', key: 'retries', file: 'config/worker.yaml' }],
    ['Max connections is 40.', { type: 'config_value', key: 'max connections' }],
    ['`REDIS_URL` is redis://localhost:6379', { type: 'config_value', key: 'REDIS_URL' }],
    ["There's a Makefile in the root of the repo.", { type: 'file_exists', path: 'Makefile' }],
    ["You'll find the fixtures under tests/fixtures/.", { type: 'file_exists', path: 'tests/fixtures/' }],
    ['The API gateway `kong` is down.', { type: 'service_status', name: 'kong', state: 'stopped' }],
    ['Something is already listening on port 8000.', { type: 'current_state', name: 'port 8000' }],
    ['`pg` is in package.json.', { type: 'dependency_exists', name: 'pg' }],
    ["There's no dependency on moment.", { type: 'dependency_exists', name: 'moment' }],
    ['kubectl is on my PATH.', { type: 'dependency_exists', name: 'kubectl' }],
    ['The package requires Python 3.10 or later.', { type: 'version_check', version: '3.10', bound: 'at-least' }],
    ['Typecheck and lint are clean.', { type: 'did_it', deed: 'types_passed' }],
    ['`npm test` passes.', { type: 'did_it', deed: 'tests_passed' }],
    ['I updated the README.', { type: 'did_it', deed: 'file_written', object: 'README' }],
  ])('[CLAIM-16] %s', (text, wanted) => {
    expect(readClaim(text)).toMatchObject({ kind: 'checkable', arguments: wanted });
  });

  test('[CLAIM-16] what nobody does is denied: nothing listens', () => {
    expect(readClaim('Nothing is listening on 5432.')).toMatchObject({ type: 'current_state', arguments: { name: 'port 5432' }, isDenied: true });
  });

  test('[CLAIM-15] the checkable core of what somebody was not sure of is read on purpose only', () => {
    expect(readClaim('I think Redis is running.')).toMatchObject({ kind: 'judgement', type: 'hypothesis', because: 'I think' });
    expect(readCore('I think Redis is running.')).toMatchObject({ type: 'service_status', arguments: { name: 'Redis' } });
    expect(readCore('I think we should restart it.')).toBeNull();
  });

  test('[CLAIM-15] no sentence is checkable any more once its author hedges, asks or makes it depend on something', () => {
    const checkable = rows.filter(({ text, type }) => CHECKABLE.includes(type) && type !== 'did_it' && readClaim(text)?.kind === 'checkable');
    fc.assert(
      fc.property(fc.constantFrom(...checkable), fc.constantFrom('I think ', 'Probably ', 'Maybe ', 'If ', 'As far as I know '), ({ text }, lead) => {
        expect(readClaim(`${lead}${text}`)?.kind).not.toBe('checkable');
        expect(readClaim(`${text.replace(/[.!]*$/u, '')}?`)?.kind).not.toBe('checkable');
      }),
    );
  });

  test('[CLAIM-14] any text is read, the same every time, and no sentence twice', () => {
    const pieces = fc.constantFrom(
      'Redis is running',
      'the timeout is 5',
      '`',
      '"',
      '. ',
      '\n',
      '```',
      ' is ',
      '/a/b.ts',
      ' 3.11',
      ', and ',
      '🎉',
      '\u0000',
      'a '.repeat(50),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const claims = readClaims(text);
        expect(readClaims(text)).toEqual(claims);
        expect(new Set(claims.map(({ from }) => from)).size).toBe(claims.length);
        for (const { from, text: words } of proseIn(text)) expect(text.slice(from, from + words.length)).toBe(words);
      }),
    );
  });
});
