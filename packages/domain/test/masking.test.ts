import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasSecrets, maskingJson, maskJson, maskSecrets, type Lasting } from '../src/index.ts';

// Made up from a pattern, and never written whole: nothing in this file may look like a secret to a scanner.
const chars = (n: number, from = 'aB3dE5fG7hJ9kL1mN0pQ2rS4tU6vW8xYzC'): string =>
  Array.from({ length: n }, (_, i) => from[(i * 7 + Math.floor(i / 5)) % from.length]).join('');
const hex = (n: number): string => chars(n, '3fa9c0d18be2746531');
const UPPER = 'QK7ZP3RM5XW2';

const SECRETS: readonly (readonly [kind: string, secret: string])[] = [
  ['anthropic-key', `sk-ant-api03-${chars(80)}_-${chars(11)}AA`],
  ['anthropic-key', `sk-ant-oat01-${chars(90)}`],
  ['openai-key', `sk-${chars(48)}`],
  ['openai-key', `sk-proj-${chars(60)}_${chars(20)}-${chars(20)}`],
  ['openai-key', `sk-${hex(32)}`],
  ...['p', 'o', 'u', 's', 'r'].map((letter) => ['github-token', `gh${letter}_${chars(36)}`] as const),
  ['github-token', `github_pat_${chars(22)}_${chars(59)}`],
  ['gitlab-token', `glpat-${chars(20)}`],
  ['gitlab-token', `glpat-${chars(27)}.01.${chars(9)}`],
  ['aws-key-id', `AKIA${chars(16, UPPER)}`],
  ['aws-key-id', `ASIA${chars(16, UPPER)}`],
  ['google-key', `AIza${chars(35)}`],
  ...['a', 'b', 'p', 'r', 's'].map((letter) => ['slack-token', `xox${letter}-${chars(12, '8135')}-${chars(24)}`] as const),
  ['stripe-key', `sk_live_${chars(24)}`],
  ['stripe-key', `rk_live_${chars(99)}`],
  ['npm-token', `npm_${chars(36)}`],
  ['huggingface-token', `hf_${chars(34)}`],
  ['jwt', `eyJ${chars(33)}.eyJ${chars(60)}.${chars(40)}-_w`],
];

const BEGIN = (type = '', block = ''): string => `-----BEGIN ${type}PRIVATE KEY${block}-----`;
const END = (type = '', block = ''): string => `-----END ${type}PRIVATE KEY${block}-----`;
const keyLines = (n: number): readonly string[] => [...Array.from({ length: n }, (_, i) => `MII${chars(60)}${i}`), 'aB3='];

const masked = (text: string): string => maskSecrets(text).text;
const changed = (texts: readonly string[]): readonly string[] => texts.filter((text) => maskSecrets(text).text !== text || hasSecrets(text));

describe('known makers', () => {
  test('[SEC-1] [SEC-2] every shape is masked in prose, with its kind and its last four characters', () => {
    for (const [kind, secret] of SECRETS)
      expect(maskSecrets(`Use ${secret}, please.`)).toEqual({ text: `Use [masked ${kind} …${secret.slice(-4)}], please.`, masked: 1 });
  });

  test('[SEC-1] whatever stands around a secret, nothing but its last four characters is left', () => {
    const around = [
      ['"', '"'],
      ['KEY=', '\n'],
      ["const k = '", "';"],
      ['https://x.test/?key=', '&b=1'],
      ['{\\"k\\":\\"', '\\"}'],
      ['line\\n', '\\nline'],
      ['a%20', '%20b'],
      ['\u001b[32m', '\u001b[0m'],
      ['\\u001b[1;32m', '\\u001b[0m'],
      ['token: ', ''],
      ['Authorization: Bearer ', "'"],
      ['(', ')'],
      ['é', 'é'],
    ] as const;
    for (const [kind, secret] of SECRETS)
      for (const [before, after] of around) {
        const { text, masked } = maskSecrets(before + secret + after);
        expect({ text, masked }).toEqual({ text: `${before}[masked ${kind} …${secret.slice(-4)}]${after}`, masked: 1 });
      }
  });

  test('[SEC-1] several secrets are counted one by one', () => {
    const text = SECRETS.map(([, secret]) => secret).join(' ');
    expect(maskSecrets(text).masked).toBe(SECRETS.length);
    expect(hasSecrets(text)).toBe(true);
    expect(hasSecrets('none here')).toBe(false);
  });

  test('[SEC-2] of a short secret nothing is shown', () => {
    expect(masked(`postgres://app:${chars(12)}@db/x`)).toBe('postgres://app:[masked password]@db/x');
    expect(masked(`password="${chars(19)}"`)).toBe('password="[masked secret]"');
    expect(masked(`password="${chars(20)}"`)).toBe(`password="[masked secret …${chars(20).slice(-4)}]"`);
    expect(masked(`password="${chars(20)}!@#$"`)).toBe('password="[masked secret]"');
  });
});

