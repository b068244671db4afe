/** A value as written: an amount with its unit, and whether it is a bound. */
export type ClaimedValue = { readonly value: string; readonly unit: string | null; readonly bound: Bound };

export const BOUNDS = ['exactly', 'at-least', 'at-most', 'above', 'below', 'about'] as const;
export type Bound = (typeof BOUNDS)[number];

/** What a type of claim must name to be checkable. Missing parts are never guessed. */
export type ClaimArguments =
  | { readonly type: 'config_value'; readonly key: string; readonly value: ClaimedValue; readonly file: string | null }
  | { readonly type: 'file_exists'; readonly path: string }
  | { readonly type: 'service_status'; readonly name: string; readonly state: ServiceState; readonly port: number | null }
  | { readonly type: 'current_state'; readonly name: string; readonly value: ClaimedValue }
  | { readonly type: 'code_structure'; readonly symbol: string; readonly file: string | null; readonly kind: string | null }
  | { readonly type: 'version_check'; readonly name: string; readonly version: string; readonly bound: Bound }
  | { readonly type: 'dependency_exists'; readonly name: string; readonly version: string | null; readonly bound: Bound }
  | { readonly type: 'did_it'; readonly deed: Deed; readonly object: string | null };

export type ServiceState = 'running' | 'stopped' | 'listening' | 'healthy' | 'unhealthy';

export const DEEDS = [
  'tests_passed',
  'built',
  'lint_passed',
  'types_passed',
  'file_written',
  'file_deleted',
  'committed',
  'pushed',
  'deployed',
  'installed',
  'command_ran',
] as const;
export type Deed = (typeof DEEDS)[number];

