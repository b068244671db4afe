import { ADVERB, AFTER, denies, IS, LEAD, PATH, rx, type Reader } from './pattern.ts';
import { bare, isPath } from './shapes.ts';

export const fileExists: Reader = (clause) => {
  for (const pattern of PATTERNS) {
    const match = pattern.exec(clause);
    if (match === null) continue;
    const { path: said = '', not = '', no } = match.groups ?? {};
    const path = bare(said).replace(/:\d+(?:-\d+)?$/u, '');
    if (!isPath(path)) continue;
    return {
      arguments: { type: 'file_exists', path },
      isDenied: denies(not) || no !== undefined || /missing|absent|gone/iu.test(not),
      because: match[0].trim(),
    };
  }
  return null;
};

const THING = String.raw`(?:(?:the|a|an|our|your|its|this|that)\s+)?(?:[\w'\x60.-]+\s+){0,4}?(?:files?|config(?:uration)?|script|directory|folder|module|log|logs|schema|migration|fixtures?|template|dockerfile|makefile|manifest|spec|test|tests|source|entry ?point|readme|component|certificate|binary|executable|database|socket|settings|definition|handler|workflow|documentation|docs|data|dataset|image|asset|lockfile|page|document|unit|package|project|repo(?:sitory)?)`;
const THINGS =
  'sockets?|files?|rules?|scripts?|cop(?:y|ies)|config(?:uration)?|folder|directory|binary|executable|logs?|certificate|template|unit|database|dump|backups?|lockfile|symlink|repo(?:sitory)?|checkout|manifest';
const SUBJECT = String.raw`(?:(?:the|a|an|our|your|its|this|that|my)\s+)?(?:[\w'"\x60./+-]+\s+){0,6}?[\w'"\x60./+-]+`;
const SORT = '(?:file|directory|folder|path|script|config|module)?';
const PATTERNS: readonly RegExp[] = [
  rx(
    `${LEAD}${SUBJECT}\\s+(?:${IS}(?<not>${ADVERB})\\s+(?:located |stored |placed |kept |saved |present |found |available )?|exists\\s+|can be found\\s+|sits\\s+|lives?\\s+)at\\s+(?:the\\s+)?${PATH}${AFTER}`,
  ),
  rx(
    `${LEAD}(?:${THING}|it)\\s+${IS}(?<not>${ADVERB})\\s+(?:located |stored |found |placed |kept |defined |available |present |saved )?(?:in|under|inside|below)\\s+(?:the\\s+)?${PATH}${AFTER}`,
  ),
  rx(
    `${LEAD}(?:the|our|all|these|a)\\s+(?:[a-z'-]+\\s+){0,4}[a-z'-]+\\s+(?<not>)(?:${IS} (?:located|stored|kept)|${IS}|lives?|resides?|sits?|can be found)\\s+(?:in|under|inside)\\s+(?:the\\s+)?${PATH}${AFTER}`,
  ),
  rx(
    `${LEAD}(?<no>no\\s+)?(?:the\\s+|teh\\s+|a\\s+|an\\s+)?${SORT}\\s*${PATH}\\s+(?:file |directory |folder )?(?<not>(?:does not |doesn't |do not |does |no longer |already |still |also |now |actually )*)exists?${AFTER}`,
  ),
  rx(
    `${LEAD}(?:the\\s+|a\\s+|an\\s+)?${SORT}\\s*${PATH}\\s+(?:file |directory |folder )?${IS}(?<not>${ADVERB}\\s+(?:missing|absent|gone|not there|not present|present|there|in place|in the repo(?:sitory)?|on disk|checked in))${AFTER}`,
  ),
  rx(
    `${LEAD}there(?:'s| is| are| isn't| is not)(?<not>(?:\\s+(?:not|no|already|also|now|still|currently|indeed))*)(?:\\s+(?:a|an|any))?\\s+(?:[\\w-]+\\s+){0,3}(?:${THINGS})\\s+at\\s+(?:the\\s+)?(?=\\S*/)${PATH}${AFTER}`,
  ),
  rx(
    `${LEAD}there(?:'s| is| are| exists| isn't| is not)(?<not>(?:\\s+(?:not|no|already|also|now|still|currently|indeed))*)(?:\\s+(?:a|an|any))?\\s+(?:[\\w-]+\\s+){0,3}?(?:(?:file|directory|folder|script|config|module)\\s+)?(?:at|in|under|called|named)?\\s*${PATH}(?:\\s+(?:file|directory|folder|script))?${AFTER}`,
  ),
  rx(
    `${LEAD}(?:the|this|our)\\s+(?:repo(?:sitory)?|project|checkout|root|folder|directory|package|tree)\\s+(?:has|contains|includes|ships)(?<not>(?:\\s+no)?)\\s+(?:a |an |the |any )?(?:file (?:called |named )?)?${PATH}(?:\\s+file)?${AFTER}`,
  ),
  rx(`${LEAD}you(?:'ll| can)? (?:find|see)(?<not>)\\s+${SUBJECT}\\s+(?:in|under|at|inside)\\s+(?:the\\s+)?${PATH}${AFTER}`),
  rx(`${LEAD}(?:the|a|an)\\s+(?:[\\w-]+\\s+){0,3}[\\w-]+\\s+exists(?<not>):\\s+${PATH}\\s*[.!]*$`),
];