describe('private keys', () => {
  const types = ['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED '];

  test('[SEC-3] a block is masked whole, whatever its line ends', () => {
    for (const type of types)
      for (const end of ['\n', '\r\n', '\\n', '\\\\n', '\\r\\n', ' ', '\n    12→', '\\n" +\n  "'])
        expect(maskSecrets(`cat:${end}${[BEGIN(type), ...keyLines(4), END(type)].join(end)}${end}done`)).toEqual({
          text: `cat:${end}[masked private-key]${end}done`,
          masked: 1,
        });
    const pgp = [BEGIN('PGP ', ' BLOCK'), 'Version: 1', '', ...keyLines(30), '=abcd', END('PGP ', ' BLOCK')].join('\n');
    expect(masked(pgp)).toBe('[masked private-key]');
    expect(masked(`${BEGIN()}\nshort\n${END()}`)).toBe('[masked private-key]');
  });

  test('[SEC-3] two blocks are two, and the text between them stays', () => {
    const block = [BEGIN(), ...keyLines(2), END()].join('\n');
    expect(maskSecrets(`${block}\nand\n${block}`)).toEqual({ text: '[masked private-key]\nand\n[masked private-key]', masked: 2 });
  });

  test('[SEC-3] cut off before its end, it is masked as far as it goes', () => {
    for (const end of ['\n', '\\n', '\n    7→']) {
      const cut = [BEGIN('RSA '), ...keyLines(3).slice(0, 3)].join(end);
      expect(masked(cut)).toBe('[masked private-key]');
      expect(masked(cut + end + 'MIIab')).toBe('[masked private-key]');
      expect(masked(`${cut}… (truncated)`)).toBe('[masked private-key]… (truncated)');
      expect(masked(`${cut}\n\nand so on`)).toBe('[masked private-key]\n\nand so on');
    }
  });

  test('[SEC-3] in a patch it is masked whatever stands before its lines, also where the patch is a list of them', () => {
    for (const sign of ['+', '-', ' ', '']) {
      const key = [BEGIN('RSA '), ...keyLines(3), END('RSA ')].map((line) => sign + line);
      expect(masked(['@@ -1 +1 @@', ...key, ' done'].join('\n'))).toBe(`@@ -1 +1 @@\n${sign}[masked private-key]\n done`);
      const before = { structuredPatch: [{ lines: [' one', ...key, `${sign}two`] }] };
      const after = maskJson(before) as typeof before;
      const lines = after.structuredPatch[0]?.lines ?? [];
      expect(lines).toEqual([' one', `${sign}[masked private-key]`, ...key.slice(1).map(() => '[masked private-key]'), `${sign}two`]);
      // Cut off before its end.
      expect((maskJson(key.slice(0, 3)) as readonly string[]).join()).toBe(`${sign}[masked private-key],[masked private-key],[masked private-key]`);
    }
    const mention = ['grep "BEGIN PRIVATE KEY" *', 'and nothing else'];
    expect(maskJson(mention)).toBe(mention);
  });

  test('[SEC-3] [SEC-5] a marker without a key stays', () => {
    const texts = [
      `if (text.includes('${BEGIN()}')) return;`,
      `A key begins with ${BEGIN()} and ends with ${END()}.`,
      `${BEGIN()}\n...\n${END()}`,
      `pem.replace('${BEGIN()}', '').replace('${END()}', '')`,
      [`-----BEGIN PUBLIC KEY-----`, ...keyLines(3), '-----END PUBLIC KEY-----'].join('\n'),
      [`-----BEGIN CERTIFICATE-----`, ...keyLines(3), '-----END CERTIFICATE-----'].join('\n'),
    ];
    expect(changed(texts)).toEqual([]);
  });
});

