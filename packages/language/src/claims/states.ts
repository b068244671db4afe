import { ADVERB, AFTER, denies, IS, isUnreal, LEAD, rx, type Reader } from './pattern.ts';
import { bare, BOUND_WORDS, boundOf, isName, isPath, readValue, UNITS, type ServiceState } from './shapes.ts';

export const serviceStatus: Reader = (clause) => {
  const match = SERVICE.exec(clause);
  if (match === null) return null;
  const { name: said = '', not, state: told, state2, port } = match.groups ?? {};
  const [code] = /`[^`]+`/u.exec(said) ?? [];
  const name = bare(code ?? said.replace(/^(?:the|our|your)\s+/iu, '').replace(SORT_AT_END, ''));
  if (!isName(name) || isPath(name) || (NO_SERVICE.test(name) && !said.includes('`'))) return null;
  const state = told === undefined && state2 === undefined ? 'listening' : stateOf(told ?? state2 ?? '');
  return {
    arguments: { type: 'service_status', name, state, port: port === undefined ? null : Number(port) },
    isDenied: denies(not),
    because: match[0].trim(),
  };
};

/** Synonyms for the same state. */
const stateOf = (said: string): ServiceState => {
  if (/listening/iu.test(said)) return 'listening';
  if (/^healthy$/iu.test(said)) return 'healthy';
  if (/^unhealthy$/iu.test(said)) return 'unhealthy';
  return /^(?:down|stopped|inactive|offline|unreachable|unavailable|dead|failed|crashed)$/iu.test(said) ? 'stopped' : 'running';
};

const SORTS = 'service|server|daemon|container|database|instance|process|cluster|broker|proxy|cache|unit|pod|deployment|agent|worker|db';
const SORT_AT_END = rx(`\\s+(?:${SORTS})$`);
const SERVICE_STATE =
  'up and running|up and listening|running|up(?!\\s+to\\b)|down(?!\\s+to\\b)|stopped|active|inactive|healthy|unhealthy|started|online|offline|reachable|unreachable|available|unavailable|dead|alive|listening|responding|live|failed|crashed';
const SERVICE = rx(
  `${LEAD}(?<name>(?:(?:the|our|your)\\s+(?:(?:[\\w-]+\\s+){1,3}(?=\`))?)?(?:\`[^\`]{1,60}\`|[\\w.@-]+)(?:\\s+(?:${SORTS}))?)\\s+(?:${IS}(?<not>${ADVERB})\\s+(?<state>${SERVICE_STATE})|listens|reports (?:itself )?(?:as )?(?<state2>healthy|unhealthy))(?:\\s+and\\s+(?:healthy|running|reachable|responding|accepting connections|ready))?(?:,?\\s+(?:on|at)?\\s*(?:port\\s+|localhost:|127\\.0\\.0\\.1:|:|(?=\\d{4,5}\\b))(?<port>\\d{2,5}))?${AFTER}`,
);
const NO_SERVICE =
  /^(?:dev|development|pod|pods|staging|production|local|mock|web|charm|it|this|that|there|he|she|they|we|i|you|everything|all|both|which|what|nothing|something|one|none|these|those|tests?|ci|build|builds|migration|script|job|jobs|task|tasks|pipeline|code|app|application|server|service|database|process|container|system|site|website|page|file|command|program|feature|endpoint|api|machine|host|cluster|instance|daemon|function|loop|query|import|sync|backup|deploy|deployment|release|version|update|package|branch|session|user|client|connection|network|things|agent|model|the|port|support|data|documentation|option|flag|setting|mode|subscription|workflow|check|checks|suite|lint|linter|stuff|nobody|someone|environment|cache|queue|proxy|broker)$/iu;

export const currentState: Reader = (clause) => {
  const branch = BRANCH.exec(clause)?.groups;
  const checkedOut = bare(branch?.['value'] ?? '');
  if (branch !== undefined && /^[\w./-]+$/u.test(checkedOut) && !NO_BRANCH.test(checkedOut))
    return stateIs(branch['name'] ?? 'branch', checkedOut, branch['not'], clause);
  const plain = PLAIN_STATE.exec(clause)?.groups;
  if (plain !== undefined) return stateIs(plain['name'] ?? '', plain['value'] ?? '', plain['not'], clause);
  const listener = LISTENER.exec(clause)?.groups;
  if (listener !== undefined)
    return stateIs(`port ${listener['port'] ?? ''}`, 'listening', listener['not'] === undefined ? undefined : 'not', clause);
  const port = PORT.exec(clause)?.groups;
  if (port !== undefined) return stateIs(`port ${port['port'] ?? ''}`, port['state'] ?? '', port['not'], clause);
  for (const pattern of MEASURES) {
    const match = pattern.exec(clause);
    if (match === null) continue;
    const { name = '', not, bound, value = '' } = match.groups ?? {};
    const read = readValue(value);
    const called = name.trim().replace(/^(?:the|our|your)\s+/iu, '');
    if (read === null || !/^-?\d/u.test(read.value) || !METRIC.test(called) || isUnreal(called) || SET.test(called)) continue;
    return {
      arguments: { type: 'current_state', name: called, value: { ...read, bound: boundOf(bound) } },
      isDenied: denies(not),
      because: match[0].trim(),
    };
  }
  return null;
};

