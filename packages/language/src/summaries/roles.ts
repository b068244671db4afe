/** The role of a sentence in a conversation: it states a fact, a decision, a change, or an open point. */
export type Role = 'found' | 'decided' | 'changed' | 'open';

/** How well a sentence fits each role, from 0; small talk fits none. */
export const rolesOf = (sentence: string): Readonly<Record<Role, number>> => {
  const lower = sentence.toLowerCase();
  if (isTalkOnly(lower)) return NOTHING;
  const isQuestion = lower.endsWith('?');
  const isUnsure = UNSURE.test(lower);
  const isCondition = CONDITION.test(lower);
  const sure = isQuestion ? 0 : isCondition ? 0.3 : isUnsure ? 0.4 : 1;
  const facts = (HAS_NUMBER.test(lower) ? 0.4 : 0) + (HAS_NAME.test(sentence) ? 0.3 : 0);
  const open = weightOf(lower, OPEN);
  const changed = weightOf(lower, CHANGED);
  return {
    found: sure * (0.5 + weightOf(lower, FOUND) + facts) * (open > 1 ? 0.4 : 1) * (changed > 1 ? 0.6 : 1),
    decided: (isQuestion ? 0 : isCondition ? 0.5 : 1) * weightOf(lower, DECIDED),
    changed: sure * changed,
    open: open + (isQuestion && !isRequest(lower) ? 0.6 : 0),
  };
};

/** "Thanks!", "let me look", "@ben can you check?": nothing worth keeping. */
const isTalkOnly = (lower: string): boolean => lower.length < 12 || TALK.test(lower) || isRequest(lower);

const isRequest = (lower: string): boolean => REQUEST.test(lower);

/** "Everybody OK with that?": the preceding statement is a decision, unless somebody objects. */
export const asksForConsent = (lower: string): boolean => CONSENT.test(lower);

type Cues = readonly (readonly [cue: RegExp, weight: number])[];

const weightOf = (lower: string, cues: Cues): number => cues.reduce((sum, [cue, weight]) => sum + (cue.test(lower) ? weight : 0), 0);

const NOTHING: Readonly<Record<Role, number>> = { found: 0, decided: 0, changed: 0, open: 0 };

const TALK =
  /^(?:(?:ok(?:ay)?|thanks?|thank you|great|hi|hello|hey|sure|yes|yep|no|nope|nice|good|cool|perfect|lgtm|sounds good|makes sense|right|done|hmm+|well|so)[\s,.!–-]*)+$|^(?:(?:ok(?:ay)?|great|sure|right|thanks?)[,.!]? )?(?:let me|i(?:'|’)?ll|i will|i(?:'|’)?m (?:going to|looking|checking|about to)|i am (?:going to|looking|checking)|looking|checking|running|starting|one (?:moment|sec)|hang on|give me|on it\b|will (?:look|check|do|try|have)|taking a look|now i|first,? i(?:'|’)?ll|here(?:'|’)?s what|here is what|good (?:point|idea|question|catch))/u;
const REQUEST =
  /^(?:@\S+[,:]?\s+)*(?:(?:can|could|would|will) (?:you|someone|somebody|anyone)|please|any (?:idea|thoughts|news|update)|what do you think|have a look|thoughts|wdyt)/u;
const CONSENT =
  /^(?:(?:is )?(?:every(?:body|one)|all|you|we)\b.{0,20}\b(?:ok(?:ay)?|fine|good|agreed?|happy)|(?:any )?objections|ok(?:ay)? (?:for|with)|sounds? (?:good|ok(?:ay)?)|agreed)\b.*\?$/u;
const UNSURE =
  /\b(?:maybe|perhaps|probably|possibly|i (?:think|guess|suspect|believe|assume|wonder)|might|could|may be|not sure|seems?|suspect|likely|hypothes[ie]s|my (?:guess|theory)|looks?)\b/u;