describe('known by place', () => {
  const tail = chars(40).slice(-4);

  test('[SEC-4] authorization values are masked', () => {
    expect(masked(`Authorization: Bearer ${chars(40)}`)).toBe(`Authorization: Bearer [masked bearer-token …${tail}]`);
    expect(masked(`"authorization":"bearer ${chars(40)}"`)).toBe(`"authorization":"bearer [masked bearer-token …${tail}]"`);
    expect(masked(`Authorization: token ${hex(40)}`)).toBe(`Authorization: token [masked bearer-token …${hex(40).slice(-4)}]`);
    expect(masked(`-H 'Proxy-Authorization: Basic dXNlcjpwYXNz'`)).toBe(`-H 'Proxy-Authorization: Basic [masked basic-credentials]'`);
    expect(masked(`Basic auth, Authorization=Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==`)).toBe(
      'Basic auth, Authorization=Basic [masked basic-credentials …ZQ==]',
    );
    expect(masked(`sent Bearer ${chars(40)}.`)).toContain('sent Bearer [masked bearer-token');
  });

  test('[SEC-4] the password of an address is masked', () => {
    expect(masked('redis://:hunter2@cache:6379')).toBe('redis://:[masked password]@cache:6379');
    expect(masked('"https:\\/\\/me:pa:ss@x.test\\/"')).toBe('"https:\\/\\/me:[masked password]@x.test\\/"');
    expect(masked('mongodb+srv://u:p%40ss@a.b, mysql://root:root@localhost/db')).toBe(
      'mongodb+srv://u:[masked password]@a.b, mysql://root:[masked password]@localhost/db',
    );
  });

  test('[SEC-4] secret keys of AWS are masked where they are assigned', () => {
    const key = `${chars(20)}/+${chars(18)}`;
    for (const before of [
      'aws_secret_access_key = ',
      'AWS_SECRET_ACCESS_KEY=',
      '"SecretAccessKey": "',
      "secretAccessKey: '",
      'export AWS_SECRET_ACCESS_KEY="',
    ])
      expect(masked(before + key)).toBe(`${before}[masked aws-secret-key …${key.slice(-4)}]`);
  });

  test('[SEC-4] what looks random is masked where a secret is assigned', () => {
    const value = chars(24);
    for (const before of [
      'password=',
      'DB_PASSWORD=',
      'password: ',
      'client_secret = "',
      "apiKey: '",
      '"api_key": "',
      '\\"api-key\\": \\"',
      'X-Api-Key: ',
      'token := `',
      "config['token'] = '",
      'const accessToken: string = "',
      '?a=1&access_token=',
      ':secret => "',
      'SECRET_KEY_BASE=',
      '--api-key ',
      '--password "',
      'token=password=',
      'secret = "f(token=',
    ])
      expect(masked(before + value)).toBe(`${before}[masked secret …${value.slice(-4)}]`);
    expect(masked(`api_key=${hex(32)}`)).toBe(`api_key=[masked secret …${hex(32).slice(-4)}]`);
    expect(masked('DB_PASSWORD=SuperSecretPass123!')).toBe('DB_PASSWORD=[masked secret]');
    expect(masked('password: "CorrectHorse9Battery"')).toBe('password: "[masked secret …tery]"');
  });
});

