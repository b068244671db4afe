import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readClaim } from '@yarnboard/language';
import { describe, expect, test } from 'vitest';
import { createChecker } from '../../src/validators/checker.ts';
import { aroundOf, makeTree, verdictOn } from './trees.ts';

const CANARY = 'kanarienvogel';

/** A project with secrets in it and around it, and links that lead out of it. */
const plant = (): { readonly root: string; readonly outside: string } => {
  const outside = makeTree({ 'private.toml': `timeout = 777\nname = "${CANARY}"\n`, 'notes/plan.md': CANARY });
  const root = makeTree({
    'app.toml': '[server]\ntimeout = 500\n',
    '.env': `API_KEY=${CANARY}\nretries=7\n`,
    '.env.local': `retries=7\n`,
    'config/secrets.yaml': `db:\n  password: ${CANARY}\n`,
    'config/app.yaml': `database:\n  password: ${CANARY}\n  pool: 7\ntokens:\n  github: ${CANARY}\n`,
    'keys/id_rsa': CANARY,
    'keys/server.pem': CANARY,
    '.aws/credentials': `aws_secret_access_key = ${CANARY}\n`,
    '.ssh/config': `Host ${CANARY}\n`,
  });
  symlinkSync(join(outside, 'private.toml'), join(root, 'linked.toml'));
  symlinkSync(outside, join(root, 'linked'));
  symlinkSync('loop-b', join(root, 'loop-a'));
  symlinkSync('loop-a', join(root, 'loop-b'));
  mkdirSync(join(root, 'deep'));
  writeFileSync(join(root, 'deep', 'x'), '');
  return { root, outside };
};

const GUESSES = [CANARY, 'kanarienvoge', 'kanarien', '777', '7', 'true', 'hunter2', 'a'.repeat(40)];
const WAYS_OUT = [
  '../private.toml',
  '../../etc/passwd',
  '/etc/passwd',
  '/etc/shadow',
  '/proc/self/environ',
  '/dev/sda',
  '~/.ssh/id_rsa',
  'linked.toml',
  'linked/private.toml',
  'linked/notes/plan.md',
  'loop-a',
  'deep/../../private.toml',
  'deep/./x/../../.env',
  '.env',
  '.env.local',
  '.aws/credentials',
  '.ssh/config',
  'keys/id_rsa',
  'keys/server.pem',
  'config/secrets.yaml',
  'CONFIG/SECRETS.YAML',
  '.ENV',
  './.env',
  'config//secrets.yaml',
  '$(cat .env)',
  '`cat .env`',
  'a;cat .env',
  '-rf',
  '..\\private.toml',
  '\u2025/private.toml',
  '.\u200Benv',
  '\u202Eenv.',
];
const KEYS = [
  'password',
  'database.password',
  'database password',
  'API_KEY',
  'api key',
  'tokens.github',
  'db.password',
  'aws_secret_access_key',
  'name',
  'retries',
];

/** What somebody with a token would say to find out what they may not know. */
const tries = (outside: string): readonly string[] => [
  ...WAYS_OUT.flatMap((path) => [
    `The file is at ${path}.`,
    `The file ${path} exists.`,
    `The file ${path} does not exist.`,
    `In ${path} the timeout is 777.`,
    `In ${path} the name is ${CANARY}.`,
    `The function ${CANARY} is defined in ${path}.`,
  ]),
  ...['private.toml', 'notes/plan.md', 'nothing.toml'].flatMap((name) => [
    `The file is at ${outside}/${name}.`,
    `The file ${outside}/${name} exists.`,
  ]),
  ...KEYS.flatMap((key) =>
    GUESSES.flatMap((value) => [`\`${key}\` is ${value}.`, `\`${key}\` is set to \`${value}\` in config/app.yaml.`, `The ${key} is ${value}.`]),
  ),
  ...[80, 22, 3306].flatMap((port) => [`Port ${port} is open.`, `http://169.254.169.254:${port} is reachable.`]),
  ...['$(id)', 'a;b', '-rf', '--help', '`id`', '../../bin/sh'].flatMap((name) => [
    `\`${name}\` is running.`,
    `\`${name}\` is installed.`,
    `${name} version is 3.11.`,
  ]),
];

