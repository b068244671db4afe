/** What nobody writes on purpose, and what files hold all the same: each kind in any size. Whoever reads, splits, masks, hashes, indexes or renders goes through all of it. */
export type Hostile = {
  readonly name: string;
  /** Some `size` characters. */
  readonly text: (size: number) => string;
};

const repeated = (name: string, unit: string): Hostile => ({ name, text: (size) => unit.repeat(Math.max(1, Math.floor(size / unit.length))) });

/** Texts. */
export const HOSTILE_TEXTS: readonly Hostile[] = [
  repeated('Chinese without a space', '漢'),
  repeated('kana with their marks apart', 'か\u3099'),
  repeated('one unbroken run of base64', 'QUJD'),
  repeated('one letter', 'a'),
  repeated('newlines', '\n'),
  repeated('carriage returns', '\r\n'),
  repeated('halves of characters', '\ud83d'),
  repeated('the other halves', '\ude00'),
  repeated('characters that turn the direction', '\u202e\u2066abc\u2069\u202c'),
  repeated('characters without a width', 'a\u200b\u200d\u2060\ufeff'),
  repeated('control characters', '\u0000\u0001\u0007\b\u001b[31m'),
  repeated('operating system commands of terminals', '\u001b]0;title'),
  repeated('combining marks on one letter', '\u0301'),
  repeated('emoji joined to one', '👩\u200d'),
  repeated('backticks', '`'),
  repeated('fences that never end', '```\n'),
  repeated('emphasis that never ends', '*a **b _c '),
  repeated('brackets that never close', '[](<'),
  repeated('tags that never close', '<div <a href="'),
  repeated('links within links', '[a]('),
  repeated('tables', '|a|b|\n|-|-|\n'),
  repeated('quotes within quotes', '> '),
  repeated('references', 'MSG-1 SB-2:FINDING-3 '),
  repeated('names', '@somebody '),
  repeated('beginnings of keys', 'sk-ant-api03-'),
  repeated('beginnings of assignments', 'password=secret='),
  repeated('beginnings of private keys', '-----BEGIN RSA PRIVATE KEY-----\n'),
  repeated('addresses with passwords', 'postgres://a:b@'),
  repeated('dots of one token', 'eyJhbGciOiJIUzI1NiJ9.'),
  repeated('words', 'lorem ipsum dolor sit amet '),
  repeated('blanks', ' '),
  repeated('tabs behind one another', '\t\t'),
  repeated('digits', '7'),
  repeated('numbers with dots', '1.'),
  repeated('capital letters', 'A'),
  repeated('colons', ':'),
  repeated('full stops', '.'),
  repeated('quotation marks that never close', '“a '),
  repeated('slashes', 'a/'),
  repeated('backslashes', '\\'),
  repeated('escaped line ends', String.raw`\n`),
];

export type HostileValue = { readonly name: string; readonly value: (size: number) => unknown };

const keys = (name: string, keyOf: (i: number) => string): HostileValue => ({
  name,
  value: (size) => Object.fromEntries(Array.from({ length: Math.max(1, Math.floor(size / 64)) }, (_, i) => [keyOf(i), i])),
});

/** JSON, some `size` characters of it. */
export const HOSTILE_VALUES: readonly HostileValue[] = [
  keys('many keys', (i) => `key number ${i} with a name that is rather long, as names go`),
  keys('keys that mask alike', (i) => `sk-ant-api03-${String(i).padStart(60, 'A')}`),
  keys('keys that are secrets with what they mask to between them', (i) => (i % 2 === 0 ? `ghp_${String(i).padStart(36, 'x')}` : `[masked] ${i}`)),
  keys('keys that differ by what nobody sees', (i) => `a${'\u200b'.repeat(i % 50)}${i}`),
  { name: 'many short texts', value: (size) => Array.from({ length: Math.max(1, Math.floor(size / 16)) }, (_, i) => `text ${i}`) },
  { name: 'many empty things', value: (size) => Array.from({ length: Math.max(1, Math.floor(size / 4)) }, (_, i) => (i % 2 === 0 ? [] : {})) },
  {
    name: 'as deep as is read, again and again',
    value: (size) =>
      Array.from({ length: Math.max(1, Math.floor(size / 1000)) }, () => JSON.parse(`${'{"a":['.repeat(100)}1${']}'.repeat(100)}`) as unknown),
  },
  {
    name: 'lines of a private key, each by itself',
    value: (size) => [
      '-----BEGIN PRIVATE KEY-----',
      ...Array.from({ length: Math.max(1, Math.floor(size / 64)) }, () => 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'),
      '-----END PRIVATE KEY-----',
    ],
  },
];

const EARLIEST = Date.UTC(2026, 0, 5);

/** A conversation of Claude Code that says all of it: each text once as a prompt and once as a result, each value once as what a tool is given. */
export const hostileLines = (size: number, prefix = 'h'): readonly string[] => {
  const lines: string[] = [];
  let parent: string | null = null;
  const add = (type: 'user' | 'assistant', content: unknown): void => {
    const uuid = `${prefix}-${lines.length}`;
    const timestamp = new Date(EARLIEST + lines.length * 1000).toISOString();
    lines.push(JSON.stringify({ type, uuid, parentUuid: parent, timestamp, message: { role: type, content } }));
    parent = uuid;
  };
  for (const { text } of HOSTILE_TEXTS) {
    const said = text(size);
    const id = `${prefix}-use-${lines.length}`;
    add('user', said);
    add('assistant', [
      { type: 'text', text: said },
      { type: 'tool_use', id, name: 'Bash', input: { command: said } },
    ]);
    add('user', [{ type: 'tool_result', tool_use_id: id, content: said }]);
  }
  for (const { value } of HOSTILE_VALUES) {
    const id = `${prefix}-use-${lines.length}`;
    add('assistant', [{ type: 'tool_use', id, name: 'Odd', input: { given: value(size) } }]);
    add('user', [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: 'done' }] }]);
  }
  // Deeper than anybody reads: counted as unreadable, and harmless.
  lines.push(`{"type":"user","uuid":"${prefix}-deep","message":{"content":${'['.repeat(size)}${']'.repeat(size)}}}`);
  return lines;
};