test('[SEC-5] ordinary text stays as it is', () => {
  const uuid = '7f3a9b2c-1234-5678-abcd-ef0123456789';
  const texts = [
    `commit ${hex(40)}`,
    `sha256:${hex(64)} ${hex(40)}`,
    `"integrity": "sha512-${chars(86)}=="`,
    `resolved "https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#${hex(40)}"`,
    `checksum = "${hex(64)}"`,
    `secret = "sha256-${chars(43)}="`,
    `{"uuid":"${uuid}","parentUuid":"${uuid}","token":"${uuid}"}`,
    'token = getToken()',
    'const token = await getAccessToken2FromStore3x4(user)',
    'token = oauth2Client1.credentials.access_token2',
    'password: process.env.DB_PASSWORD_V2_2024',
    'apiKey: config["openai2key3x4"]',
    'password = "${DB_PASSWORD_V2_X3Y4}"',
    'token: {{ secrets.GITHUB_TOKEN_2_V3 }}',
    'export GITHUB_TOKEN=$GH_TOKEN_V2_2024_PROD1',
    'api_key="<your-api-key-goes-here-123>"',
    'Authorization: Bearer $TOKEN',
    'Authorization: Bearer YOUR_TOKEN_HERE',
    'Authorization: Basic authentication is refused',
    'the bearer authentication-and-authorization scheme',
    'Unexpected token: "abc", max_tokens: 1234567890123456789',
    'password_hash: "$2b$10$abcdefghijklmnopqrstuv"',
    'the secret: "a sentence with 12 words in Mixed Case"',
    'token_path = "/var/run/secrets/kubernetes.io/serviceaccount1/token"',
    'secret: "/run/secrets/db_password_2A"',
    'https://example.com:8080/path@v1, git@github.com:a/b.git, ssh://git@host:22/x',
    'postgres://user:${PASSWORD}@host postgres://user:$PW@host postgres://user:***@host',
    'task-ant-colony-optimisation-2024-results, a sk-folding-cube-animation-name and risk-assessment-of-2024-and-2025',
    '<div class="sk-container-id-12-estimator-label-1">',
    'npm_config_registry, npm_package_dependencies_typescript, hf_hub_download, ghp_short',
    'AKIA in capitals, BAKIAQK7ZP3RM5XW2QK7Z, eyJust.a.sentence',
    `data:image/png;base64,iVBORw0KGgo${chars(200)}`,
  ];
  expect(changed(texts)).toEqual([]);
});

const hostile = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SECRETS.map(([, secret]) => secret)) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...'sk-¦sk-ant-¦ghp_¦glpat-¦AKIA¦eyJ¦xoxb-¦Bearer ¦Authorization: ¦Basic ¦token¦password¦secret¦api_key¦--token '.split('¦'),
      ...': ¦=¦ = ¦"¦\'¦`¦\\¦\\n¦\n¦ ¦@¦://¦://u:¦.¦-¦_¦[¦]¦[masked ¦…¦%20¦[0m¦(¦/¦$¦{¦<¦secret]¦password]¦private-key'.split('¦'),
      BEGIN(),
      BEGIN('RSA '),
      END(),
      '-----',
      chars(7),
      chars(16),
      chars(24),
      hex(40),
      UPPER,
      ...keyLines(1),
    ),
  },
  { weight: 1, arbitrary: fc.string() },
);

const hostileText = fc.array(hostile, { maxLength: 14 }).map((pieces) => pieces.join(''));