const stateIs = (name: string, value: string, not: string | undefined, because: string): ReturnType<Reader> => ({
  arguments: { type: 'current_state', name: name.trim(), value: { value: value.trim(), unit: null, bound: 'exactly' } },
  isDenied: denies(not),
  because,
});

const AMOUNT = String.raw`(?:(?<bound>${BOUND_WORDS})\s*)?(?<value>-?\d[\d,_]*(?:\.\d+)?(?:[ -]?(?:${UNITS}))?)(?![\w.]*\w)`;
const MEASURED = String.raw`(?<name>(?:[\w\x60.'/-]+\s+){0,5}?[\w\x60.'/%-]+)`;
const STILL = String.raw`(?:\s+(?:full|used|utili[sz]ed|utili[sz]ation|capacity|usage|busy|free|consumed|right now|at the moment|now|currently))*`;
const MEASURES: readonly RegExp[] = [
  rx(
    `${LEAD}${MEASURED}\\s+(?:${IS}(?<not>${ADVERB})\\s+(?:at|down to|up to|running at|sitting at|hovering at)|at|now at|stands at|sits at|now)\\s+${AMOUNT}${STILL}${AFTER}`,
  ),
  rx(`${LEAD}${MEASURED}\\s+${IS}(?<not>${ADVERB})\\s+${AMOUNT}${STILL}${AFTER}`),
  rx(
    `${LEAD}there(?:'s| is| are)(?<not>(?:\\s+(?:only|still|currently|now))*)\\s+${AMOUNT}\\s+(?:of\\s+)?(?<name>(?:free\\s+|available\\s+)?(?:memory|ram|swap|disk space|space)(?:\\s+(?:free|left|available))?)${AFTER}`,
  ),
  rx(`${LEAD}${MEASURED}:(?<not>)\\s+${AMOUNT}${STILL}\\s*[.!]*$`),
];
const SET = /^(?:max(?:imum)?|min(?:imum)?|default)\b/iu;
const METRIC =
  /\b(?:cpu|memory|mem|ram|swap|disk|load(?: average)?|usage|utili[sz]ation|(?:connection |thread |worker )?pool|queue(?: (?:depth|length|size))?|heap(?: usage)?|connections?|(?:free|disk) space|inodes?|uptime|battery|hit (?:rate|ratio)|error rate|latency|throughput|lag|backlog|temperature(?: of the \w+)?|occupancy|saturation|file descriptors|partition|volume|(?:pending|queued|running|active|failed|open|waiting) (?:jobs?|tasks?|requests?|messages?|sessions?|workers?|transactions?|locks?))(?: on \S+)?$|^\/[\w/]*$/iu;
const PLAIN_STATE = rx(
  `${LEAD}(?:(?:the|our|your)\\s+)?(?<name>(?:git\\s+)?(?:working (?:tree|copy|directory)|head|worktree|index)|(?:[\\w-]+\\s+){0,3}(?:queue|backlog|cache))\\s+${IS}(?<not>${ADVERB})\\s+(?<value>clean|dirty|detached|empty|full)${AFTER}`,
);
const BRANCH = rx(
  `${LEAD}(?:(?:the\\s+)?(?<name>(?:current|checked-?out|active|git|working)\\s+branch)(?:\\s+${IS}(?<not>${ADVERB})|:)|(?:we|i|you)(?:'re|'m| are| am)\\s+(?:currently |now |still )?on\\s+(?:the\\s+)?(?:branch)|(?:the\\s+)?(?:repo(?:sitory)?|working tree|checkout|head)\\s+is\\s+(?:currently |now |still )?(?:on|at)\\s+(?:the\\s+)?branch)\\s+(?<value>\`[^\`\\s]+\`|"[^"\\s]+"|[\\w./-]+)\\s*[.!]?$`,
);
const NO_BRANCH = /^(?:the|a|an|it|not|this|that|ahead|behind|up|clean|dirty|protected|stale|gone|merged|based)$/iu;
/** It doesn't say who is listening. */
const LISTENER = rx(
  `${LEAD}(?:(?<not>no(?:thing|body)?)|something)(?:\\s+(?:else|process|service|server))?\\s+(?:is\\s+|'s\\s+)?(?:currently |now |already |still )*listen(?:s|ing)\\s+on\\s+(?:the\\s+)?(?:tcp\\s+)?(?:port\\s+|localhost:|127\\.0\\.0\\.1:|:)?\`?(?<port>\\d{2,5})\`?${AFTER}`,
);
const PORT = rx(
  `${LEAD}(?:the\\s+)?(?:tcp\\s+)?port\\s+\`?(?<port>\\d{2,5})\`?\\s+(?:on \\w+ )?${IS}(?<not>${ADVERB})\\s+(?<state>open|closed|in use|listening|free|taken|occupied|available|bound|accepting connections|blocked|used|unused)(?:\\s+and\\s+\\w+.{0,30})?${AFTER}`,
);
