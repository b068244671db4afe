import { wholeWords, wordsFound } from './words-found.ts';

/**
 * AUTO-14: the words by which a package recommends or judges a structure. Some say it by themselves; a part of a system ("service") does only with a verdict on it
 * or a move of it in the same sentence, since routine results name such parts all the time.
 */
export const architectureWords = (texts: readonly string[]): readonly string[] => {
  const found = new Set<string>();
  for (const text of texts) {
    const lower = text.toLowerCase();
    for (const words of wordsFound(lower, STRONG)) found.add(words);
    for (const sentence of lower.split(/(?<=[.!?;])\s+|\n+/u)) {
      const [part] = wordsFound(sentence, [PARTS]);
      if (part === undefined) continue;
      const [verdict] = wordsFound(sentence, [VERDICTS]);
      if (verdict !== undefined) found.add(`${verdict} … ${part}`);
    }
  }
  return [...found].slice(0, MOST_NAMED);
};

const STRONG: readonly RegExp[] = [
  wholeWords(
    'architect\\w*|(?<!by |button |responsive |visual |graphic )(?:re)?design(?:ed)?|adr(?: draft)?|(?:design|command|outbox|observer|strategy|repository|adapter|factory|saga|strangler|actor|pull|push|plugin) (?:patterns?|models?)|which pattern|micro-?(?:services?|frontends?)|monoliths?|modular|mono-?repos?|bounded contexts?|aggregate roots?|domain (?:layer|model|module|logic|driven|facts)|ddd|layering|layered|(?:\\w+ )?layers?|hexagonal|onion|clean architecture|ports and adapters|functional core|event[- ](?:sourc\\w+|driven|bus)|cqrs|sagas?|outbox|change data capture|cdc|anti-corruption|strangle\\w*|decoupl\\w*|coupl(?:ed|es|ing)|cohesion|separation of concerns|single responsibility|concern of|cross-?cutting|cuts across|dependency injection|inversion|invert(?:ed)?|singletons?|composition root|circular (?:imports?|dependenc\\w+)|dependencies (?:ought|should|must|point)|leaky|abstractions?|facades?|extension points?|in-process|out-of-process|stateless|stateful|shard\\w*|multi-?(?:tenan\\w+|region)|tenancy|active-(?:passive|active)|leader election|single point of failure|back-?pressure|service mesh|(?:a|the) mesh|serverless|lakehouses?|data lake|star schema|topolog\\w+|crdts?|last-write-wins|eventual consistency|strong consistency|read model|write model|read replicas?|write-through|cache-aside|caching layer|view models?|bff|headless|islands|ssr|prop drilling|signals-based|rules engine|state machines?|scal(?:es|ing|e) (?:better|out|trivial|horizontally)|future-proof|lock-in|trade-?offs?|long[- ]term|in the long run|tech radar|schema registry|schema per tenant|one schema|boundar(?:y|ies)|module structure|thin (?:cli|client|mapper|layer)|wrap(?:ped)? (?:it )?behind|behind (?:a|an) (?:port|adapter|interface|facade)|own(?:s)? (?:its|their) (?:own )?(?:tables?|data|service|database)|its own service|own service|separate (?:service|process\\w*|index|worker\\w*)|master data|rewrite (?:the \\w+ )?in|framework of choice|protocol of choice|rewrite look|moving parts',
  ),
];

const PARTS = wholeWords(
  'services?|graphql|grpc|queues?|streams?|streaming|buse?s?|brokers?|cach(?:e|es|ing)|databases?|db|stores?|storage|schemas?|modules?|components?|frameworks?|librar(?:y|ies)|protocols?|apis?|sdk|gateways?|replicas?|process(?:es)?|workers?|tiers?|repositor(?:y|ies)|orm|bundles?|plugins?|hooks?|states?|tenants?|regions?|mesh|kubernetes|k8s|containers?|vms|lambdas?|functions? sprawl|bazel|turborepo|build systems?|kafka|flink|redis|rabbitmq|sqs|elasticsearch|postgres|mysql|timescaledb|dynamodb|mongo\\w*|sveltekit|next|react|xstate|mqtt|websockets|rest|soap|rendering|pipelines?|stages|batch|schedulers?|crons?|locks?|leases?|events?|calls?|domain|controllers?|view|core|edge|shell|interfaces?|code bases?|common|singleton|config object|toggles?|tables?|engine|model|aggregate|entities|gateway|graph|logging|metrics|collection|identity|data platform|importer|frontend|backend|clients?|consumers?|retries|parts|versions?|adapters?|rest|tokens?',
);

const VERDICTS = wholeWords(
  'split(?:ting)?|separat(?:e|es|ing|ion)|break up|break the|migrate|introduc(?:e|ing)|adopt(?:ing)?|fold|extract|centrali[sz]e|consolidate|bring in|put (?:a|an|it|them) |build (?:a|an) |rewrite|rewriting|redesign|re-?architect|dissolve|merge them|get rid of the|strangle|externali[sz]e|cut the|turn it into|asynchronous|synchronous|pull the|move (?:them|it|the \\w+) (?:to|behind|into)|move to|move from|switch (?:from|to)|replace (?:\\w+ )?(?:polling|\\w+ with an?)|go with|drop \\w+, (?:use|wrap)|define an?|through an? |one (?:of the two|service)|must go through|belongs? (?:in|to)|suits?|fits?(?: well| better| the)|good fit|right (?:for us|architecture|place|choice|one)|wrong|overkill|too (?:heavy|much)|sufficient|justified|redundant|sounder|simpler|cleaner|cleanest|preferabl[ey]|prefer(?:red|s)?|favou?red|favou?rable|recommended|better|best|beats|robust|resilient|pragmatic|sensible|mistake|outgrown|leaks?|narrower|heading|foundation|direction|approach|option of|of choice|which (?:database|framework|queue|pattern|protocol|store|language)|evaluate|assess|should (?:be|own|know|live|stay|modules|the|search|talk)|ought to|how should|where should|where to put|would (?:do|carry|serve|decouple|remove|make|be|use)|wants to be|has to stay|versus|vs|or stream|could we do without|ties us|portable|duplicates?|version the',
);

const MOST_NAMED = 5;
