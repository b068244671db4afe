/** Where a match of `start` puts the secret; of none, `to` is where the search goes on. */
type Span = { readonly from: number; readonly to: number; readonly secret: boolean };

/** `start` has no unbounded repetition: it recognises the first few characters, `span` walks to the end. Hostile text then costs its length, once. */
export type Shape = { readonly kind: string; readonly start: RegExp; readonly span: (text: string, from: number, end: number) => Span };

const { raw } = String;

/** Any case, without the `i` flag: some prefixes are told from words by their case alone, and all must share one pre-check. */
const anyCase = (source: string): string => source.replace(/[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

// A secret begins a word. In JSON inside JSON, terminal colours and query strings the character before it is a letter that belongs to an escape.
const begins = (prefix: string): string => raw`${prefix}(?:(?<![A-Za-z0-9]${prefix})|(?<=(?:\\[nrt]|\[[0-9;]{0,12}m|%[0-9A-F]{2})${prefix}))`;

const ALNUM = 'A-Za-z0-9';
const WORDS = raw`\w-`;

const inClass = (members: string): Uint8Array => {
  const one = new RegExp(`[${members}]`, 'u');
  return Uint8Array.from({ length: 128 }, (_, code) => (one.test(String.fromCodePoint(code)) ? 1 : 0));
};

const runEnd = (text: string, from: number, members: Uint8Array): number => {
  let at = from;
  while (members[text.charCodeAt(at)] === 1) at += 1;
  return at;
};

const shape = (kind: string, start: string, span: Shape['span']): Shape => ({ kind, start: new RegExp(start, 'gu'), span });

/** A prefix and a run of characters. */
const token = (kind: string, prefix: string, members: string, least: number, accept: (secret: string) => boolean = () => true): Shape => {
  const run = inClass(members);
  return shape(kind, raw`${begins(prefix)}[${members}]{${least}}`, (text, from, end) => {
    const to = runEnd(text, end, run);
    return { from, to, secret: accept(text.slice(from, to)) };
  });
};

const hasDigit = (text: string): boolean => /\d/u.test(text);

/** How often digits and letters touch. Words have few such places, however long; hex, base32 and base62 have many. */
const mixing = (text: string): number => text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/gu)?.length ?? 0;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
const NO_SECRET = /[<>{}()]|:\/\/|^[$%]|^sha\d{1,3}[-:]|^[./~][^/]{0,256}\/[^/]{0,256}\//iu;

/** Whether a value that stands where a secret belongs looks like one; `strict` where code may stand there too. */
export const looksRandom = (value: string, strict = false): boolean => {
  if (value.length < 16 || value.length > 4096 || !hasDigit(value) || /\s/u.test(value) || UUID.test(value) || NO_SECRET.test(value)) return false;
  return mixing(value) >= 3 || (!strict && /[a-z]/u.test(value) && /[A-Z]/u.test(value));
};

const SECRET_NAME = anyCase(
  raw`(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|api[_-]?key|(?:secret|access|auth|private|signing|encryption|account)[_-]?key(?:_base)?)`,
);
const SECRET_KEY = new RegExp(`${SECRET_NAME}$`, 'u');

export const namesSecret = (key: string): boolean => SECRET_KEY.test(key.slice(-64));

// Between a name and its value: the name's closing quote, a type, the sign, the value's opening quote; quotes may be escaped (JSON inside JSON).
const QUOTE = raw`\\{0,3}["'\u0060]`;
const SIGN = raw`(?:${QUOTE}\]?)?(?:\s?:\s?[Ss]tr(?:ing)?)?\s{0,4}(?::=|=>|[:=])\s{0,4}`;
const ASSIGNED = raw`${SIGN}(?:${QUOTE})?`;

const QUOTED = inClass(raw`!#-&(-\[\]-_a-~`);
const BARE = inClass(raw`\w+/$!@#%^*~-`);
const BASE64 = inClass(`${ALNUM}+/=`);
const BEARER = inClass(raw`\w.~+/=-`);
const TOKEN = inClass(WORDS);

const isQuote = (text: string, at: number): boolean => at >= 0 && at < text.length && '"\'`'.includes(text.charAt(at));

/** The value that begins at `from`, whose quote (if any) stands before it; `loose` where no code can stand. */
const valueAt = (text: string, from: number, loose: boolean): Span => {
  const quoted = isQuote(text, from - 1);
  const run = runEnd(text, from, quoted ? QUOTED : BARE);
  const to = quoted ? run : run + (/^={1,2}/u.exec(text.slice(run, run + 2))?.[0].length ?? 0);
  // Unquoted, a call, an index or a member is code that fetches the secret.
  const whole = quoted ? to === text.length || isQuote(text, to) || text.charAt(to) === '\\' : !/^(?:[([]|\.\w)/u.test(text.slice(to, to + 2));
  const secret = whole && looksRandom(text.slice(from, to), !quoted && !loose);
  // What is none may hold another assignment: `token=password=…`.
  return { from, to: secret ? to : from, secret };
};

const assignment = shape('secret', raw`${SECRET_NAME}${ASSIGNED}[^\s"'\u0060\\]{16}`, (text, from, end) => {
  const loose = /^[A-Z_-]+=/u.test(text.slice(from, end));
  return valueAt(text, end - 16, loose);
});

const flag = shape('secret', raw`--(?:[a-z]{1,16}-){0,3}${SECRET_NAME}\s{1,4}["'\u0060]?[^\s"'\u0060\\]{16}`, (text, _, end) =>
  valueAt(text, end - 16, true),
);

const awsSecret = shape('aws-secret-key', raw`${anyCase('secret_?access_?key')}${ASSIGNED}[${ALNUM}+/]{40}`, (text, _, end) => {
  const from = end - 40;
  const to = runEnd(text, end, BASE64);
  const value = text.slice(from, to);
  return { from, to, secret: hasDigit(value) && /[a-z]/u.test(value) && /[A-Z]/u.test(value) };
});

const bearer = shape('bearer-token', raw`${anyCase('bearer')}(?:\s|%20){1,4}[\w.~+/-]{20}`, (text, _, end) => {
  const to = runEnd(text, end, BEARER);
  return { from: end - 20, to, secret: looksRandom(text.slice(end - 20, to)) };
});

const HEADER = raw`${anyCase('authorization')}${ASSIGNED}`;

const header = shape('bearer-token', raw`${HEADER}(?:${anyCase('bearer|token|apikey')})\s{1,4}[\w.~+/-]{8}`, (text, _, end) => {
  const to = runEnd(text, end, BEARER);
  return { from: end - 8, to, secret: hasDigit(text.slice(end - 8, to)) };
});

// "Authorization: Basic authentication" is prose: base64 of a name and a password has both cases or a digit.
const basic = shape('basic-credentials', raw`${HEADER}${anyCase('basic')}\s{1,4}[${ALNUM}+/]{7}`, (text, _, end) => {
  const to = runEnd(text, end, BASE64);
  const value = text.slice(end - 7, to);
  return { from: end - 7, to, secret: hasDigit(value) || (/[a-z]/u.test(value) && /[A-Z]/u.test(value.slice(1))) };
});

const url = shape('password', raw`:\\?/\\?/[^\s:@/?#"'\u0060<>[\]\\]{0,128}:[^\s@/"'\u0060<>[\]\\]{1,256}@(?=[\w$])`, (text, begin, end) => {
  const from = text.indexOf(':', text.indexOf('/', begin)) + 1;
  return { from, to: end - 1, secret: !/^(?:[$%{].*|[*x.]+)$/iu.test(text.slice(from, end - 1)) };
});

const jwt = shape('jwt', raw`${begins('eyJ')}[${WORDS}]{5}`, (text, from, end) => {
  const head = runEnd(text, end, TOKEN);
  const none: Span = { from, to: head, secret: false };
  if (text.charAt(head) !== '.') return none;
  const body = runEnd(text, head + 1, TOKEN);
  const to = runEnd(text, body + 1, TOKEN);
  return text.charAt(body) === '.' && body - head > 5 && to - body > 5 ? { from, to, secret: true } : none;
});

const LONGEST_KEY = 65_536;
const LINE_BREAK = /^\s{0,8}(?:[\r\n]|\\+[nr])/u;
const BEFORE_LINE = /(?:[\s"'\u0060+,|>-]|\\+[nr]|\d{1,6}(?:→|:|\|)){0,64}/uy;

/** From BEGIN to END; without END as far as lines of base64 go. A marker that only mentions keys, in code or prose, has neither behind it. */
export const privateKey = shape('private-key', raw`-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----`, (text, from, end) => {
  const next = text.indexOf('-----', end);
  const closing = next >= 0 && next - end <= LONGEST_KEY ? /^-{5,6}END [A-Z0-9 ]{0,64}-----/u.exec(text.slice(next, next + 91)) : null;
  if (closing !== null) {
    const body = text.slice(end, next);
    const real = LINE_BREAK.test(body) ? /[A-Za-z0-9]{2}/u.test(body.replaceAll(/\\+[nr]/gu, '')) : /[A-Za-z0-9+/]{16}/u.test(body);
    return { from, to: next + closing[0].length, secret: real };
  }
  const to = endOfLines(text, end);
  return { from, to, secret: to > end };
});

const endOfLines = (text: string, from: number): number => {
  for (let end = from; ;) {
    BEFORE_LINE.lastIndex = end;
    const start = end + (BEFORE_LINE.exec(text)?.[0].length ?? 0);
    const to = runEnd(text, start, BASE64);
    // A short line ends a key only where the text ends with it.
    if (to - start < 16 && !(to === text.length && to > start && end > from)) return end;
    end = to;
  }
};

/** In this order: what names its maker before what is only known by its place. */
export const SHAPES: readonly Shape[] = [
  privateKey,
  jwt,
  token('anthropic-key', 'sk-ant-', WORDS, 16, hasDigit),
  token('openai-key', 'sk-', WORDS, 20, (secret) => mixing(secret) >= 3),
  token('github-token', 'gh[pousr]_', ALNUM, 30),
  token('github-token', 'github_pat_', raw`\w`, 30),
  token('gitlab-token', 'glpat-', raw`\w.-`, 20),
  token('aws-key-id', 'A(?:KI|SI)A', ALNUM, 16, (secret) => /^[A-Z0-9]{20}$/u.test(secret)),
  token('google-key', 'AIza', WORDS, 30),
  token('slack-token', 'x(?:ox[abeprs]|app)-', `${ALNUM}-`, 10, hasDigit),
  token('stripe-key', '[sr]k_live_', ALNUM, 16),
  token('npm-token', 'npm_', ALNUM, 36),
  token('huggingface-token', 'hf_', ALNUM, 30),
  header,
  basic,
  bearer,
  url,
  awsSecret,
  assignment,
  flag,
];

/** Whether any shape might be there: the one scan that ordinary text costs. */
export const START_OF_ANY = new RegExp(SHAPES.map(({ start }) => start.source).join('|'), 'u');