const CONDITION = /^(?:if|unless|suppose|assuming|should|whether|when(?:ever)? (?:we|you|i))\b|\bwould (?:be|have|need|take)\b/u;
const HAS_NUMBER = /\d/u;
/** A name of code, a file or something with an inner capital. */
const HAS_NAME = /`[^`]+`|\b\w*[a-z]\w*[_/.][a-z]\w*|\b[a-z]+[A-Z]\w*/u;

const FOUND: Cues = [
  [/\b(?:root cause|the (?:cause|culprit|reason|problem|issue|bug|answer|fix|bottleneck|leak|limit) (?:is|was|were)|turns? out|it turned out)\b/u, 2],
  [/^(?:\W*)(?:root cause|cause|result|fix|solution|workaround|answer|conclusion|finding|outcome|tl;dr)\s*:/u, 1.5],
  [/(?:, so (?!far)|; so |\bwith (?:that|this)\b.*\d|\bafter (?:that|this|the (?:fix|change))\b)/u, 0.9],
  [/\b(?:because|caused by|due to|leads? to|results? in|comes? from|that(?:'|’)?s why|which (?:is why|means)|so that)\b/u, 1.2],
  [
    /\b(?:found(?: that| out)?|confirmed|reproduced|verified|measured|proved|showed|shows that|tested|it works|works now|solved|resolved|fixed)\b/u,
    1,
  ],
  [/\b(?:passes|passed|fails?|failed|crash(?:es|ed)?|never|always|only|every(?: time)?|instead|actually|not the)\b/u, 0.4],
];

const DECIDED: Cues = [
  [
    /\b(?:decid(?:ed?|ing)|decision|agreed|agreement|settled on|approved|we(?:'|’)?re going with|going with|verdict|consensus|conclusion:?|that settles it)\b|\b\w+ it is[.!]?$/u,
    2,
  ],
  [/\bso (?:we|i(?:'|’)?ll|let(?:'|’)?s)\b|\bi don(?:'|’)?t want\b/u, 1.2],
  [
    /\b(?:let(?:'|’)?s|we(?:'|’)?ll|we will|we(?:'|’)?re going to|we are going to|we go with|we keep|we use|we ship|we won(?:'|’)?t|we do not|go with|stick (?:to|with)|the plan is|plan:)/u,
    1.4,
  ],
  [
    /\b(?:i(?:'|’)?d (?:go|keep|use|prefer)|should (?:use|be|keep|go|move|switch|raise|set|drop|not)|instead of|rather than|prefer|choose|chose|opt(?:ed)? for|no need to|won(?:'|’)?t|recommend)\b/u,
    0.7,
  ],
];

const CHANGED: Cues = [
  [
    /\b(?:i(?:'|’)?ve|i have|we(?:'|’)?ve|we have|has been|have been|was|were|is now|are now|now) (?:\w+ ){0,2}(?:changed|added|removed|renamed|moved|replaced|raised|lowered|bumped|upgraded|downgraded|patched|rewritten|refactored|deleted|set|committed|pushed|merged|deployed|rolled|reverted|applied|enabled|disabled|migrated|implemented|updated|split|dropped|fixed|pinned|published|released)\b/u,
    1.8,
  ],
  [
    /(?:^|\bi |\bwe |[,;] |\band )(?:just )?(?:changed|added|removed|renamed|moved|replaced|raised|lowered|bumped|upgraded|downgraded|patched|rewrote|refactored|deleted|committed|pushed|merged|deployed|rolled (?:out|back)|reverted|applied|enabled|disabled|migrated|implemented|updated|split|dropped|fixed|pinned|published|released)\b/u,
    1.6,
  ],
  [/\b(?:made|opened|created|wrote|built|set up) (?:a|an|the|it)\b/u, 1.2],
  [/\b(?:pr #?\d+|commit [0-9a-f]{7,}|landed|(?:is|are) (?:in|out|live|merged|deployed|green|done)\b)/u, 0.8],
];

const OPEN: Cues = [
  [
    /\b(?:open (?:question|point|issue|item)s?|todo|to-do|remains? (?:open|to|unclear)|still (?:need|open|unclear|unknown|missing|to|have to|don(?:'|’)?t|not)|not (?:yet|done yet|tested|clear)|(?:is|are) unclear|unresolved|untested|not (?:covered|checked|handled)|unknown whether)\b/u,
    2,
  ],
  [
    /\b(?:follow[- ]?up|next (?:step|up|is)|left to do|what(?:'|’)?s left|needs? (?:to be|a|more)|someone (?:should|must|needs|has to)|somebody (?:should|must|has to)|blocked (?:by|on)|waiting (?:for|on)|don(?:'|’)?t know|no idea|haven(?:'|’)?t|later\b|before we (?:ship|merge|release))/u,
    1.2,
  ],
];
