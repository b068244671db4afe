import type { Begin } from './anchors.ts';
import { ALNUM, anyCase, BASE64, inClass, runEnd, runStart, shape, TOKEN, type Shape, type Span } from './shape.ts';
import { isPlaceholder, looksChosen, looksRandom, mixing } from './secret-values.ts';

// Secrets recognized by their place: after a name, in a header, in an address.

const { raw } = String;

const PASSWORD = raw`passw(?:or)?d|passphrase|passcode|pwd`;
const KEYS =
  'secret|access|auth|private|signing|encryption|account|master|session|service|license|subscription|functions|admin|shared[_-]?access|webhook|deploy|consumer|client|app';
const LATER = raw`(?:_?\d{1,3}|[_-](?:prod(?:uction)?|dev|test|stag(?:e|ing)|live|main|old|new|value|b64|v\d))?`;
/** `DB_PASS`, `smtpPass`, `pw`: only as words of their own, unlike in `bypass` and `compass`. */
const SHORT = raw`(?:[Pp]ass|PASS|[Pp]w|PW)(?![A-Za-z])(?<=(?:^|[^A-Za-z])(?:[Pp]ass|PASS|[Pp]w|PW)|[a-z]Pass)`;
/** A key is secret because of the word before it. Matched backwards: nearly every letter begins one of those words, and few begin a name. */
const KEY = raw`[kK][eE][yY](?<=${anyCase(raw`(?:api|${KEYS})[_-]?key`)})(?:_[bB][aA][sS][eE])?`;
const SECRET_NAME = raw`(?:(?:${anyCase(raw`${PASSWORD}|secret|token|credentials?`)}|${KEY})${anyCase(LATER)}|${SHORT})`;
const NAME_ANCHORS = 'passw passp passc pwd secret token credential key pass[^a-z] pw[^a-z]';
const SECRET_KEY = new RegExp(`${SECRET_NAME}$`, 'u');
const PASSWORD_KEY = new RegExp(raw`(?:${anyCase(raw`(?:${PASSWORD})${LATER}`)}|${SHORT})$`, 'u');

export const namesSecret = (key: string): boolean => SECRET_KEY.test(key.slice(-64));

/** Whether a value is a secret, given a name with this ending. */
export const isSecretOf = (name: string, value: string): boolean =>
  looksRandom(value, false, 12) || (PASSWORD_KEY.test(name.slice(-64)) && looksChosen(value, false));

// Between a name and its value: the name's closing quote, a type, the sign, the value's opening quote; quotes may be escaped (JSON inside JSON).
const QUOTE = raw`\\{0,3}["'\u0060]`;
const SIGN = raw`(?:${QUOTE}\]?)?(?:\s?:\s?[Ss]tr(?:ing)?)?\s{0,4}(?::=|=>|[:=])\s{0,4}`;
const ASSIGNED = raw`${SIGN}(?:${QUOTE})?`;

const QUOTED = inClass(raw`!#-&(-\[\]-_a-~`);
const BARE = inClass(raw`\w+/$!@#%^*~-`);
const LITERAL = inClass(raw`\w+/$!@#%^*~.?|-`);
const BEARER = inClass(raw`\w.~+/=-`);

const isQuote = (text: string, at: number): boolean => at >= 0 && at < text.length && QUOTES[text.charCodeAt(at)] === 1;
const QUOTES = inClass(raw`"'\u0060`);

const FIRST = raw`[^\s"'\u0060\\]`;

/** Where a value is: in quotes; where only values can be (settings, shells, addresses); or where code may be. */
type Place = 'quoted' | 'literal' | 'code';

