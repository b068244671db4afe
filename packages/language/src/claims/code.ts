import { ADVERB, AFTER, denies, IS, LEAD, rx, type Reader } from './pattern.ts';
import { bare, isPath, isSymbol } from './shapes.ts';

export const codeStructure: Reader = (clause) => {
  for (const pattern of PATTERNS) {
    const match = pattern.exec(clause);
    if (match === null) continue;
    const { symbol: said = '', file: first, file2, kind: before, kind2, kind3, verb = '', not, not2 } = match.groups ?? {};
    const place = first ?? file2;
    const isExport = /^export/iu.test(verb) || /\bexported\b/iu.test(match[0]);
    const kind = before ?? kind2 ?? kind3 ?? (isExport ? 'export' : null);
    const symbol = bare(said);
    const file = place === undefined ? null : bare(place).replace(/:\d+(?:-\d+)?$/u, '');
    // A plain word is a name only if it is marked, spelled or called like one.
    const isMarked =
      /^`|\(\)/u.test(said) ||
      /[A-Z_]/u.test(symbol.slice(1)) ||
      before !== undefined ||
      kind3 !== undefined ||
      /^(?:export|define|declare)/iu.test(verb);
    // Settings, data and documents define no code.
    if (file !== null && NO_CODE.test(file)) continue;
    if (!isSymbol(symbol) || (file !== null && !isPath(file)) || !isMarked || isPath(symbol) || NO_SYMBOL.test(symbol)) continue;
    return {
      arguments: { type: 'code_structure', symbol, file, kind: kind === null ? null : singular(kind) },
      isDenied: denies(not) || denies(not2),
      because: match[0].trim(),
    };
  }
  return null;
};

const singular = (kind: string): string => kind.toLowerCase().replace(/(?<=ss)es$|(?<!s)s$/u, '');

const KINDS =
  'functions?|methods?|class(?:es)?|interfaces?|types?|enums?|structs?|traits?|constants?|components?|hooks?|variables?|macros?|decorators?|exports?';
const SYMBOL = String.raw`(?<symbol>\x60[^\x60\s]{1,200}\x60|[A-Za-z_$][\w$.:#]*(?:\(\))?)`;
const CODE_MARK = String.raw`(?<symbol>\x60[^\x60\s]{1,200}\x60)`;
const FILE = String.raw`(?<file>\x60[^\x60\s]{1,400}\x60|[\w@~./+-]+(?::\d+(?:-\d+)?)?)`;
const WITHIN = String.raw`(?:,?\s+(?:defined\s+|declared\s+)?(?:in|from|at|inside|by)\s+(?:the\s+)?(?:file\s+)?${FILE}|\s*\(${FILE.replace('<file>', '<file2>')}\))`;
const STANDS = String.raw`(?:(?<not>(?:does not |doesn't |no longer |already |still )*)exists?|${IS}(?<not2>${ADVERB})\s+(?:defined|declared|there|exported))`;
const PATTERNS: readonly RegExp[] = [
  rx(
    `${LEAD}(?:the\\s+|a\\s+|an\\s+)?(?:(?:\\w+\\s+)?(?<kind>${KINDS})\\s+)?(?:called\\s+|named\\s+)?${SYMBOL}(?:\\s+(?<kind2>${KINDS}))?\\s+(?:(?<not>(?:does not |doesn't |no longer |already |still )*)exists?(?:\\s+as (?:a|an) (?<kind3>${KINDS}))?|${IS}(?<not2>)${ADVERB}\\s+(?:defined|declared|implemented|exported|located|found|present|available)|lives?|(?:is)(?=\\s+in\\s))\\s+(?:in|from|at|inside|by)\\s+(?:the\\s+)?(?:file\\s+)?${FILE}${AFTER}`,
  ),
  rx(`${LEAD}(?:the\\s+)?${SYMBOL}\\s+${IS}(?<not>${ADVERB})\\s+(?:a|an|the)\\s+(?:\\w+\\s+)?(?<kind>${KINDS})${WITHIN}${AFTER}`),
  rx(
    `${LEAD}(?:the\\s+)?(?:file\\s+|module\\s+)?${FILE}\\s+(?<not>(?:does not |doesn't |no longer |already |still |also |now )*)(?<verb>exports?|defines?|declares?|contains?|has|have|implements?|provides?)(?<not2>(?:\\s+no)?)\\s+(?:(?:a|an|the|one)\\s+)?(?:(?<kind>${KINDS})\\s+)?(?:called\\s+|named\\s+)?${SYMBOL}(?:\\s+(?<kind2>${KINDS})|\\s+as (?:a|an) (?<kind3>${KINDS}))?${AFTER}`,
  ),
  rx(
    `${LEAD}there(?:'s| is)(?<not>(?:\\s+(?:no|not|already|also))*)\\s+(?:a|an|one)?\\s*(?<kind>${KINDS})\\s+(?:called\\s+|named\\s+)?${SYMBOL}(?:${WITHIN})?${AFTER}`,
  ),
  rx(`${LEAD}there(?:'s| is)(?<not>(?:\\s+(?:no|not|already|also))*)\\s+(?:a|an|one)?\\s*${SYMBOL}\\s+(?<kind>${KINDS})(?:${WITHIN})?${AFTER}`),
  rx(`${LEAD}(?:the\\s+)?\\w+\\s+has(?<not>(?:\\s+no)?)\\s+(?:a|an|one)?\\s*${CODE_MARK}\\s+(?<kind>${KINDS})(?:${WITHIN})?${AFTER}`),
  rx(`${LEAD}(?:the\\s+|a\\s+|an\\s+)(?<kind>${KINDS})\\s+(?:called\\s+|named\\s+)?${CODE_MARK}\\s+${STANDS}\\s*[.!]*$`),
  rx(`${LEAD}(?:the\\s+|a\\s+|an\\s+)${CODE_MARK}\\s+(?<kind>${KINDS})\\s+${STANDS}\\s*[.!]*$`),
  rx(`${LEAD}a\\s+(?<kind>${KINDS})\\s+${CODE_MARK}(?<not>)\\s+in\\s+${FILE}\\s*[.!]*$`),
];
const NO_CODE = /\.(?:json[5cl]?|ya?ml|toml|ini|cfg|cnf|conf|properties|env|lock|md|rst|txt|csv|log|xml)$/iu;
const NO_SYMBOL =
  /^(?:it|this|that|there|which|what|they|he|she|everything|all|logic|code|file|tests?|bug|issue|change|fix|nothing|something|default)$/iu;
