import { denies, LEAD, rx, type Reader } from './pattern.ts';
import { bare, isPath, type Deed } from './shapes.ts';

/** What somebody says they did: past by nature, and the session's log shows whether it is true. */
export const didIt: Reader = (sentence) => {
  const clause = sentence.replace(TOGETHER, '$<first> ');
  for (const [deed, pattern] of DID) {
    const match = pattern.exec(clause);
    if (match === null) continue;
    const { object: first, object2, not = '', not2 } = match.groups ?? {};
    const said = first ?? object2;
    const object = said === undefined ? null : bare(said);
    if (NAMED.has(deed) && (object === null || !isPath(object))) continue;
    if (object !== null && NO_OBJECT.test(object)) continue;
    const isFiller = object === '' || (object !== null && FILLER.test(object));
    return {
      arguments: { type: 'did_it', deed, object: isFiller ? null : object },
      isDenied: denies(not) || denies(not2) || /\bfail/iu.test(not),
      because: match[0].trim(),
    };
  }
  return null;
};

/** "Tests and lint pass": a statement about several checks counts for the first. */
const CHECK = String.raw`(?:(?:unit |integration |e2e |all )*tests?|(?:test )?suite|build|lint(?:er|ing)?|type-?\s?check(?:er|ing|s)?|eslint|tsc|mypy|ruff|prettier|formatting)`;
const TOGETHER = rx(
  String.raw`^(?<first>(?:the\s+|all\s+|both\s+)*${CHECK})(?:,\s+(?:the\s+)?${CHECK})*,?\s+and\s+(?:the\s+)?${CHECK}\s+(?:(?:are|both|all|now|still|is)\s+)*`,
);

/** What was written or deleted has to be named: "I fixed it" can't be looked up. */
const NAMED: ReadonlySet<Deed> = new Set<Deed>(['file_written', 'file_deleted']);
const NO_OBJECT =
  /^(?:the|a|an|this|that|these|those|some|several|few|more|all|into|back|out|up|down|through|over|for|with|and|hard|things|stuff|to|in|on|by|your|my|our|their|changes?)$/iu;

const FILLER = /^(?:successfully|fix|everything|now|cleanly|here|there|again|too)$/iu;

