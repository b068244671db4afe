import type { Deed } from '@yarnboard/language';
import type { ShellStep } from '../sessions/shell-commands.ts';

/** Whether a step of a command line is a way to do this. */
export const doesDeed = (deed: Deed, { text }: ShellStep): boolean => WAYS.get(deed)?.test(text) === true;

/** What the output says about the run: `empty` if there was nothing to run. */
export const verdictIn = (deed: Deed, output: string): 'passed' | 'failed' | 'empty' | null => {
  const signs = SIGNS.get(deed);
  if (signs === undefined) return null;
  if (signs.empty?.test(output) === true) return 'empty';
  if (signs.failed.test(output)) return 'failed';
  return signs.passed.test(output) ? 'passed' : null;
};

/** Running some of the tests says nothing about the others. */
export const isPartial = ({ words }: ShellStep): boolean =>
  words
    .slice(1)
    .some((word) =>
      word.startsWith('-')
        ? /^(?:-k|-t|-g|-w|-m|-run|--grep|--filter|--testNamePattern|--testPathPattern|--workspace|--only|--last-failed|--lf)(?:=|$)/u.test(word)
        : word !== './...' && /::|\/|\.\w{1,5}$/u.test(word) && !/^\d?>/u.test(word),
    );

/** Whether the result of a command (tests, a build, a check) holds only until the next change. */
export const isOutcome = (deed: Deed): boolean => deed === 'tests_passed' || deed === 'built' || deed === 'lint_passed' || deed === 'types_passed';

const SCRIPT = String.raw`(?:npm|pnpm|yarn|bun)(?: --?\S+)*(?: run| run-script)?(?: --?\S+)* `;
const WAYS: ReadonlyMap<Deed, RegExp> = new Map<Deed, RegExp>([
  [
    'tests_passed',
    new RegExp(
      `^(?:${SCRIPT}(?:t|tst|test|tests)(?:[:_-]\\S+)?(?: |$)|(?:vitest|jest|mocha|ava|pytest|py\\.test|(?:tox|nox)(?!.*(?:lint|format|fmt|static|type|docs))|rspec|(?:\\S*/)?phpunit|pest|ctest|karma|nose2|unittest|trial)(?: |$)|(?:playwright|deno|cargo|go|dotnet|swift|mix|rails|bazel|flutter|dart) (?:\\S+ )*?test(?: |$)|cargo nextest|cypress run|node (?:\\S+ )*--test|(?:\\./)?(?:mvn|mvnw|gradle|gradlew) (?:\\S+ )*(?:test|verify|check)(?: |$)|make (?:\\S+ )*(?:test|tests|check)(?: |$)|rake (?:test|spec)|(?:python[\\d.]* )?manage\\.py test|(?:(?:ba)?sh )?(?:\\./)?(?:\\S+/)?(?:run[-_])?tests?\\.sh)`,
      'u',
    ),
  ],
  [
    'built',
    new RegExp(
      `^(?:${SCRIPT}(?:build|compile)(?:[:_-]\\S+)?(?: |$)|make(?: -\\S+)*(?: (?:build|all))?(?: \\d?>.*)?$|cargo (?:build|check)|go build|(?:\\./)?(?:mvn|mvnw) (?:\\S+ )*(?:package|compile|install|verify)|(?:\\./)?gradlew? (?:\\S+ )*(?:build|assemble)|(?:vite|next|nuxt|astro|webpack|rollup|tsup|esbuild|turbo|nx|ng)(?: .*)?build|(?:webpack|rollup|tsup|esbuild|tsc)(?: |$)|docker (?:compose )?build|docker buildx|(?:dotnet|swift) build|cmake --build|ninja(?: |$)|xcodebuild|zig build)`,
      'u',
    ),
  ],
  [
    'lint_passed',
    new RegExp(
      `^(?:${SCRIPT}lint(?:[:_-]\\S+)?(?: |$)|(?:eslint|oxlint|ruff|flake8|pylint|stylelint|golangci-lint|rubocop|shellcheck|standard|xo)(?: |$)|biome (?:check|lint|ci)|prettier (?:.*)(?:--check|-c)\\b|black .*--check|cargo (?:clippy|fmt .*--check)|next lint|make lint)`,
      'u',
    ),
  ],
  [
    'types_passed',
    new RegExp(
      `^(?:${SCRIPT}(?:type-?checks?|types|check-types|check:types|tsc)(?:[:_-]\\S+)?(?: |$)|(?:tsc|vue-tsc|mypy|pyright|basedpyright|flow|svelte-check|tsgo)(?: |$)|cargo check|go vet)`,
      'u',
    ),
  ],
  ['committed', /^git (?:-C \S+ |-c \S+ )*commit\b/u],
  ['pushed', /^git (?:-C \S+ |-c \S+ )*push\b/u],
  [
    'deployed',
    /\bdeploy|^kubectl .*\b(?:apply|rollout|set image)\b|^helm .*\b(?:upgrade|install)\b|^(?:terraform|tofu) apply|^pulumi up|^vercel\b|^netlify\b|^wrangler (?:publish|deploy)|^git push heroku|^ansible-playbook\b|^aws .*\b(?:s3 sync|update-\S+)|^docker (?:push|stack)\b|^(?:rsync|scp) /u,
  ],
  [
    'installed',
    /^(?:npm|pnpm|yarn|bun) (?:-\S+ )*(?:i|install|ci|add)(?: |$)|^yarn(?: --\S+)*$|^(?:pip[\d.]*|uv pip|pipx|conda|mamba|gem|brew|apt|apt-get|dnf|yum|pacman|apk|cargo|go) (?:-\S+ )*(?:install|add|get|-S)(?: |$)|^(?:uv|poetry|cargo|dotnet|rye) (?:add|sync|install)|^composer (?:require|install)|^bundle(?: install|$)|^go mod (?:download|tidy)/u,
  ],
]);

