/** Why a sentence can't be checked as it stands, whatever its subject. */
export type Mood =
  | { readonly kind: 'plain' }
  /** It asks, plans, speaks of the past or of others, or depends on something. */
  | { readonly kind: 'open'; readonly because: string }
  /** It is a matter of judgement. */
  | { readonly kind: 'judgement'; readonly type: 'hypothesis' | 'causation' | 'recommendation' | 'interpretation'; readonly because: string };

/**
 * CLAIM-15: questions, plans, conditions, the past and hearsay state nothing about the present; opinions, advice and interpretations are a matter of
 * judgement.
 */
export const moodOf = (sentence: string): Mood => {
  if (/\?["'”)\]*_]*$/u.test(sentence)) return { kind: 'open', because: '?' };
  for (const [type, pattern] of JUDGEMENTS) {
    const [because] = pattern.exec(sentence) ?? [];
    if (because !== undefined) return { kind: 'judgement', type, because: because.trim() };
  }
  for (const pattern of OPEN) {
    const [because] = pattern.exec(sentence) ?? [];
    if (because !== undefined) return { kind: 'open', because: because.trim() };
  }
  return { kind: 'plain' };
};

/** The same for what somebody says they did, which is past by nature. */
export const deedMoodOf = (sentence: string): Mood => {
  const mood = moodOf(sentence.replaceAll(DEED_TIMES, ' ').replaceAll(WRITTEN, ''));
  return mood.kind === 'open' && PAST.test(mood.because) && !LONG_AGO.test(sentence) ? { kind: 'plain' } : mood;
};

const word = (words: string): RegExp => new RegExp(String.raw`(?<![\w\x60/.-])(?:${words})(?![\w\x60/-]|\.\w)`, 'iu');

const HEDGES =
  "i (?:\\w+ )?(?:think|believe|guess|suspect|assume|suppose|imagine|expect|reckon|bet|doubt)|we (?:think|believe|suspect|assume)|i'm (?:guessing|assuming|not (?:sure|certain)|fairly|pretty)|i am (?:guessing|assuming|not (?:sure|certain))|" +
  'imo|imho|afaik|afaict|iirc|my (?:guess|hunch|theory|hypothesis|suspicion|assumption|understanding|best guess)|as far as i (?:know|can tell|remember)|if i (?:recall|remember)|if memory serves|not (?:entirely |completely |quite |yet |100% )?(?:sure|certain|clear)|' +
  'probably|maybe|perhaps|possibly|presumably|likely|unlikely|apparently|supposedly|allegedly|conceivably|arguably|plausibly|potentially|ostensibly|' +
  "may (?:be|have|not|still|also|well)|might|could (?:be|have|also|well|not)|could|can(?:not|'t) be sure|(?:cannot|can't|could not|couldn't|unable to|not able to|failed to|have not|haven't|did not|didn't) (?:\\w+ )?(?:confirm(?:ed)?|verif(?:y|ied)|guarantee|promise|vouch)|must be|must have|should (?:be|have|already be|still be|now be|already have)(?= (?:running|up|down|installed|enabled|disabled|set|there|at|in|around|about|the|a|an|on|listening|active|available|fine|ok|\\d)|$)|" +
  "seems?|seemed|seemingly|appears?(?! (?:in|on|at|under|twice|once))|looks like|look like|feels like|sounds like|smells like|(?:kind|sort) of|unverified|unconfirmed|untested|tentatively|hypothesis|hypothes[ie]s?e?|theory|theoretically|in theory|suspected|suspicious|something like|or so|roughly speaking|who knows|hopefully|i hope|we hope|don't know|do not know|can't tell|cannot tell|unclear|hard to (?:say|tell)|remember (?:\\w+ )?(?:that|it)|chances are|odds are|a good chance|i'd (?:say|guess|bet|assume|expect)|would (?:guess|say|bet|assume|expect)|the (?:issue|problem|bug|fault|culprit|bottleneck|failure|leak) (?:is|lies|must|sits|comes|originates|has to)";

const CAUSES =
  "because|caused|causes|causing|due to|owing to|thanks to|leads? to|leading to|led to|results? in|resulted in|resulting in|stems? from|comes from the fact|that(?:'s| is) why|which is why|the reason|the (?:root )?cause|root cause|as a result|as a consequence|consequently|therefore|hence|triggers|triggered|is to blame|responsible for|culprit|makes? it|made it|makes? the|so that|explains|which means|prevents|breaks";

const ADVICE =
  "should(?:n't)?|ought to|recommend(?:s|ed|ation)?|suggest (?:that|we|you|using|adding|to|a)|i(?:'d| would) (?:suggest|recommend|propose|advise|prefer|rather|go with)|propose|advis(?:e|able)|better to|it(?:'s| is| would be) (?:best|better|worth|wise|safer|safest|advisable)|worth (?:\\w+ing|a|it|the|considering)|consider(?!ed)|we need to|you need to|needs? to (?:be )?|you (?:can|could|may) (?:now )?(?:use|run|set|try|add|remove|change|switch)|we (?:can|could|must|want to)|let's|must (?!be |have )|have to|has to|had better|please|make sure|be sure to|ensure (?:that|the|you)|don't forget|remember to|the (?:best|right|proper|cleanest|safest|simplest|easiest|better) (?:way|approach|fix|option|solution|choice|place|move)|avoid|prefer|instead of|would be (?:better|best|good|nice|safer|cleaner|wise)|ideally|needs? (?:a |an |more |some |refactoring|rewriting|cleanup|fixing)|it(?:'s| is) time to|go with|use (?:\\w+ )?instead";

const READINGS =
  "(?:the )?(?:user|customer|client|team|author|reviewer|operator|they|you|he|she|maintainers?|stakeholders?)(?:'d)? (?:really |probably |just |clearly |actually |apparently |likely )?(?:wants?|wanted|expects?|expected|prefers?|intends?|intended|means?|meant|would like|is asking|are asking|seems?|is trying|are trying|is looking|are looking|cares?|needs?|hopes?|asked for)|" +
  '(?:this|that|it|which) (?:really |basically |essentially |probably )?(?:means|implies|suggests|indicates|tells us|shows that|hints|points to|signals|reflects|reads as)|in other words|the (?:intent|intention|goal|purpose|point|idea|aim|meaning|spirit) (?:is|was|of|here|behind)|is meant to|was meant to|are meant to|intended to|supposed to|interpret(?:ed|ation|s)?|by design|on purpose|deliberate(?:ly)?|intentional(?:ly)?|presum(?:e|ably)|boils down|too (?:low|high|short|long|small|large|big|tight|loose|slow|fast|many|few|much|little|old|strict|lax|aggressive|generous|permissive)|suggests|implies|implying|indicates|clearly the|evidently|obviously';

const JUDGEMENTS = [
  ['hypothesis', word(HEDGES)],
  ['interpretation', word(READINGS)],
  ['causation', word(CAUSES)],
  ['recommendation', word(ADVICE)],
] as const;

const PAST =
  /(?<![\w`/.-])(?:was|were|wasn't|weren't|had|hadn't|used to|yesterday|last \w+|previously|formerly|earlier|before|ago|back then|originally|initially|at first|at the time|until \w+|in the past|did|didn't|(?<!\b(?:is|are|be|been|not|now|currently|isn't|aren't) )(?:used|ran|failed|crashed|went|became|got|kept|saw|found|noticed|changed|moved|removed|renamed|deleted|dropped))(?![\w`/-]|\.\w)/iu;

/** A sentence that begins with an instruction, and not with a noun of the same spelling ("Check constraints are on"). */
const ORDER =
  /^(?:(?:please|then|now|next|first|also|and|so|just|do|don't|never|always)[,:]?\s+)*(?:(?:verify|confirm|ensure|assert|pretend|assume|suppose|imagine)\s+\S|(?:check|test|validate|use|try|set|change|bump|install|run|re-?run|add|create|update|remove|delete|move|rename|switch|upgrade|downgrade|pin|configure|enable|disable|restart|start|stop|keep|leave|let|put|write|make|replace|revert|raise|lower|increase|decrease)\s+(?:that|if|whether|the|a|an|your|our|my|all|any|every|this|these|it|to|up|down|back|`|[@\w.-]+\s+(?:v?\d|to\b|from\b|with\b)))/iu;

const OPEN = [
  ORDER,
  // Conditions.
  word(
    "if|unless|provided (?:that)?|for the sake of argument|for argument's sake|as if|as though|assuming|suppose|in case|otherwise|whenever|when|once|until|as (?:soon|long) as|even if|whether|only (?:in|on|for|when|with|under|during)|would|wouldn't|except when|depending on|depends on whether|either|only if",
  ),
  // Plans.
  word(
    "i'll|we'll|it'll|they'll|you'll(?! (?:find|see))|he'll|she'll|that'll|will|won't|i'm going to|we're going to|going to|gonna|plan(?:s|ning|ned)? to|about to|let me|next,|next step|next up|todo|to-do|tbd|fixme|soon|tomorrow|tonight|(?<!\\bor )later|eventually|upcoming|intend to|want to|wants to|aim to|i need to|trying to|try to|next (?:week|month|sprint|release|quarter|year)|in the future|yet to|for now,? i|i'm (?:now )?(?:\\w+ing)|we're (?:now )?(?:adding|changing|moving|planning|switching|migrating|upgrading)|to be \\w+ed",
  ),
  // Hearsay and examples.
  word(
    "says?|said|claims?(?! in)|claimed|reports? that|reported|according to|per the|the docs|the documentation|the readme|the spec|the comment|told|mentions?|mentioned|states? that|stated|reads:|supposed|for example|for instance|e\\.g\\.|such as|example|imagine|hypothetical(?:ly)?|let's say|say,|in most|usually|often|sometimes|typically|normally|generally|in general|tends? to|by convention|some(?:one|body|times)|rarely|mostly|everyone|people",
  ),
  PAST,
];

/** Words about a deed and its time that are no reason for doubt. */
const DEED_TIMES = /\b(?:now|just|already|successfully|also|all)\b/giu;
/** Here they are what somebody worked on, not the speaker. */
const WRITTEN = /\bthe\s+(?=(?:readme|docs|documentation|spec|comment)\b)/giu;
const LONG_AGO = /\b(?:yesterday|last (?:week|month|year|sprint|time|night)|ago|previously|earlier|originally|used to|back then|before)\b/iu;
