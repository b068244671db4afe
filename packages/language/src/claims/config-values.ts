import { ADVERB, AFTER, denies, IS, isUnreal, LEAD, rx, TERM, type Reader } from './pattern.ts';
import { bare, BOUND_WORDS, boundOf, isPath, readValue, UNITS } from './shapes.ts';

/** Code, or something spelled as only names are. */
const isIdentifier = (text: string): boolean =>
  /^`[^`]+`$/u.test(text) ||
  /^[A-Za-z][\w-]*(?:[._][\w-]+)+$/u.test(text) ||
  /^[a-z]+[A-Z]\w*$/u.test(text) ||
  /^[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+$/u.test(text);

// The usual names of settings.
const SETTINGS = String.raw`time-?outs?|limits?|ports?|sizes?|ttl|intervals?|retries|retry count|max count|thresholds?|level|mode|flag|host(?:name)?|url|region|time-?zone|workers|threads|replicas|concurrency|delay|back-?off|quota|expiry|expiration|lifetime|capacity|keep-?alive|window|encoding|environment|endpoint|address|prefix|suffix|path|format|strategy|policy|driver|engine|dialect|charset|locale|depth|length|width|period|frequency|rate|factor|ratio|max(?:imum)?|min(?:imum)?|default|setting|option|value|variable|parameter|property|key|target|cache|caching|logging|tracing|compression|debug(?:ging)?|telemetry|feature|strict|tls|ssl|cors|auth(?:entication)?|autoscaling|autosave|auto-?reload|verbose|sourcemaps?|minification|pooling|sharding|replication|heap|memory limit|age`;

export const configValue: Reader = (sentence) => {
  const [file, rest] = withoutFile(sentence);
  for (const pattern of CONFIG) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    const { key: said = '', not = '', bound, value = '' } = match.groups ?? {};
    // Something that is so "right now" was measured, not set.
    const key =
      !/`/u.test(said) && /\b(?:right now|at the moment|currently)\b/iu.test(rest)
        ? null
        : keyOf(said, file !== null && FILES_OF_SETTINGS.test(file) && SWITCH.test(value));
    const read = readValue(value);
    if (key === null || read === null) continue;
    // A switch is "on" or off; a version is another type.
    if (/\bversion\b/iu.test(said)) continue;
    return {
      arguments: { type: 'config_value', key, value: { ...read, bound: boundOf(bound) }, file },
      isDenied: denies(not),
      because: match[0].trim(),
    };
  }
  return null;
};

const VALUE = String.raw`(?:(?<bound>${BOUND_WORDS})\s*)?(?<value>\x60[^\x60]{1,200}\x60|"[^"]{1,100}"|“[^”]{1,100}”|'[^']{1,100}'|-?\d[\d,_]*(?:\.\d+)?(?:[ -]?(?:${UNITS}))?(?![\w.]*\w)|[^\s,;]+)`;
const KEY = String.raw`(?<key>(?:(?:the|our|your|its|this)\s+)?(?:${TERM}\s+){0,5}?${TERM}(?:\s+(?:for|of)\s+(?:the\s+)?(?:${TERM}\s+){0,2}${TERM})?)`;
const TAIL = AFTER;