type Signs = { readonly passed: RegExp; readonly failed: RegExp; readonly empty?: RegExp };

const SIGNS: ReadonlyMap<Deed, Signs> = new Map<Deed, Signs>([
  [
    'tests_passed',
    {
      empty: /\bno tests? (?:found|ran|were|to run|files? found)|\bran 0 tests|collected 0 items|no test files found|\b0 passing\b/iu,
      failed:
        /\b[1-9]\d*\s+(?:tests?\s+)?(?:failed|failures?|failing)\b|\b(?:failures|errors|failed)\s*[:=]\s*[1-9]|test result: FAILED|^FAIL(?:ED)?\b|--- FAIL:|^not ok \d|^FAILURES!|BUILD FAILURE|^# fail [1-9]/imu,
      passed:
        /\b[1-9]\d*\s+(?:tests?\s+)?pass(?:ed|ing)\b|test result: ok\. [1-9]|^ok\s+\S+\s+(?:[\d.]+s|\(cached\))|\bOK \([1-9]|\b[1-9]\d* examples?, 0 failures|tests run: [1-9]\d*, failures: 0, errors: 0|^# pass [1-9]|^ran [1-9]\d* tests? in [^\n]*\n+OK\b/imu,
    },
  ],
  [
    'built',
    {
      failed:
        /\berror TS\d+|^make(?:\[\d+\])?: \*\*\*|^(?:\S+:\d+(?::\d+)?:\s+)?(?:fatal )?error(?:\[E\d+\])?:|BUILD FAIL|\bbuild failed\b|failed to compile|compilation failed|^npm (?:ERR!|error)/imu,
      passed: /BUILD SUCCESS|\bbuilt in \d|compiled successfully|^\s*Finished\b|\bbuild (?:succeeded|completed?|successful)\b/imu,
    },
  ],
  [
    'lint_passed',
    {
      failed:
        /✖ [1-9]\d* problems?|\bfound [1-9]\d* (?:errors?|problems?|issues?)|\b[1-9]\d* errors?\b|code style issues found|^npm (?:ERR!|error)/imu,
      passed: /all checks passed|\b0 (?:errors|problems|issues)\b|all matched files use prettier|no (?:issues|errors|problems) found|no offenses/iu,
    },
  ],
  [
    'types_passed',
    {
      failed: /\berror TS\d+|\bfound [1-9]\d* errors?|\b[1-9]\d* errors?\b|: error: |^npm (?:ERR!|error)/imu,
      passed: /no issues found|\b0 errors\b/iu,
    },
  ],
  [
    'committed',
    {
      failed: /nothing (?:added )?to commit|no changes added to commit|hook (?:exited|failed)|^fatal:|^error:/imu,
      passed: /^\[[^\]\n]+ [0-9a-f]{7,}\]/mu,
    },
  ],
  ['pushed', { failed: /\[(?:remote )?rejected\]|failed to push|^fatal:|^error:/imu, passed: /\S+ -> \S+/u }],
  ['deployed', { failed: /^(?:error|fatal)\b/imu, passed: /\b(?:deployed|deployment)\b[^\n]*\b(?:success|complete|configured|created|live)/iu }],
  [
    'installed',
    {
      failed: /^npm (?:ERR!|error)|^ERROR:|no matching distribution|unable to locate package|\bE404\b|^error:/imu,
      passed: /successfully installed|\badded \d+ packages?|up to date|is already the newest|already satisfied/iu,
    },
  ],
]);
