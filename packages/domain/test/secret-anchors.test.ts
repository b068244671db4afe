import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SHAPES, shapesIn } from '../src/policies/secret-shapes.ts';
import { spansOf } from '../src/policies/shape.ts';

// Made up from a pattern, and never written whole: nothing in this file may look like a secret to a scanner.
const r = (n: number, a = 'aB3dE5fG7hJ9kL1mN0pQ2rS4tU6vW8xYzC'): string =>
  Array.from({ length: n }, (_, i) => a[(i * 7 + Math.floor(i / 5) + 3) % a.length]).join('');
const hex = (n: number): string => r(n, '3fa9c0d18be2746531');
const upper = (n: number): string => r(n, 'QK7ZP3RM5XW2DTBHN46');

const PIECES: readonly string[] = [
  ...'token password PASSWORD passwd passphrase passcode pwd Pass PASS pw PW secret credentials api_key accessKey SECRET-KEY key_base _prod _2'.split(
    ' ',
  ),
  ...'= : := => > ( " \' ` \\" , ; & ? &amp; \\u0026 -- - -b _ . / :// :\\/\\/ :/\\/ @ @h * ~ $ + % A AAAA 7 \\n \\ { } < … é'.split(' '),
  ' ',
  '  ',
  '\n',
  '\t',
  '\u00A0',
  '\u2003',
  ' is ',
  ' was ',
  ' to ',
  '\n  value: ',
  'Value',
  'ENV ',
  'ARG\t',
  'setx ',
  ': string = ',
  '</',
  'Cookie: ',
  'sessionid=',
  'sig=',
  'code=',
  'auth = ("a", "',
  '"auth": "',
  '_authToken=',
  ':_auth=',
  'signature="',
  'Response=',
  'Authorization: ',
  'Bearer ',
  'basic ',
  "IDENTIFIED BY '",
  'ConvertTo-SecureString "',
  'secret_access_key ',
  'SecretAccessKey=',
  'Private-Lines: 4\n',
  '-----BEGIN ',
  'RSA PRIVATE KEY-----',
  '-----END RSA PRIVATE KEY-----',
  'mysql -u a -p',
  'docker login -p ',
  '7z a -p',
  '7z.exe -p',
  'az login -p ',
  'redis-cli -a ',
  'ldapadd -w ',
  'openssl x -passin pass:',
  'curl -u a:',
  'machine h login a password ',
  ':5432:',
  ':*:',
  'db:me:',
  'hooks.slack.com/services/',
  'discord.com/api/webhooks/1122334455667788/',
  'discordapp.com/api/v10/webhooks/1122334455667788/',
  'maker.ifttt.com/trigger/a/with/key/',
  'webhook.office.com/webhookb2/',
  'hooks.zapier.com/hooks/catch/12345/',
  'bot',
  '123456789:AA',
  '8Q~',
  '-us12',
  '.atlasv1.',
  'pat',
  'pat-na1-',
  '1/1234567890123456:',
  'pk_1234567_',
  're_',
  'secret_',
  'sk_',
  'v1.0-',
  'NRAL',
  'oy2',
  'cio',
  'EAAA',
  'amzn.mws.',
  'API-',
  'A3-',
  'sdk-',
  'key-',
  'pubkey-',
  'SK',
  'AKIA',
  'ABSK',
  'eyJ',
  'sk-',
  'ghp_',
  'sk-ant-',
  'glpat-',
  'SG.',
  'AIza',
  'xoxb-',
  'hf_',
  '1//0',
  'access_token$production$',
  'A'.repeat(21),
  ...[4, 8, 14, 16, 20, 24, 32, 40, 64].flatMap((n) => [r(n), hex(n)]),
  hex(36),
  r(43),
  r(60),
  r(100),
  hex(146),
  upper(5),
  upper(6),
  upper(11),
  upper(16),
  upper(32),
  `MT${r(22)}.${r(6)}.${r(38)}`,
  '7f3a9b2c-1234-4678-abcd-ef0123456789',
];

test('[SEC-1] [SEC-30] where no anchor stands nothing is missed: trying every shape at every character finds the same', () => {
  const found = new Set<string>();
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }), (pieces) => {
      const text = pieces.join('');
      const everywhere = Array.from({ length: text.length }, (_, at) => at);
      const sightings = shapesIn(text);
      for (const [order, shape] of SHAPES.entries()) {
        const tried = spansOf(text, { shape, order, places: everywhere });
        const seen = sightings.find((one) => one.order === order);
        expect([shape.kind, seen === undefined ? [] : spansOf(text, seen)]).toEqual([shape.kind, tried]);
        if (tried.length > 0) found.add(shape.kind);
      }
    }),
    { numRuns: 5 * (fc.readConfigureGlobal().numRuns ?? 100) },
  );
  expect(found.size).toBeGreaterThan(0);
});