const CONFIG: readonly RegExp[] = [
  rx(
    `${LEAD}${KEY}\\s+${IS}(?<not>${ADVERB})\\s+(?:set|configured|hard-?coded|fixed|capped|limited|pinned|defaulted)\\s+(?:to|at|as)\\s+${VALUE}${TAIL}`,
  ),
  rx(`${LEAD}${KEY}\\s+${IS}(?<not>${ADVERB})\\s+(?:turned|switched)\\s+(?<value>on|off)${TAIL}`),
  rx(`${LEAD}we(?:'ve| have)?(?:\\s+got)?\\s+${KEY}\\s+(?:set\\s+)?(?:at|to)(?<not>)\\s+${VALUE}${TAIL}`),
  rx(`${LEAD}${KEY}\\s+(?:defaults?|equals|evaluates)(?<not>)\\s+(?:to\\s+)?${VALUE}${TAIL}`),
  rx(`${LEAD}${KEY}\\s+has a (?:default )?value of(?<not>)\\s+${VALUE}${TAIL}`),
  rx(`${LEAD}${KEY}\\s+${IS}(?<not>${ADVERB})\\s+${VALUE}${TAIL}`),
  rx(`${LEAD}(?<key>${TERM})\\s*(?:=|:)(?<not>)\\s*${VALUE}${TAIL}`),
  rx(
    `${LEAD}(?:${TERM}\\s+){0,2}?(?:sets|configures|pins|caps)\\s+(?<key>(?:the\\s+)?(?:${TERM}\\s+){0,3}?${TERM})(?<not>)\\s+(?:to|at)\\s+${VALUE}${TAIL}`,
  ),
  rx(`${LEAD}${KEY}\\s+(?:doesn't|does not)(?<not>) (?:equal)\\s+${VALUE}${TAIL}`),
];

/** The key as it would be searched for: code as it is, or words that end in a setting. */
const keyOf = (said: string, isSwitchThere: boolean): string | null => {
  if (isUnreal(said)) return null;
  const text = said
    .trim()
    .replace(/^(?:the|our|your|its|this)\s+/iu, '')
    .replace(/^[\w-]+'s\s+/iu, '');
  const [code] = /`[^`]+`/u.exec(text) ?? [];
  if (code !== undefined) {
    const inside = bare(code);
    return /^[\w.$@[\]-]+$/u.test(inside) && !FILES.test(inside) && !/\(\)/u.test(code) ? inside : null;
  }
  if (isIdentifier(text) && !FILES.test(text)) return text;
  // Anything that is on or off in a settings file is one.
  const isSetting = SETTING_PHRASE.test(text) || BOUNDARY.test(text) || (isSwitchThere && /^[a-z][\w-]*$/iu.test(text));
  if (!isSetting || NO_SETTING.test(text)) return null;
  return text.toLowerCase();
};

/** Anything with a maximum, a minimum or a default was set by somebody. */
const BOUNDARY = /^(?:max(?:imum)?|min(?:imum)?|default)(?:\s+[a-z][\w-]*){1,3}$/iu;
const FILES_OF_SETTINGS = /\.(?:jsonc?|ya?ml|toml|ini|cfg|cnf|conf|properties|xml)$/iu;
const SWITCH = /^(?:true|false|on|off|enabled|disabled)$/iu;
const FILES = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|md|json|ya?ml|toml|ini|cfg|conf|txt|sh)$/iu;
const SETTING_PHRASE = new RegExp(String.raw`^(?:[\w'./-]+\s+){0,5}(?:${SETTINGS})(?:\s+(?:for|of)\s+(?:the\s+)?[\w'. -]+)?$`, 'iu');
const NO_SETTING =
  /\b(?:it|this|that|there|he|she|they|we|i|you|which|what|who|test|tests|result|total|answer|number of|bug|issue|problem|file|function|class|method|response|return|status code|error|current|average|actual|measured|usage|build|output|hit|free|pending|latency|load)\b/iu;

/** " in config/app.toml", " (config/app.toml:12)": where a value is said to be. */
const withoutFile = (sentence: string): readonly [string | null, string] => {
  const match = IN_FILE.exec(sentence);
  const file = match === null ? null : bare(match[1] ?? match[2] ?? '').replace(/:\d+(?:-\d+)?$/u, '');
  return match === null || file === null || !isPath(file)
    ? [null, sentence]
    : [file, `${sentence.slice(0, match.index)}${sentence.slice(match.index + match[0].length)}`.replace(/^\s*,?\s*/u, '')];
};

const IN_FILE =
  /\s*(?:,\s*)?(?:(?:^|\b)(?:in|per|from|inside|within)\s+(?:the\s+)?(`?[\w@~./+-]*[\w@~/+-]\.?[\w:-]*`?)(?=[\s,.;]|$)|\((?:see |in |from )?(`?[\w@~./+-]+(?::\d+(?:-\d+)?)?`?)\))/iu;