/** The value that begins at `from`, with its quote, if any, just before it. */
const valueAt = (text: string, from: number, name: string, isLiteral: boolean): Span => {
  const place: Place = isQuote(text, from - 1) ? 'quoted' : isLiteral ? 'literal' : 'code';
  const run = runEnd(text, from, place === 'quoted' ? QUOTED : place === 'literal' ? LITERAL : BARE);
  const padded = place === 'quoted' ? run : run + (/^={1,2}/u.exec(text.slice(run, run + 2))?.[0].length ?? 0);
  // The sentence's own full stop, or the colon before what follows.
  const to = place === 'literal' && /[.:?]/u.test(text.charAt(padded - 1)) ? padded - 1 : padded;
  // Unquoted, a call, an index or a member is code that fetches the secret.
  const whole =
    place === 'quoted' ? to === text.length || isQuote(text, to) || text.charAt(to) === '\\' : !/^(?:[([]|\.\w)/u.test(text.slice(to, to + 2));
  const value = text.slice(from, to);
  const secret = whole && isValueOf(name, value, place);
  // Something that isn't a secret may contain another assignment: `token=password=…`.
  return { from, to: secret ? to : from, secret };
};

const isValueOf = (name: string, value: string, place: Place): boolean => {
  // `client.credentials.token2` is code in any place.
  if (place === 'literal' && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/u.test(value) && mixing(value) < 6) return false;
  if (looksRandom(value, place === 'code', place === 'code' ? 16 : 12)) return true;
  if (place === 'code') return false;
  return PASSWORD_KEY.test(name) ? looksChosen(value, place === 'literal' && /[A-Z]$/u.test(name)) : isUuidOf(name, value);
};

/** Heroku's keys are uuids, just like ids that aren't secret. */
const isUuidOf = (name: string, value: string): boolean =>
  value.length === 36 && /heroku\w*key$/iu.test(name) && /^[0-9a-f]{8}-[0-9a-f-]{27}$/u.test(value);

const WORD = inClass(raw`\w.-`);

/** XML, a name next to its value (Kubernetes, web.config), calls, SQL. */
const BESIDE = raw`>|["']?,?\s{0,4}\n?[\s-]{0,24}["']?[Vv]alue["']?\s{0,2}[:=]\s{0,2}["']?|\(\s?["']|\s{1,2}["'\u0060]`;

const assignment = shape('secret', NAME_ANCHORS, raw`${SECRET_NAME}(?:${ASSIGNED}|${BESIDE})${FIRST}{4}`, (text, from, end) => {
  const found = text.slice(from, end);
  const sign = runEnd(text, from, TOKEN) - from;
  const start = runStart(text, from, WORD, 64);
  const name = text.slice(start, from + sign);
  if (found.charAt(sign) === '>' || found.startsWith('=>', sign))
    return found.charAt(sign) === '>' ? elementAt(text, end - 4, name) : valueAt(text, end - 4, name, false);
  // In quotes, it is a value anywhere.
  if (isQuote(text, end - 5)) return valueAt(text, end - 4, name, true);
  if (/^["']?,?\s{0,4}\n?[\s-]{0,24}["']?[Vv]alue/u.test(found.slice(sign))) return valueAt(text, end - 4, name, true);
  const isTight = found.charAt(sign) === '=';
  const isShell =
    isTight && (/^[A-Z][A-Z0-9_-]*$/u.test(name) || /[?&;]$/u.test(text.slice(start - 1, start)) || text.slice(start - 2, start) === '--');
  return valueAt(text, end - 4, name, isShell || isSetting(text, start, end, isTight));
});

const elementAt = (text: string, from: number, name: string): Span => {
  const near = text.slice(from, from + 256);
  const close = near.indexOf('</');
  const value = close < 0 ? '' : near.slice(0, close);
  const secret = isSecretOf(name, value);
  return { from, to: secret ? from + close : from, secret };
};

/** A line of a settings file: a name, the sign, the value, and nothing else; or an entry of a connection string, which ends with a semicolon. */
const isSetting = (text: string, start: number, valueEnd: number, isTight: boolean): boolean => {
  const end = runEnd(text, valueEnd, LITERAL);
  const rest = text.slice(end, end + 3);
  if (isTight && /^(?:;|$|[\s"'&])/u.test(rest) && !/^\s*[)\]}]/u.test(rest)) return true;
  return (
    /^(?:$|\s{0,2}(?:[\r\n]|\\[nr])|\s{1,2}#)/u.test(rest) &&
    /(?:^|[\n\r]|\\n)[\s#+>|-]{0,24}["']?$/u.test(text.slice(Math.max(0, start - 32), start))
  );
};

const flag = shape('secret', '--[a-z]', raw`--(?:[a-z]{1,16}-){0,3}[a-z]{0,8}?${SECRET_NAME}\s{1,4}["'\u0060]?${FIRST}{4}`, (text, from, end) => {
  const name = /^--[\w-]+/u.exec(text.slice(from, end))?.[0] ?? '';
  return text.charAt(end - 4) === '-' ? { from, to: end - 4, secret: false } : valueAt(text, end - 4, name, true);
});

const docker = shape(
  'secret',
  raw`env[\s] arg[\s] setx[\s]`,
  raw`(?:ENV|ARG|setx)\s{1,4}\w{0,40}${SECRET_NAME}\s{1,4}["']?${FIRST}{4}`,
  (text, from, end) => valueAt(text, end - 4, /\s(\w+)/u.exec(text.slice(from, end))?.[1] ?? '', true),
);

/** Without the full stops and colons of the sentence. */
const endOfWords = (text: string, from: number, run: number): number => {
  let to = run;
  while (to > from && /[.:?]/u.test(text.charAt(to - 1))) to -= 1;
  return to;
};

/** "The admin password is …", "set the password for staging to …". */
const prose = shape(
  'secret',
  'passwd[ ] password[ ] passphrase[ ] passcode[ ] pwd[ ] pw[ ] token[ ] secret[ ] api[ ]key[ ] access[ ]key[ ]',
  raw`${anyCase(raw`(?:${PASSWORD}|\bpw|token|secret|(?:api|access|secret) key)`)}(?: [\w@.'/-]{1,24}){0,5}? (?:is|was|to|are)(?: (?:now|still|set to|just))?:? {1,2}["'\u0060]?${FIRST}{4}`,
  (text, from, end) => {
    const name = /^\w+/u.exec(text.slice(from, end))?.[0] ?? '';
    const isQuoted = isQuote(text, end - 5);
    const run = runEnd(text, end - 4, isQuoted ? QUOTED : LITERAL);
    const to = isQuoted ? run : endOfWords(text, end - 4, run);
    const value = text.slice(end - 4, to);
    const secret = looksRandom(value, true) || (PASSWORD_KEY.test(name) && looksChosen(value, false));
    // Something that isn't a secret may contain another name: "the password is token is …".
    return { from: end - 4, to: secret ? to : from + name.length, secret };
  },
);

const sql = shape('password', 'identified', raw`${anyCase('identified')}\s{1,4}${anyCase('by')}\s{1,4}["'][^\s"']{4}`, (text, _, end) => {
  const to = runEnd(text, end - 4, QUOTED);
  return { from: end - 4, to, secret: isQuote(text, to) && !isPlaceholder(text.slice(end - 4, to)) };
});

const pair = shape('password', raw`auth[\s=]`, raw`${anyCase('auth')}\s?=\s?\(\s?["'][^\s"']{1,64}["'],\s?["'][^\s"']{4}`, (text, _, end) => {
  const to = runEnd(text, end - 4, QUOTED);
  return { from: end - 4, to, secret: isQuote(text, to) && looksChosen(text.slice(end - 4, to), false) };
});

const secure = shape('password', 'convertto-securestring', raw`ConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["'][^\s"']{4}`, (text, _, end) => {
  const to = runEnd(text, end - 4, QUOTED);
  return { from: end - 4, to, secret: isQuote(text, to) && !isPlaceholder(text.slice(end - 4, to)) };
});

/** Stored by Docker and npm: a name and a password in base64, or a token. */
const registry = shape(
  'secret',
  '"auth \'auth :_auth _auth',
  raw`(?:["']auth["']\s?:\s?["']|:?_auth(?:Token)?\s?=\s?["']?|_authToken\s{1,2})[\w+/-]{8}`,
  (text, _, end) => {
    const to = runEnd(text, end, BASE64_OR_TOKEN);
    const value = text.slice(end - 8, to);
    return {
      from: end - 8,
      to,
      secret: to - end >= 4 && (/\d/u.test(value) || (/[a-z]/u.test(value) && /[A-Z]/u.test(value))) && !isPlaceholder(value),
    };
  },
);
const BASE64_OR_TOKEN = inClass(raw`\w+/=-`);

const awsSecret = shape(
  'aws-secret-key',
  'secretaccess secret_access',
  raw`${anyCase('secret_?access_?key')}(?:${ASSIGNED}|\s{1,2})[${ALNUM}+/]{40}`,
  (text, _, end) => {
    const from = end - 40;
    const to = runEnd(text, end, BASE64);
    const value = text.slice(from, to);
    return { from, to, secret: /\d/u.test(value) && /[a-z]/u.test(value) && /[A-Z]/u.test(value) && !isPlaceholder(value) };
  },
);

const bearer = shape('bearer-token', 'bearer', raw`${anyCase('bearer')}(?:\s|%20){1,4}[\w.~+/-]{20}`, (text, _, end) => {
  const to = runEnd(text, end, BEARER);
  return { from: end - 20, to, secret: looksRandom(text.slice(end - 20, to)) };
});

const HEADER = raw`${anyCase('authorization')}${ASSIGNED}`;
const SCHEMES = anyCase('bearer|token|apikey|key|ssws|geniekey|bot|dpop|splunk|oauth');

const header = shape('bearer-token', 'authorization', raw`${HEADER}(?:${SCHEMES})\s{1,4}[\w.~+/-]{8}`, (text, _, end) => {
  const to = runEnd(text, end, BEARER);
  const value = text.slice(end - 8, to);
  return { from: end - 8, to, secret: /\d/u.test(value) && !isPlaceholder(value) };
});

const bareHeader = shape('bearer-token', 'authorization', raw`${HEADER}[\w.~+/-]{16}`, (text, _, end) => {
  const to = runEnd(text, end, BEARER);
  return { from: end - 16, to, secret: looksRandom(text.slice(end - 16, to)) };
});

const digest = shape('signature', 'response= signature=', raw`(?:${anyCase('response|signature')})="?[0-9a-f]{32}`, (text, _, end) => ({
  from: end - 32,
  to: runEnd(text, end, HEX),
  secret: true,
}));
const HEX = inClass('0-9a-f');

// "Authorization: Basic authentication" is prose: base64 of a name and a password has both cases or a digit.
const basic = shape('basic-credentials', 'authorization', raw`${HEADER}${anyCase('basic')}\s{1,4}[${ALNUM}+/]{7}`, (text, _, end) => {
  const to = runEnd(text, end, BASE64);
  const value = text.slice(end - 7, to);
  return { from: end - 7, to, secret: /\d/u.test(value) || (/[a-z]/u.test(value) && /[A-Z]/u.test(value.slice(1))) };
});

/** Cookies in turn; `Path`, `Max-Age` and those that only affect a page's looks aren't secret. */
const cookie = shape(
  'cookie',
  raw`cookie -b[\s] ;[\w.-][\w.=-] ;[\s][\w.-]`,
  raw`(?:${anyCase('cookies?')}["']?\s?[:=]\s?["']?|-b\s{1,2}["']?|;\s?)[\w.-]{2,64}=[\w%.:+/~|-]{6}`,
  (text, from, end) => {
    const name = /([\w.-]+)=.{6}$/u.exec(text.slice(from, end))?.[1] ?? '';
    const to = runEnd(text, end - 6, COOKIE);
    const value = text.slice(end - 6, to);
    const isSession = /sess|sid$|auth|token|jwt|csrf|xsrf|login|remember|secret|identity/iu.test(name);
    const isCookie = text.charAt(from) !== ';' || isSession;
    const secret = isCookie && !isPlaceholder(value) && (looksRandom(value, false, 20) || (isSession && value.length >= 8 && /\d/u.test(value)));
    return { from: end - 6, to: secret ? to : end - 6, secret };
  },
);
const COOKIE = inClass(raw`\w%.:+/~|-`);

const PARAMETERS = raw`passw(?:or)?d|pwd|pass|secret|(?:access_?|auth_?|refresh_?|id_?|session_?)?token|api_?key|key|sig|signature|code|x-amz-(?:signature|security-token|credential)|x-goog-signature|client_secret|auth`;
const PARAMETER_ANCHORS = raw`[?&]pas [?&]pwd [?&]sec [?&]acc [?&]aut [?&]ref [?&]id [?&]ses [?&]tok [?&]api [?&]key [?&]sig [?&]cod [?&]x- [?&]cli &amp; \u0026`;
/** The query of an address. */
const parameter = shape(
  'secret',
  PARAMETER_ANCHORS,
  raw`(?:[?&]|&amp;|\\u0026)${anyCase(raw`(?:${PARAMETERS})`)}=[\w%.~+/!*$-]{4}`,
  (text, from, end) => {
    const to = runEnd(text, end - 4, PARAMETER);
    const value = text.slice(end - 4, to);
    const name = /(\w+)=.{4}$/u.exec(text.slice(from, end))?.[1] ?? '';
    const isPassword = /^pass|^pwd/iu.test(name);
    const secret = isPassword ? value.length >= 4 && !isPlaceholder(value) : looksRandom(value, false, 16) && !/^[A-Za-z]+$/u.test(value);
    return { from: end - 4, to: secret ? to : end - 4, secret };
  },
);
const PARAMETER = inClass(raw`\w%.~+/=!*$-`);

/** Everything that may precede the @ of an address. */
const BEFORE_HOST = inClass(raw`\x00-\x08\x0e-\x1f!#-&(-.0-;=?A-Z^_a-\x7f`);

/** Most addresses have none: checked before trying a regular expression. */
const atUser: Begin = (text, at) => {
  let to = at + 2;
  while (to < at + 5 && to < text.length && SLASH[text.charCodeAt(to)] === 1) to += 1;
  const most = Math.min(text.length, to + 400);
  while (to < most && BEFORE_HOST[text.charCodeAt(to)] !== 0) to += 1;
  return to < most && text.charCodeAt(to) === AT ? at : -1;
};
const SLASH = inClass(raw`/\\`);
const AT = 0x40;

const URL_ANCHORS = raw`:// :/\ :\/`;
const url = shape(
  'password',
  URL_ANCHORS,
  raw`:\\?/\\?/[^\s:@/?#"'\u0060<>[\]\\]{0,128}:[^\s@/"'\u0060<>[\]\\]{1,256}@(?=[\w$])`,
  (text, begin, end) => {
    const from = text.indexOf(':', text.indexOf('/', begin)) + 1;
    const value = text.slice(from, end - 1);
    return { from, to: end - 1, secret: !/^(?:[$%{].*|[*x.]+)$/iu.test(value) && !isPlaceholderPassword(value) };
  },
  atUser,
);
/** In an address nearly everything is real, except what documents use as examples. */
const isPlaceholderPassword = (value: string): boolean => /^(?:pass(?:word)?|pwd|your[-_]?pass(?:word)?|secret|token|changeme)$/iu.test(value);

/** A token in place of the user. */
const userinfo = shape(
  'secret',
  URL_ANCHORS,
  raw`:\\?/\\?/[\w.~-]{20,256}@(?=[\w$])`,
  (text, begin, end) => {
    const from = text.indexOf('/', text.indexOf('/', begin) + 1) + 1;
    return { from, to: end - 1, secret: looksRandom(text.slice(from, end - 1)) };
  },
  atUser,
);

export const PLACE_SHAPES: readonly Shape[] = [
  header,
  basic,
  bareHeader,
  bearer,
  digest,
  url,
  userinfo,
  awsSecret,
  registry,
  cookie,
  parameter,
  assignment,
  flag,
  docker,
  sql,
  pair,
  secure,
  prose,
];