describe('any text', () => {
  test('[SEC-6] masking twice equals masking once', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = maskSecrets(text);
        expect(maskSecrets(once.text)).toEqual({ text: once.text, masked: 0 });
        expect(once.masked === 0).toBe(once.text === text);
      }),
      { numRuns: 20 * (fc.readConfigureGlobal().numRuns ?? 100) },
    );
  });

  test('[SEC-7] any text is masked without trouble', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(maskSecrets(text).masked).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('[SEC-7] megabytes of beginnings are masked', () => {
    const places = 'token=¦token="¦token=\'aaaa¦--token ¦--a-¦://¦://a:¦://a:b@¦bearer ¦authorization: bearer ¦password:string='.split('¦');
    const prefixes = 'a¦a1B¦sk-¦sk-ant-¦eyJ¦eyJaaaaaaa.¦AKIA¦ghp_¦\\¦\\n¦\n¦-¦=¦[0;¦-----BEGIN '.split('¦');
    for (const piece of [...places, ...prefixes, BEGIN(), `${BEGIN()}\n`, END()])
      for (const before of ['', 'token="', 'sk-', `${BEGIN()}\n`]) {
        const text = before + piece.repeat(Math.ceil(1_000_000 / piece.length));
        expect(maskSecrets(text).masked).toBeLessThan(text.length / 5);
      }
  });
});

