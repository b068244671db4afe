import { ADVERB, AFTER, denies, IS, LEAD, rx, type Reader } from './pattern.ts';
import { bare, BOUND_WORDS, boundOf, isName, isPath, isVersion } from './shapes.ts';

export const versionCheck: Reader = (clause) => {
  for (const pattern of VERSIONS) {
    const match = pattern.exec(clause);
    if (match === null) continue;
    const { name: said = '', version: number = '', bound: right, bound2, after = '', not } = match.groups ?? {};
    const name = bare(said).replace(/^(?:the|our)\s+/iu, '');
    const version = bare(number)
      .replace(/\+$/u, '')
      .replace(/^v(?=\d)/iu, '');
    if (!isName(name.replaceAll(/\s+/gu, '-')) || !isVersion(version) || NO_PRODUCT.test(name)) continue;
    const isLeast = /^(?:or (?:later|newer|higher|above|greater)|and (?:up|above|later))$/iu.test(after.trim()) || bare(number).endsWith('+');
    return {
      arguments: { type: 'version_check', name, version, bound: isLeast ? 'at-least' : boundOf(right ?? bound2) },
      isDenied: denies(not),
      because: match[0].trim(),
    };
  }
  return null;
};

const RUNTIMES = String.raw`python|node(?:\.js)?|nodejs|npm|pnpm|yarn|bun|deno|go|golang|rust|rustc|cargo|java|jdk|openjdk|kotlin|ruby|php|perl|gcc|clang|cmake|make|docker|podman|kubectl|kubernetes|helm|terraform|postgres(?:ql)?|mysql|mariadb|redis|mongodb|sqlite|nginx|git|typescript|tsc|react|vue|angular|svelte|next(?:\.js)?|django|flask|fastapi|rails|spring(?: boot)?|laravel|express|webpack|vite|eslint|prettier|jest|vitest|pytest|elixir|erlang|scala|swift|dotnet|\.net|openssl|glibc|ubuntu|debian|alpine|macos|tailwind(?:css)?|electron|pip|poetry|uv|gradle|maven|zod|prisma|numpy|pandas|pytorch|tensorflow|kafka|elasticsearch|rabbitmq|grafana|prometheus|zig|lua|r|julia|haskell|ghc|ocaml|clojure|nix`;
const NUMBER = String.raw`(?:(?<bound>${BOUND_WORDS})\s*)?\x60?(?<version>v?\d+(?:\.(?:\d+|x))*(?:[-+.]?(?:alpha|beta|rc|lts|dev|preview|canary)[\w.]*)?\+?)\x60?(?<after>\s+or (?:later|newer|higher|above|greater)|\s+and (?:up|above|later))?`;
const PRODUCT = String.raw`(?<name>(?:${RUNTIMES})|\x60[^\x60\s]{1,100}\x60|@?[\w.-]+(?:/[\w.-]+)?)`;
const WHO_RUNS = String.raw`(?:(?:the|this|our|my)\s+)?(?:[\w'./-]+\s+){0,3}?[\w'./-]+\s+`;
const VERSIONS: readonly RegExp[] = [
  rx(
    `${LEAD}(?:(?:we|i|you|it)(?:'re| are|'s| is)\\s+(?:still |now |currently )*on\\s+|${WHO_RUNS}is\\s+(?:still |now |currently )*on\\s+)(?<not>)(?:(?<bound2>${BOUND_WORDS})\\s+)?${PRODUCT}\\s+(?:version\\s+)?${NUMBER}${AFTER}`,
  ),
  rx(
    `${LEAD}(?:(?:we|i|you|it)(?:'re| are|'s| is)?\\s+|${WHO_RUNS})?(?<not>(?:currently |now |still |not |does not |doesn't |is |are |isn't )*)(?:us(?:es?|ing)|runs?(?: on)?|running(?: on)?|requires?|needs?|targets?|targeting|pinned to|(?:built|compiles?|compiled|build) (?:with|on|against)|depends on|based on)\\s+(?:(?<bound2>${BOUND_WORDS})\\s+)?${PRODUCT}\\s+(?:version\\s+)?${NUMBER}${AFTER}`,
  ),
  rx(
    `${LEAD}(?:the\\s+|our\\s+)?(?:installed\\s+|current\\s+|system\\s+|project's\\s+|local\\s+|pinned\\s+)?${PRODUCT}\\s+version\\s+(?:here\\s+)?${IS}(?<not>${ADVERB})\\s+${NUMBER}${AFTER}`,
  ),
  rx(`${LEAD}(?:the\\s+)?(?:installed\\s+|current\\s+)?version\\s+of\\s+${PRODUCT}\\s+${IS}(?<not>${ADVERB})\\s+${NUMBER}${AFTER}`),
  rx(
    `${LEAD}(?:our\\s+|the\\s+)?${PRODUCT}\\s+${IS}(?<not>${ADVERB})\\s+(?:at\\s+|on\\s+|pinned (?:to|at)\\s+|set to\\s+)?(?:(?<bound2>${BOUND_WORDS})\\s+)?version\\s+${NUMBER}${AFTER}`,
  ),
  rx(
    `${LEAD}(?:our\\s+|the\\s+)?(?<name>${RUNTIMES}|\`[^\`\\s]{1,100}\`)\\s+${IS}(?<not>${ADVERB})\\s+(?:at|on|pinned (?:to|at))\\s+${NUMBER}${AFTER}`,
  ),
  rx(`${LEAD}${PRODUCT}\\s+version:?\\s+${NUMBER}(?<not>)(?:\\s+${IS}\\s+(?:what|the one)\\s+we\\s+\\w+)?\\s*[.!]*$`),
  rx(
    `${LEAD}(?:the\\s+)?(?:[\\w-]+\\s+)?(?:lock ?file|[\\w.-]+\\.(?:json|toml|lock|ya?ml|txt))\\s+(?:resolves|pins|locks)\\s+${PRODUCT}(?<not>)\\s+(?:to|at)\\s+(?:version\\s+)?${NUMBER}${AFTER}`,
  ),
  rx(`${LEAD}(?:the|our)\\s+(?:[\\w-]+\\s+){0,2}[\\w-]+\\s+${IS}(?<not>${ADVERB})\\s+(?<name>${RUNTIMES})\\s+(?:version\\s+)?${NUMBER}${AFTER}`),
];
const NO_PRODUCT =
  /^(?:next|last|latest|this|that|on|in|with|from|and|port|line|lines|page|step|level|version|about|over|under|branch|commit|issue|pr|the|a|an|at|to|only|up|section|chapter|phase|round|option|part|node|r|task|item|point|test|tests|day|week|sprint)$/u;

