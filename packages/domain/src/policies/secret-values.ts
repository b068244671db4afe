// Whether a value in the place of a secret looks like one. Values are short: whole texts are never tested.

const hasDigit = (text: string): boolean => /\d/u.test(text);

/** How often digits and letters touch. Words rarely have such places, however long; hex, base32 and base62 have many. */
export const mixing = (text: string): number => {
  let count = 0;
  let before = 0;
  for (let at = 0; at < text.length && count < ENOUGH; at += 1) {
    const code = text.charCodeAt(at);
    const is = code >= 48 && code <= 57 ? 1 : (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? 2 : 0;
    if (is + before === 3) count += 1;
    before = is;
  }
  return count;
};
/** Nobody asks for more. */
const ENOUGH = 8;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
const NO_SECRET = /[<>{}()]|:\/\/|^[$%[]|^sha\d{1,3}[-:]|^[./~][^/]{0,256}\/[^/]{0,256}\//iu;

/** SEC-32: placeholders in documents, templates and unfilled settings. */
export const isPlaceholder = (value: string): boolean =>
  value.length <= LONGEST_PLACEHOLDER && (FILLED_IN.test(value) || isStandIn(value) || NAMES.test(value) || /^[A-Z]+_[A-Z0-9_]+$/u.test(value));

/** The same for what follows a maker's prefix, which may begin with any sign. */
export const isStandIn = (value: string): boolean => STAND_IN.test(value) || /([xX*.#_-])\1{4}|0{8}|([A-WYZa-wyz1-9])\2{11}/u.test(value);

const LONGEST_PLACEHOLDER = 256;
/** Variables, templates, marks. */
const FILLED_IN =
  /^(?:[$%[<{(*.…&_#-]|\\?["'`])|[<>{}]|\*{3}|…|\.{3}|^(?:process|import|os|env|config|secrets?|vars?|settings|self|this|ctx|args|options|params)\.|^%?[A-Z_]+%$/u;
const STAND_IN =
  /EXAMPLE|(?:^|[^a-z])(?:your|my|the|some|any|insert|replace|enter|put)[-_ ]?(?:own|real|new|secret|super|api|pass|token|key|access|auth|client|account|value|here|user)|(?:^|[^a-z])(?:example|placeholder|changeme|change[-_]?(?:this|it|me)|change[-_]?in[-_]?prod|todo|fixme|dummy|redacted|removed|masked|hidden|not[-_]?(?:set|real|a[-_]?secret)|xxx+|tbd|foo[-_]?bar|lorem|secret[-_]?here|goes[-_]?here)/iu;
const NAMES =
  /^(?:pass(?:w(?:or)?d)?\d?|secrets?|tokens?|key|root|admin|administrator|user(?:name)?|test|testing|guest|default|none|null|nil|true|false|undefined|string|number|bool(?:ean)?|str|text|postgres|mysql|redis|mongo|minio|minioadmin|required|optional|empty|value|hash(?:ed)?|plain|bearer|basic|base64|bcrypt\d?|scrypt|argon2\w*|pbkdf2\w*|md5|sha-?\d+|aes-?\d*\w*|hmac\w*|rsa\w*|utf-?8|ed25519|x509|oauth2?|oidc|saml2?|varchar\d*|int\d+|uint\d+|v\d+)\??$/iu;

/** Whether a value looks generated; `strict` where it may also be code. */
export const looksRandom = (value: string, strict = false, least = 16): boolean => {
  if (value.length < least || value.length > 4096 || !hasDigit(value) || /\s/u.test(value) || UUID.test(value) || NO_SECRET.test(value)) return false;
  if (isPlaceholder(value)) return false;
  return mixing(value) >= 3 || (!strict && /[a-z]/u.test(value) && /[A-Z]/u.test(value));
};

/** Whether a value looks made up by a person: letters, and a digit or a sign that words don't have. */
export const looksChosen = (value: string, isLiteral: boolean): boolean => {
  if (value.length < 6 || value.length > 128 || /\s/u.test(value) || NO_SECRET.test(value) || isPlaceholder(value) || NO_PASSWORD.test(value))
    return false;
  if (!/\p{L}/u.test(value) || /^[A-Z]{2,6}-\d+$/u.test(value)) return false;
  return isLiteral || hasDigit(value) || /[!@#$%^&*+=~?|]/u.test(value.slice(0, -1)) || /[!@#$%^&*]$/u.test(value);
};

/** Addresses, dates, versions, hashes of passwords, names with dots. */
const NO_PASSWORD =
  /^[\w.+-]+@[\w-]+\.[\w.]+$|^\d{4}-\d\d-\d\d|^v?\d+(?:\.\d+)+|^\$?2[aby]\$|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^(?:https?|file|ssh|tcp|udp):|^[0-9a-f]{8}-[0-9a-f]{4}-|^0x|=>|^\w+\[|::|^sha\d|[;,]\S/iu;