describe('JSON', () => {
  const [, secret = ''] = SECRETS[0] ?? [];
  const mask = `[masked anthropic-key …${secret.slice(-4)}]`;

  test('[SEC-8] every string is masked, keys included, and the rest is kept', () => {
    const same = { a: [1, null, true, 'text'] };
    const before = { same, list: [secret, { [secret]: `x ${secret}` }], number: 1 };
    const after = maskJson(before);
    expect(after).toEqual({ same, list: [mask, { [mask]: `x ${mask}` }], number: 1 });
    expect(Object.keys(after as object)).toEqual(['same', 'list', 'number']);
    expect((after as typeof before).same).toBe(same);
    expect(maskJson(secret)).toBe(mask);
  });

  test('[SEC-8] keys that are masked alike are both kept, and a key may be called __proto__', () => {
    expect(maskJson({ [secret]: 1, [`sk-ant-${secret.slice(8)}`]: 2 })).toEqual({ [mask]: 1, [`${mask} (2)`]: 2 });
    const tree: unknown = JSON.parse(`{"__proto__":{"x":"${secret}"},"y":"${secret}"}`);
    expect(JSON.stringify(maskJson(tree))).toBe(`{"__proto__":{"x":"${mask}"},"y":"${mask}"}`);
  });

  test('[SEC-7] [SEC-8] a hundred thousand keys that are masked alike are all kept, each under a name of its own', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`sk-ant-api03-${String(n).padStart(24, 'q7')}AAAA-same`, n]));
    // Those that are called as another one would be next come first.
    const taken = { '[masked anthropic-key …same] (2)': -2, '[masked anthropic-key …same] (3)': -3 };
    const masked = Object.entries(maskJson({ ...taken, ...many }) as Record<string, number>);
    expect(masked.map(([, n]) => n)).toEqual([-2, -3, ...Object.values(many)]);
    expect(masked.slice(0, 5).map(([key]) => key.replace('[masked anthropic-key …same]', 'k'))).toEqual(['k (2)', 'k (3)', 'k', 'k (4)', 'k (5)']);
  });

  test('[SEC-8] a tree without secrets is the same object', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(maskJson(value)).toBe(value);
      }),
    );
  });

  test('[SEC-8] a tree is masked as its text would be', () => {
    const leaf = fc.oneof(hostileText, fc.integer(), fc.constant(null));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('tree')), fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('tree'))),
    }));
    const walk = (value: unknown): unknown => {
      if (typeof value === 'string') return masked(value);
      if (Array.isArray(value)) return value.map(walk);
      return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)])) : value;
    };
    fc.assert(
      fc.property(tree, (value) => {
        const plain: unknown = structuredClone(value);
        expect(maskJson(value)).toEqual(walk(plain));
        expect(value).toEqual(plain);
      }),
    );
  });

  test('[SEC-37] letters that are written by their numbers hide no secret, however deep the JSON is inside of JSON', () => {
    const byNumber = (text: string): string => Array.from(text, (char) => `\\u00${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
    for (const [, secret] of SECRETS) {
      const hidden = [`${byNumber(secret.slice(0, 3))}${secret.slice(3)}`, byNumber(secret)].map((text) => `{"a":"${text}"}`);
      for (const text of [...hidden, ...hidden.map((one) => JSON.stringify({ inner: one }))]) {
        expect(maskSecrets(`it says ${text}`).text).toContain('[masked ');
        expect(JSON.stringify(maskJson({ content: [{ text }] }))).not.toContain(secret.slice(-12));
        expect(masked(masked(text))).toBe(masked(text));
      }
    }
    const harmless = String.raw`"caf\u00e9 \u0041nna" and \u0026`;
    expect(maskSecrets(harmless)).toEqual({ text: harmless, masked: 0 });
  });

  test('[SEC-8] a tree is masked in steps of so many characters, to the same result', () => {
    const tree = {
      list: Array.from({ length: 100 }, (_, i) => ({ password: `x${i}`, text: `${'word '.repeat(20)}${SECRETS[i % SECRETS.length]?.[1] ?? ''}` })),
    };
    const steps = maskingJson(tree, 1000);
    let stops = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) stops += 1;
    expect(step.value).toEqual(maskJson(tree));
    // More than 20,000 characters, none of the texts longer than 300.
    expect(stops).toBeGreaterThan(14);
  });

  test('[SEC-11] a part that lasts is masked in the first tree that has it, and comes out of every later one alike', () => {
    const part = { note: `it is ${SECRETS[0]?.[1] ?? ''}`, list: ['a', 'b'] };
    const clean = { note: 'nothing' };
    const lasting: Lasting = new WeakMap();
    lasting.set(part, {});
    lasting.set(clean, {});
    const masked = (tree: unknown): unknown => {
      const steps = maskingJson(tree, Number.POSITIVE_INFINITY, lasting);
      for (let next = steps.next(); ; next = steps.next()) if (next.done === true) return next.value;
    };
    const tree = () => ({ password: 'x1', items: [{ part, clean }, { part }] });
    const [first, second] = [masked(tree()), masked(tree())];
    expect(first).toEqual(maskJson(tree()));
    expect(second).toEqual(first);
    expect(JSON.stringify(second)).not.toContain(SECRETS[0]?.[1] ?? '');
    expect([lasting.get(part)?.shown, lasting.get(clean)?.shown]).toEqual([maskJson(part), clean]);
  });

  test('[SEC-8] depth is no trouble', () => {
    const deep = (leaf: string): unknown => {
      let tree: unknown = leaf;
      for (let i = 0; i < 200_000; i += 1) tree = i % 2 === 0 ? [tree] : { a: tree };
      return tree;
    };
    const inner = (tree: unknown): unknown => {
      let at = tree;
      while (typeof at === 'object' && at !== null) at = Object.values(at)[0];
      return at;
    };
    expect(inner(maskJson(deep(secret)))).toBe(mask);
    const clean = deep('text');
    expect(maskJson(clean)).toBe(clean);
  });

  test('[SEC-9] a string under a key that names a secret is judged as assigned to it', () => {
    const value = chars(24);
    const stamp = `[masked secret …${value.slice(-4)}]`;
    expect(maskJson({ password: value, apiKey: value, 'x-api-key': value, note: value, token_count: value })).toEqual({
      password: stamp,
      apiKey: stamp,
      'x-api-key': stamp,
      note: value,
      token_count: value,
    });
    expect(maskJson({ headers: { Authorization: 'Basic dXNlcjpwYXNz' } })).toEqual({
      headers: { Authorization: 'Basic [masked basic-credentials]' },
    });
    const plain = { token: 'a word', secret: '7f3a9b2c-1234-5678-abcd-ef0123456789', authorization: 'none' };
    expect(maskJson(plain)).toBe(plain);
    const once = maskJson({ token: value });
    expect(maskJson(once)).toBe(once);
  });
});