describe('somebody with a token and five hundred tries', () => {
  test('[VAL-34] finds out nothing that is outside the folders, denied or secret: no word of it is told, and no guess is answered', async () => {
    const { root, outside } = plant();
    const all = tries(outside);
    expect(all.length).toBeGreaterThan(450);
    const around = aroundOf(root);
    let checked = 0;
    for (const sentence of all) {
      const read = readClaim(sentence);
      if (read?.kind !== 'checkable') continue;
      checked += 1;
      const verdict = await verdictOn(sentence, around);
      const told = JSON.stringify(verdict.checked.map(({ attempt }) => [attempt.evidence, attempt.foundAt]));
      // Its own guess may stand there; what is in the file may not, and neither is a guess confirmed.
      const isGuess = sentence.includes(CANARY);
      expect([sentence, isGuess ? verdict.outcome === 'confirmed' : told.includes(CANARY)]).toEqual([sentence, false]);
    }
    expect(checked).toBeGreaterThan(100);
  });

  test('[VAL-34] a guess that is right and one that is wrong get the same answer', async () => {
    const { root, outside } = plant();
    const around = aroundOf(root);
    const answers = async (sentence: string): Promise<string> => {
      const { outcome, conflicts, foundAt, says } = await verdictOn(sentence, around);
      return JSON.stringify([outcome, conflicts, foundAt, says]);
    };
    for (const [right, wrong] of [
      [`\`database.password\` is set to \`${CANARY}\` in config/app.yaml.`, '`database.password` is set to `hunter2abcdefg` in config/app.yaml.'],
      [`\`tokens.github\` is set to \`${CANARY}\` in config/app.yaml.`, '`tokens.github` is set to `hunter2abcdefg` in config/app.yaml.'],
      [`The file is at ${outside}/private.toml.`, `The file is at ${outside}/nothing.toml.`],
      ['The file keys/id_rsa exists.', 'The file keys/id_rsb_secret exists.'],
      ['The file .env exists.', 'The file .env.nothing exists.'],
      ['The file linked/private.toml exists.', 'The file linked/nothing.toml exists.'],
    ] as const)
      expect([right, await answers(right)]).toEqual([right, await answers(wrong)]);
  });

  test('[VAL-34] the process that checks opens nothing outside the folders and nothing denied, as the system saw it', async ({ skip }) => {
    const strace = '/usr/bin/strace';
    skip(!existsSync(strace), 'strace is not installed');
    const { root, outside } = plant();
    const trace = join(makeTree(), 'trace');
    const child = fileURLToPath(new URL('../../src/validators/child.ts', import.meta.url));
    const program = [process.execPath, '--conditions=yarnboard-source', '--import', import.meta.resolve('tsx'), child];
    const checker = createChecker({
      command: [strace, '-f', '-qq', '-o', trace, '-e', 'trace=open,openat,openat2', ...program],
      now: () => 0,
      patience: 60_000,
    });
    const place = {
      roots: { folders: [root], closed: [], problems: [] },
      cwd: root,
      services: [],
      mayAskContainers: false,
      ownPids: [],
      calls: null,
    };
    const asked = [`The file is at ${outside}/private.toml.`, 'The file linked/private.toml exists.', '`pool` is 7.', 'The file keys/id_rsa exists.'];
    for (const sentence of asked) {
      const read = readClaim(sentence);
      if (read?.kind !== 'checkable') throw new Error(sentence);
      await checker.check(read.arguments, place);
      const opened = readFileSync(trace, 'utf8');
      skip(/ptrace|Operation not permitted/u.test(opened.slice(0, 200)) || opened === '', 'nobody may be traced here');
      const places = [...opened.matchAll(/open(?:at2?)?\([^"]*"([^"]*)"/gu)].map(([, path = '']) => path);
      expect(places.length).toBeGreaterThan(10);
      expect(places.filter((path) => path.startsWith(outside) || /\/(?:\.env|id_rsa|secrets\.yaml|server\.pem|\.aws|\.ssh)/u.test(path))).toEqual([]);
      expect(places.filter((path) => /^\/(?:home|root)\//u.test(path) && !path.startsWith(root) && !path.includes('node_modules'))).toEqual([]);
    }
    await checker.close();
  });
});