/** A name without code marks, quotes, call parentheses and sentence punctuation. */
export const bare = (text: string): string =>
  text
    .trim()
    .replaceAll(/^[`"'“”‘’*_(]+|[`"'“”‘’*_),;:!?]+$/gu, '')
    .replace(/\.$/u, '')
    .replace(/\(\)$/u, '');

/** CLAIM-16: valid paths. Addresses, patterns, control characters and paths that lead out are excluded. */
export const isPath = (text: string): boolean =>
  text.length <= LONGEST_PATH &&
  !/[\s*?<>|"'`$\\;&{}[\]()\p{Cc}\p{Cf}]|^-|:\/\/|(?:^|\/)\.\.(?:\/|$)|^\/\/|,/u.test(text) &&
  (/^(?:~?\/|\.\/)?[\w@.+~-]+(?:\/[\w@.+~-]+)+\/?$/u.test(text) ||
    /^(?:\/[\w@.+~-]+\/?|(?:\.\/)?[\w@.+~-]+\/)$/u.test(text) ||
    FILE_NAME.test(text)) &&
  !NO_PATHS.test(text);

const FILE_NAME =
  /^(?:\.[\w-]+(?:\.\w+)*|[\w@+-][\w@.+-]*\.(?:[cm]?[jt]sx?|json[5cl]?|ya?ml|toml|ini|cfg|cnf|conf|config|env|md|rst|txt|py|pyi|go|rs|rb|java|kt|swift|c|cc|cpp|h|hpp|cs|php|sh|bash|zsh|sql|html?|s?css|less|vue|svelte|lock|xml|csv|log|proto|tf|gradle|properties|db|sqlite3?|service|plist|ex|exs|lua|pl|r|scala|zig|dart|graphql|prisma|ipynb|pem|crt|key|pid|sock|jar|whl|gz|zip|tar|bak|patch|diff|mod|sum|snap|map|wasm|parquet|pdf|png|svg|jpg)|Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile|Pipfile|LICENSE|README|CHANGELOG|CODEOWNERS|CMakeLists\.txt)$/u;
// Fractions, dates and pairs of words.
const NO_PATHS = /^(?:\d+\/\d+(?:\/\d+)?|and\/or|read\/write|client\/server|yes\/no|on\/off|true\/false|input\/output|i\/o|n\/a|ci\/cd|tcp\/ip)$/iu;
const LONGEST_PATH = 1000;

/** The name of a program, service or package, without characters special to shells or options. */
export const isName = (text: string): boolean => /^@?[A-Za-z0-9][\w.+-]*(?:\/[A-Za-z0-9][\w.+-]*)?$/u.test(text) && text.length <= 100;

export const isSymbol = (text: string): boolean => /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*$/u.test(text) && text.length <= 200;

/** Words for a bound before an amount. */
export const BOUND_WORDS =
  'at least|no less than|at most|no more than|up to|more than|less than|over|under|above|below|greater than|fewer than|about|around|approximately|roughly|nearly|almost|~|≈|>=|<=|≥|≤|>|<|exactly';

export const boundOf = (words: string | undefined): Bound => {
  const said = (words ?? '').trim().toLowerCase();
  if (/^(?:at least|no less than|>=|≥)$/u.test(said)) return 'at-least';
  if (/^(?:at most|no more than|up to|<=|≤)$/u.test(said)) return 'at-most';
  if (/^(?:more than|over|above|greater than|>)$/u.test(said)) return 'above';
  if (/^(?:less than|under|below|fewer than|<)$/u.test(said)) return 'below';
  return /^(?:about|around|approximately|roughly|nearly|almost|~|≈)$/u.test(said) ? 'about' : 'exactly';
};

export const UNITS =
  '°c|°f|ms|milliseconds?|msecs?|µs|us|microseconds?|ns|nanoseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|%|percent|k|g|kb|kib|mb|mib|gb|gib|tb|tib|bytes?|b|kilobytes?|megabytes?|gigabytes?|px|rps|qps|req\\/s|requests?(?: per (?:second|minute|hour|client))?|connections?|retries|attempts|workers?|threads?|items?|rows?|entries|times|replicas?|cores?|vcpus?|hz|khz|mhz|ghz|mbps|gbps|instances?|processes|files|characters|chars|tokens?|lines?|messages?|jobs?|users?|clients?|pods?|nodes?';

/** An amount, a switch, a quoted word or a constant: a possible value of a setting. */
export const readValue = (text: string): Omit<ClaimedValue, 'bound'> | null => {
  const said = text.trim();
  const [, amount, unit] = AMOUNT.exec(said) ?? [];
  if (amount !== undefined) return { value: amount.replaceAll(/[,_](?=\d)/gu, ''), unit: unit === undefined || unit === '' ? null : unit };
  const word = bare(said);
  if (SWITCH.test(word)) return { value: word.toLowerCase(), unit: null };
  const [, inside] = QUOTED.exec(said) ?? [];
  if (inside !== undefined) {
    const [, n, u] = AMOUNT.exec(inside) ?? [];
    return n === undefined
      ? { value: inside, unit: null }
      : { value: n.replaceAll(/[,_](?=\d)/gu, ''), unit: u === undefined || u === '' ? null : u };
  }
  return CONSTANT.test(word) ? { value: word, unit: null } : null;
};

const AMOUNT = new RegExp(String.raw`^[\x60"']?(-?\d[\d,_]*(?:\.\d+)?)[\x60"']?(?:[ -]?(${UNITS}))?[\x60"']?$`, 'iu');
const SWITCH = /^(?:true|false|on|off|enabled|disabled|yes|no)$/iu;
const QUOTED = /^[`"'“]([^`"'”]{1,200})[`"'”]$/u;
// Levels, hosts, addresses, regions: ordinary words don't look like these, except the levels themselves.
const CONSTANT =
  /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:-[a-z]+)*-\d+[a-z]?|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|localhost(?::\d+)?|[a-z][a-z\d+.-]{1,20}:\/\/\S+|[\w-]+(?:\.[\w-]+)+(?::\d+)?|debug|info|warn|warning|error|trace|verbose|production|development|staging|test|strict|lax|utf-?8|UTC|\/[\w./-]+)$/u;

export const isVersion = (text: string): boolean =>
  /^v?\d+(?:\.(?:\d+|x|\*))*(?:[-+.]?(?:alpha|beta|rc|lts|dev|preview|canary|next|post|p)[\w.]*)?$/iu.test(text);