export const dependencyExists: Reader = (clause) => {
  for (const pattern of DEPENDENCIES) {
    const match = pattern.exec(clause);
    if (match === null) continue;
    const { name: said = '', version: inside, version2, bound, not = '' } = match.groups ?? {};
    const name = bare(said);
    const number = inside ?? version2;
    const version = number === undefined ? null : bare(number);
    if (!isName(name) || (isPath(name) && !isScoped(name)) || NO_PACKAGE.test(name) || (version !== null && !isVersion(version))) continue;
    return {
      arguments: { type: 'dependency_exists', name, version, bound: boundOf(bound) },
      isDenied: denies(not) || /missing/iu.test(not),
      because: match[0].trim(),
    };
  }
  return null;
};

const PACKAGE = String.raw`(?:the\s+)?(?:(?:npm|pip|python|node|apt|system|ruby)\s+)?(?:package|library|module|dependency|gem|crate|plugin|extension)?\s*(?<name>\x60[^\x60\s]{1,100}\x60|"[^"\s]{1,100}"|@?[\w.-]+(?:/[\w.-]+)?)(?:\s+(?:package|library|module|dependency|gem|crate|plugin|cli))?`;
const MAYBE_VERSION = String.raw`(?:\s*@?\s*(?:\(?(?:version\s+|v)?(?:(?<bound>${BOUND_WORDS})\s*)?(?<version>\d+(?:\.(?:\d+|x))*(?:[-+.]?(?:alpha|beta|rc)[\w.]*)?)\)?))?`;
const MANIFEST = String.raw`(?:\x60?(?:package\.json|package-lock\.json|requirements(?:-\w+)?\.txt|pyproject\.toml|setup\.(?:py|cfg)|Pipfile(?:\.lock)?|poetry\.lock|yarn\.lock|pnpm-lock\.yaml|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|Gemfile(?:\.lock)?|composer\.json|pom\.xml|build\.gradle|node_modules|uv\.lock)\x60?|(?:the\s+|our\s+)?(?:dev-?\s?)?(?:dependencies|devDependencies|peerDependencies|requirements|lock ?file|virtualenv|venv|virtual environment))`;
const PROJECT = '(?:the|this|our)\\s+(?:project|app|application|repo(?:sitory)?|codebase|package|service|backend|frontend|library|cli|server)';
const ALSO = "(?<not>(?:does not |doesn't |don't |do not |already |also |still |now |currently )*)";
const DEPENDENCIES: readonly RegExp[] = [
  rx(`${LEAD}${PACKAGE}${MAYBE_VERSION}\\s+${IS}(?<not>${ADVERB})\\s+installed${AFTER}`),
  rx(
    `${LEAD}${PACKAGE}${MAYBE_VERSION}\\s+${IS}(?<not>${ADVERB}(?:\\s+missing)?)\\s+(?:listed |declared |included |present |pinned |specified |already |from |also )*(?:in|from|among|as)\\s+(?:our\\s+)?${MANIFEST}(?:\\s+(?:already|at\\s+v?(?<version2>[\\d.]+\\d)))?${AFTER}`,
  ),
  rx(
    `${LEAD}${PACKAGE}\\s+${IS}(?<not>${ADVERB})\\s+present\\s+in\\s+(?:the\\s+)?(?:site-packages|environment|node_modules|venv|virtualenv|image)\\s*[.!]*$`,
  ),
  rx(
    `${LEAD}${PACKAGE}${MAYBE_VERSION}\\s+${IS}(?<not>${ADVERB})\\s+(?:a|an|one of (?:the|our)|our)\\s+(?:direct |dev |runtime |peer |production |transitive |optional |project )*(?:dependenc(?:y|ies)|devDependenc(?:y|ies)|peerDependency)${AFTER}`,
  ),
  rx(
    `${LEAD}(?:${PROJECT}|we|it|${MANIFEST})\\s+${ALSO}(?:depends? on|lists?|includes?|has|have|declares?|pulls? in|pins?)\\s+(?:a dependency on\\s+)?${PACKAGE}${MAYBE_VERSION}\\s+(?:as (?:a|an) (?:direct |dev |runtime |peer |production )*(?:dependency|devDependency)|installed|in (?:the )?(?:dependencies|devDependencies)|in package\\.json|in requirements\\.txt)\\s*[.!]*$`,
  ),
  rx(`${LEAD}(?:${PROJECT}|we)\\s+${ALSO}(?:depends? on)\\s+${PACKAGE}${MAYBE_VERSION}\\s*[.!]*$`),
  rx(
    `${LEAD}(?:${MANIFEST})\\s+${ALSO}(?:lists?|includes?|contains?|has|declares?|pins?)\\s+${PACKAGE}${MAYBE_VERSION}(?:\\s+as (?:a|an) (?:\\w+ )*dependency)?\\s*[.!]*$`,
  ),
  rx(
    `${LEAD}there(?:'s| is)(?<not>(?:\\s+(?:no|not|already|also|now))*)\\s+(?:an?\\s+|any\\s+)?(?:direct |dev |runtime |peer )*dependency on\\s+${PACKAGE}${MAYBE_VERSION}\\s*[.!]*$`,
  ),
  rx(
    `${LEAD}${PACKAGE}\\s+${IS}(?<not>${ADVERB})\\s+(?:available |present |found )?(?:on|in)\\s+(?:the\\s+|my\\s+|our\\s+|your\\s+)?\`?\\$?PATH\`?\\s*[.!]*$`,
  ),
  rx(
    `${LEAD}(?<name>[a-z][\\w-]*)\\s+${IS}(?<not>\\s+missing)\\s+(?:on|from|in)\\s+(?:this|the)\\s+(?:image|machine|box|host|container|server|system|runner|venv|environment)\\s*[.!]*$`,
  ),
];
/** `@types/node`: a name of npm, although it looks like a path. */
const isScoped = (name: string): boolean => /^@[\w.-]+\/[\w.-]+$/u.test(name) && !isPath(name.slice(name.indexOf('/') + 1));
const NO_PACKAGE =
  /^(?:it|this|that|there|which|what|they|everything|all|both|nothing|something|package|packages|library|libraries|dependency|dependencies|module|modules|version|none|these|those|the|one|is|are|software|tool|tools|plugin|a|an|no|not|python3?-packages|software|dependencies)$/iu;
