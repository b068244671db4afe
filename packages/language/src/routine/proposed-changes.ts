import { wholeWords, wordsFound } from './words-found.ts';

/**
 * AUTO-12: the words by which a package proposes a change, or tells of one that was made. Missing one merges a change that nobody approved, while finding one too
 * many asks a question: whatever is recommended counts, unless it plainly changes nothing.
 */
export const proposedChanges = (findings: readonly string[], recommendations: string | null, task: string): readonly string[] => {
  const found = new Set<string>();
  for (const text of findings) {
    for (const words of [...wordsFound(text.toLowerCase(), ADVICE), ...wordsFound(text, PATCHES)]) found.add(words);
    for (const sentence of sentencesOf(text)) {
      const [words] = ORDER.exec(sentence) ?? DEED.exec(sentence) ?? [];
      if (words !== undefined) found.add(words.trim().toLowerCase());
    }
  }
  for (const sentence of sentencesOf(recommendations ?? '')) if (!HARMLESS.test(sentence)) found.add(firstWords(sentence));
  const [asked] = ASKED.exec(task) ?? [];
  if (asked !== undefined) found.add(asked.trim().toLowerCase());
  return [...found].slice(0, MOST_NAMED);
};

const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?;])\s+|\n+|:\s+|\s[-–—]\s/u)
    .map((sentence) => sentence.replace(/^(?:[^\p{L}`$<]|\d+[.)])+/u, '').trim())
    .filter((sentence) => sentence !== '');

const firstWords = (sentence: string): string => sentence.split(/\s+/u).slice(0, 6).join(' ').toLowerCase();

/** What can be recommended without anything being changed. */
const HARMLESS =
  /^(?:(?:please|also|and|then|for now,?|maybe)\s+)*(?:no(?:thing|ne|t)?\b(?! only)|n\/a|keep an eye|wait (?:for the next|until|and see|a|another)\b|see|read (?!\w+ (?:once|at|from|in)\b)|ask|tell|remind|share|talk|look (?!\w+ up\b)|discuss|inform|let \w+ know|thank|(?:re-?)?check (?:again|back|with|it again)\b|confirm with|ok\b|all good|fine\b)(?!.*[`=(){}<>])/iu;

const VERBS =
  'add|adapt|adjust|adopt|allow|alter|amend|annotate|apply|avoid|backport|block|break|bring|build|bump|cache|call|cap|cast|change|clean|clear|collapse|combine|comment|commit|configure|convert|correct|create|cut|debounce|declare|decouple|decrease|deduplicate|define|delete|deploy|deprecate|disable|document|double|downgrade|drop|edit|enable|enforce|exclude|expose|extend|extract|factor|filter|fix|fold|format|get rid|go with|guard|handle|hard-?code|hoist|implement|import|improve|include|increase|initiali[sz]e|inject|inline|insert|install|introduce|invert|isolate|keep|limit|load|lock|log|lower|make|mark|mask|memoi[sz]e|merge|migrate|modify|mount|move|normali[sz]e|omit|optimi[sz]e|override|parse|pass|patch|pin|prefer|prepend|prune|pull|purge|push|put|raise|rebase|rebuild|redesign|reduce|refactor|reformat|regenerate|remove|rename|reorder|reorgani[sz]e|replace|reset|restart|restore|restrict|restructure|retire|return|reuse|revert|revoke|rewrite|roll back|rotate|round|route|run|sanitise|sanitize|scale|schedule|scope|separate|serve|set|shorten|simplify|skip|sort|split|squash|stop|store|streamline|strip|swap|switch|take out|throttle|tighten|truncate|try|tune|turn|uninstall|unset|update|upgrade|use|validate|vendor|version|widen|wire|wrap|write|refresh';

const MADE =
  'added|adapted|adjusted|amended|applied|integrated|improved|simplified|ensured|made|bumped|changed|cleaned|cleared|committed|configured|converted|corrected|created|cut|deleted|deployed|disabled|dropped|edited|enabled|extended|extracted|fixed|implemented|increased|inlined|inserted|installed|introduced|lowered|merged|migrated|modified|moved|patched|pinned|pushed|raised|reduced|refactored|reformatted|removed|renamed|replaced|reset|restarted|restructured|reverted|rewritten|rewrote|rolled back|rotated|set|split|swapped|switched|tightened|tuned|turned|updated|upgraded|wrote|written';

const CHANGED =
  'added|adapted|adjusted|amended|bumped|changed|committed|converted|corrected|deleted|deployed|dropped|edited|extracted|fixed|implemented|integrated|improved|inlined|introduced|migrated|modified|patched|pushed|refactored|reformatted|removed|renamed|replaced|restructured|reverted|rewritten|rolled back|updated|upgraded';

/** A sentence that begins with what is to be done: "Add an index". */
const ORDER = new RegExp(
  String.raw`^(?:(?:please|then|also|and|so|instead|next|better|just|simply|either|first|finally|maybe|fix|todo|we can|you can)[,:]?\s+)*(?:${VERBS})(?=\s+\S)`,
  'iu',
);

/** One that tells what was done: "Changed the port", "README rewritten", "I've added a check". */
const DEED = new RegExp(
  String.raw`^(?:(?:done|also|then|and|i|we|i've|we've|i have|we have|just|now|already)[,:]?\s+)*(?:${MADE})(?=\s|$)|\b(?:i|we|i've|we've|i have|we have)\s+(?:just |now |already |also |therefore )*(?:${MADE})\b|^\S+\s+(?:rewritten|dropped|removed|renamed|refactored|patched|fixed|updated|deleted|replaced)\b|^done\b`,
  'iu',
);

const ADVICE: readonly RegExp[] = [
  // Duties and advice.
  wholeWords(
    "should(?:n't)?|ought to|needs? (?:to|a|an|renaming|fixing|updating|rewriting|changing|replacing|removing|adding|work)|ha(?:s|ve) to (?:be|go|say|become|change|move|replace)|must|recommend(?:s|ed|ation)?|suggest(?:s|ed|ion)? (?:\\w+ing|that|to|we|a)|suggestion|propos(?:e|es|ed|al|ing)|consider(?:ing)?|advis(?:e|able)|let's|let us|please|i'd|we'd|they'd better|it'd be|had better|better (?:to|names?|way|use)|instead of|rather than|would be (?:\\w+er|better|best|good|nice|enough|wise|an? \\w+)|would (?:fix|solve|clear|help|avoid|remove|prevent|make|need|have to|resolve|address|save)|could (?:be \\w+ed|use|also|then|move|replace)|can (?:safely )?(?:be (?:deleted|removed|dropped|replaced|renamed|moved|merged|simplified|inlined|changed|retired)|go|take|drop|remove|delete|replace)|worth \\w+ing|makes? sense to|wants? (?:a|an|to be)|no longer needed|one-line (?:change|fix)|quick (?:fix|win)|workaround|fix(?:es)? (?:it|this|that|the)|solves? (?:it|this|that|the)|is enough|to fix|the fix|to do|todo",
  ),
  wholeWords(
    `(?:has|have|had|was|were|been|is|are) (?:just |now |already |also |successfully )*(?:been )?(?:${CHANGED})`,
    `(?:let me|i'll|i will|we'll|we will|i'm going to|going to|want to|need to|plan to|able to) (?:also |just |now |then |quickly )*(?:${VERBS})`,
    'now (?:\\w+ly )?(?:uses?|shows?|returns?|calls?|handles?|supports?|counts?|reads|writes|works?|accepts?|ignores?)',
    `(?:${CHANGED}) (?:in|to|from|by) (?:commit|pull request|pr|branch|\\w+ branch)`,
    'patch(?:es|ed)?(?: attached)?|diff|pull request|hotfix',
  ),
];

const PATCHES: readonly RegExp[] = [
  // A change that is named as a noun: "Reformatting the file would …".
  /(?<=^|[.!?;:]\s)(?:adding|changing|deleting|doubling|dropping|filtering|fixing|increasing|lowering|migrating|moving|raising|reformatting|removing|renaming|replacing|rewriting|setting|splitting|switching|turning|updating|upgrading|using)\b/gimu,
  // Patches and code that was written for it.
  /^\s*(?:```|~~~)|^(?:diff --git|@@ |\+\+\+ |--- a\/)|^[+-] ?[\w'"<{(#@./$*-].*[;(){}=<>].*$/gmu,
  // Commands that change something.
  /\b(?:ALTER (?:TABLE|SYSTEM)|CREATE (?:UNIQUE )?(?:INDEX|TABLE)|DROP (?:INDEX|TABLE|COLUMN)|DELETE FROM|INSERT INTO|TRUNCATE|UPDATE \w+ SET|GRANT|REVOKE)\b/gu,
  /(?:^|[\s`$])(?:npm (?:i|install|update|uninstall|dedupe)|pip3? install|git (?:branch -d|reset|revert|rebase|push|commit|cherry-pick|apply|rm)|rm -\w+|sed -i|chmod|chown|kubectl (?:apply|delete|scale|set)|terraform apply|helm (?:upgrade|install)|systemctl (?:restart|stop|enable|disable)|docker (?:rm|restart))(?=\s|$)/gu,
];

/** A task that is a change: what comes of it is one. */
const ASKED =
  /^(?:please\s+)?(?:add|apply|bring|build|change|clean up|convert|correct|create|delete|deploy|drop|fix|implement|improve|install|integrate|introduce|make|migrate|modify|move|optimi[sz]e|patch|port|refactor|release|remove|rename|replace|restructure|revert|rewrite|set up|simplify|split|switch|update|upgrade|write)\b/iu;

const MOST_NAMED = 5;