const WHO = String.raw`(?:(?:i|we)(?<not>(?:'ve| have| haven't| have not| did not| didn't)?(?:\s+(?:now|just|also|already|successfully|not))*)\s+)`;
const OBJECT = String.raw`(?<object>\x60[^\x60\s]{1,400}\x60|[\w@~./+-]+)`;
const DONE = String.raw`(?:\s+(?:to|with|so|for|and|by|as|in|on|from|that|which|now|successfully)\b.{0,200}|\s*\([^)]*\))?\s*[.!]*$`;
const BEEN = String.raw`(?:has(?:n't| not)? been|have(?:n't| not)? been|is now|are now|was|were|has now been|is|are)`;
const FAILS = String.raw`(?<not>(?:not |fail(?:s|ed|ing)? ?)*)`;
const DID: readonly (readonly [Deed, RegExp])[] = [
  [
    'tests_passed',
    rx(
      `^(?:.{0,40}?\\b(?:the|all|and|our|of)\\s+)?(?:\\d[\\d,]*\\s+|unit\\s+|integration\\s+|e2e\\s+|new\\s+|existing\\s+|full\\s+|whole\\s+|entire\\s+|test\\s+|remaining\\s+|updated\\s+|relevant\\s+)*(?:tests?|specs|suite)(?:\\s+in\\s+${OBJECT})?\\s+(?:now |all |still |have |has |are |is )*${FAILS}(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|(?<=fail(?:s|ed|ing)? ?))(?:\\s+(?:now|again|successfully|locally|cleanly|on ci|\\(\\d+[^)]*\\)))*(?:[:,]\\s*[\\d/]+.{0,40})?\\s*[.!]*$`,
    ),
  ],
  [
    'tests_passed',
    rx(
      `${LEAD}\`[^\`]*\\b(?:test|pytest|vitest|jest|rspec)\\b[^\`]*\`\\s+(?:now |is |still )*${FAILS}(?:pass(?:es|ed|ing)?|green|clean|succeed(?:s|ed)|(?<=fail(?:s|ed|ing)? ?))(?:\\s+(?:now|again|cleanly|locally))*\\s*[.!]*$`,
    ),
  ],
  [
    'built',
    rx(
      `${LEAD}(?:the\\s+)?(?:project\\s+|app\\s+|code\\s+|production\\s+)?(?:build|compilation|\`[^\`]*build[^\`]*\`)\\s+(?:now |is |has |still )*${FAILS}(?:succeed(?:s|ed)|pass(?:es|ed|ing)|green|successful|clean|completes?|completed|works)(?:\\s+(?:now|again|successfully|cleanly|without (?:errors|warnings)))*\\s*[.!]*$`,
    ),
  ],
  [
    'built',
    rx(
      `${LEAD}(?:everything|the (?:project|code|app))\\s+(?<not>(?:does not |doesn't )?)(?:now )?(?:compiles?|builds?)(?:\\s+(?:now|cleanly|successfully|without (?:errors|warnings)))*\\s*[.!]*$`,
    ),
  ],
  [
    'lint_passed',
    rx(
      `${LEAD}(?:the\\s+)?(?:\`[^\`]*\\b(?:lint|eslint|ruff|clippy|prettier)[^\`]*\`|lint(?:er|ing)?|eslint|ruff|oxlint|flake8|clippy|prettier)\\s+(?:now |is |run |check )*${FAILS}(?:pass(?:es|ed)|clean|green|reports no (?:errors|issues|problems|warnings)|succeed(?:s|ed))(?:\\s+(?:now|too|as well|cleanly))*\\s*[.!]*$`,
    ),
  ],
  [
    'types_passed',
    rx(
      `${LEAD}(?:the\\s+)?(?:\`[^\`]*\\b(?:tsc|type-?check|mypy|pyright)[^\`]*\`|type-?\\s?check(?:er|ing|s)?|tsc|mypy|pyright)\\s+(?:now |is |run )*${FAILS}(?:pass(?:es|ed)|clean|green|reports no (?:errors|issues)|succeed(?:s|ed)|compiles)(?:\\s+(?:now|too|as well|cleanly|without errors))*\\s*[.!]*$`,
    ),
  ],
  [
    'file_written',
    rx(
      `${LEAD}(?:${WHO})?(?:created|wrote|written|added|updated|edited|modified|changed|saved|generated|rewrote|rewritten|refactored|fixed|patched)\\s+(?:(?:the|a|an)\\s+)?(?:(?:[\\w-]+\\s+){0,4}?(?:file|test|tests|script|module|component|section|entry|case)\\s+)?(?:at\\s+|in\\s+|to\\s+)?${OBJECT}(?:\\s+(?:file|script|module))?${DONE}`,
    ),
  ],
  [
    'file_written',
    rx(
      `${LEAD}(?:the\\s+)?(?:(?:new\\s+)?(?:file|migration|script|module|component|test|page|document|config|template)\\s+)?${OBJECT}\\s+(?<not>${BEEN})\\s+(?:successfully\\s+)?(?:created|written|updated|added|edited|modified|saved|generated|rewritten|patched)${DONE}`,
    ),
  ],
  [
    'file_deleted',
    rx(
      `${LEAD}(?:${WHO})?(?:deleted|removed)\\s+(?:the\\s+)?(?:old\\s+|stale\\s+|unused\\s+|obsolete\\s+)?(?:file\\s+|folder\\s+|directory\\s+)?${OBJECT}(?:\\s+(?:file|script|module|folder|directory))?${DONE}`,
    ),
  ],
  ['file_deleted', rx(`${LEAD}(?:the\\s+)?(?:file\\s+)?${OBJECT}\\s+(?<not>${BEEN})\\s+(?:successfully\\s+)?(?:deleted|removed)${DONE}`)],
  [
    'committed',
    rx(
      `${LEAD}(?:(?:${WHO})?committed\\s+(?:the\\s+|all\\s+|my\\s+|these\\s+|any\\s+)*(?:changes?|work|fix|files|everything|anything|it|this|them|${OBJECT})|(?:the\\s+|all\\s+)?changes\\s+(?<not2>${BEEN})\\s+committed)${DONE}`,
    ),
  ],
  [
    'pushed',
    rx(
      `${LEAD}(?:(?:${WHO})?pushed(?:\\s+(?:the\\s+|all\\s+|my\\s+|these\\s+)*(?:changes?|commits?|work|fix|it|this|everything))?(?:\\s+to)?(?:\\s+(?:the\\s+)?(?:branch\\s+|tag\\s+)?${OBJECT})?|(?:the\\s+)?(?:changes|branch|commit)\\s+(?<not2>${BEEN})\\s+pushed(?:\\s+to\\s+(?<object2>\`?[\\w./-]+\`?))?)${DONE}`,
    ),
  ],
  [
    'deployed',
    rx(
      `${LEAD}(?:(?:${WHO})?(?:successfully\\s+)?deployed(?:\\s+(?:it|this|everything|the changes))?(?:\\s+to)?(?:\\s+(?:the\\s+)?(?:new\\s+)?${OBJECT})?|(?:the\\s+)?(?<object2>(?:[\\w.-]+\\s+)?[\\w.-]+)\\s+(?<not2>${BEEN})\\s+(?:successfully\\s+)?deployed)${DONE}`,
    ),
  ],
  [
    'installed',
    rx(
      `${LEAD}(?:(?:${WHO})?(?:successfully\\s+)?installed\\s+(?:the\\s+|all\\s+)*(?:package\\s+)?(?:dependencies|${OBJECT})|(?:the\\s+)?(?<object2>[\\w@./-]+)\\s+(?<not2>has(?:n't| not)? been|have been)\\s+installed|all (?:the\\s+)?dependencies are installed(?:\\s+now)?)${DONE}`,
    ),
  ],
  [
    'command_ran',
    rx(
      `${LEAD}(?:${WHO})?(?:ran|executed|re-?ran|run)\\s+(?<object>\`[^\`]{2,200}\`|(?:npm|npx|yarn|pnpm|git|docker|make|cargo|go|pytest|python3?|node|terraform|kubectl|helm|bash|sh|pip3?|uv|tsc|eslint)(?:\\s+(?!and\\b)[\\w./:=@-]+){1,6})${DONE}`,
    ),
  ],
];
