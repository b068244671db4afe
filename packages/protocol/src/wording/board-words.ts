import type { REASONS } from '@yarnboard/domain';
import { FULL, LIMITED, UNPROVEN } from './limit-words.ts';
import type { Say, Sentence, WordsFor } from './vocabulary.ts';

/** What the board says when it refuses a command. */
export const BOARD_WORDS: WordsFor<typeof REASONS> = {
  empty: ({ field }, say) => [`${say.field(field)} must not be empty`, EXAMPLES[field] ?? null],
  'too-long': ({ field, length, most }, say) => `${say.field(field)} has ${length} characters; the limit is ${most}`,
  'too-many-entries': ({ field, count, most }, say) => `${field === '' ? 'this' : say.field(field)} has ${count} entries; the limit is ${most}`,
  'too-many-references': ({ count, most }) => `${count} references are too many; the limit is ${most}`,
  'too-many-or-none': ({ field, most }, say) => `${say.field(field)} must name between 1 and ${most}`,
  'not-a-number': ({ field }, say) => `${say.field(field)} is not a number`,
  'not-a-share': ({ field, of }, say) => `${of === null ? say.field(field) : `the relevance of ${of}`} must be between 0 and 1`,
  'out-of-range': ({ field, least, most }, say) => `${say.field(field)} must be between ${least} and ${most}`,
  'not-a-position': ({ given }) => `${given} is not a position on the log`,
  'not-a-hash': ({ of }) =>
    of === 'token' ? 'a token is stored as its SHA-256 hash, in hexadecimal' : 'a file hash is its SHA-256 in hexadecimal, or the beginning of it',
  'nothing-to-change': ({ in: where }, say) => ['there is nothing to change', NOTHING_GIVEN[where](say)],
  'notes-needed': ({ field, for: doing }, say) => [NOTES_FOR[doing], `say why in ${say.field(field)}, so that others can learn from it`],
  'message-id-taken': ({ id }, say) => [
    `${say.input('message_id')} ${id} already belongs to something else on the log`,
    'send this under another one',
  ],
  'message-id-reused': ({ id }, say) => [
    `${say.input('message_id')} ${id} was already used for another command`,
    'give each command an ID of its own',
  ],
  'changed-since': ({ sidebar, since, last }, say) => [
    `${sidebar} has changed since ${since}: its last entry is ${last}`,
    say.door === 'page' ? 'look at it again first' : `look at it again, then send this with ${say.input('if_seq')} ${last}`,
  ],
  'untrue-claim': ({ field, claimed, actual }, say) => [`${say.field(field)} is ${actual}, not ${claimed}`, 'look again, or leave it out'],
  'assigned-otherwise': ({ field, claimed, actual }, say) => [
    `Yarnboard assigns ${say.field(field)}: the next one is ${actual}, not ${claimed}`,
    'leave it out, and read it from the answer',
  ],
  'blocked-in-emergency': ({ why, since }, say) => [
    say.door === 'page'
      ? `this can’t be done while the log is unavailable, since ${since} (${why})`
      : `the log cannot be written since ${since} (${why}), and this cannot wait for it`,
    say.door === 'page'
      ? 'messages, findings and reviews are queued; try this again when the log is back'
      : 'talk, findings and judgements are queued meanwhile; try this again when the log is back',
  ],
  'emergency-only': ({ why, since }, say) => [
    say.door === 'page'
      ? `every service has been unavailable since ${since} (${why}), and this can’t be queued`
      : `every service has been away since ${since} (${why}): only what can be queued is taken`,
    say.door === 'page'
      ? 'messages, findings and reviews are queued; try this again when the services are back'
      : 'talk, findings and judgements are queued meanwhile; try this again when the services are back',
  ],
  'emergency-full': ({ writes }) => [
    `the log is away, and the queue is full: ${writes} commands wait in it`,
    'none of this was kept; send it again when the log is back',
  ],
  'newer-board': ({ type, version, position }) => [
    `this board is read-only here: entry ${position} (${type}, version ${version}) was written by a newer Yarnboard`,
    'nothing is lost, and everything before that entry can be read',
    'upgrade this server to continue',
  ],

  'not-a-reference': ({ asked, why, wanted }) => [`"${asked}" is not a reference (${why.replaceAll('-', ' ')})`, `examples are ${wanted}`],
  'unknown-reference': ({ ref }) => `there is no ${ref} on this board`,
  'not-media': ({ asked }, say) => [`${asked} is not an attachment`, `attach MEDIA-n, and list anything else in ${say.field('citations')}`],
  'not-a-message': ({ ref }, say) => [`${ref} is not a message`, `${say.field('inReplyTo')} takes MSG-n or EXCH-n`],
  'unknown-sidebar': ({ asked }, say) => [`there is no sidebar ${asked} on this board`, say.lists('sidebars')],
  'unknown-finding': ({ sidebar, asked }, say) => [`${sidebar} has no finding ${asked}`, say.lists('scratchpad')],
  'finding-not-here': ({ sidebar, asked }, say) => [`${sidebar} has no finding ${asked}`, say.lists('scratchpad')],
  'unknown-conflict': ({ sidebar, asked }, say) => [`${sidebar} has no conflict ${asked}`, 'name it as CONFLICT-n', say.lists('scratchpad')],
  'conflict-not-here': ({ sidebar, asked }, say) => [`${sidebar} has no conflict ${asked}`, say.lists('scratchpad')],
  'unknown-checkpoint': ({ sidebar, asked }, say) => [`${sidebar} has no checkpoint ${asked}`, say.lists('scratchpad')],
  'unknown-gold': ({ asked }, say) => [`there is no GOLD ${asked} on this board`, say.lists('golds')],
  'gold-not-here': ({ sidebar, asked }, say) => [`${asked} is not a GOLD of ${sidebar}`, say.lists('golds')],
  'unknown-claim': ({ sidebar, asked }, say) => [
    `${sidebar} has no claim ${asked}`,
    'name it as CLAIM-n, or an exchange as EXCH-n',
    say.lists('claims'),
  ],
  'not-a-routine-task': ({ asked }, say) => [`“${asked}” cannot merge automatically`, say.lists('auto_merge_history')],
  'not-suspended': ({ asked }, say) => [`“${asked}” is not suspended`, say.lists('auto_merge_history')],
  'not-merged-automatically': ({ sidebar }, say) => [`${sidebar} was not merged automatically`, say.lists('auto_merge_history')],
  'words-not-there': ({ exchange, words }) => [`${exchange} does not say “${words}”`, 'quote it word for word'],
  'not-inherited': ({ sidebar, asked }, say) => [`${asked} is not an exchange that ${sidebar} inherited`, say.lists('sidebar_memory')],

  'not-said-or-found': ({ ref }) => [
    `${ref} is not something that was said or found`,
    'name messages (MSG-n), exchanges (EXCH-n) or findings (FRAG-n)',
  ],
  'nothing-said': ({ ref }) => [`${ref} has no words to keep`, 'name the messages you mean'],
  'unknown-episode': ({ asked }, say) => [`there is no episode ${asked}`, say.lists('episodes')],
  'kept-already': ({ ref, episode }) => [`${ref} is already kept, as ${episode}`, 'leave it out'],
  'final-already': ({ episodes }) => `${episodes.join(', ')} ${episodes.length === 1 ? 'is' : 'are'} already final`,
  'finding-rejected': ({ ref }) => [`${ref} was rejected`, 'the log keeps it as rejected; episodic memory does not take it'],
  'episode-superseded': ({ ref, why }) => [`${ref} is superseded${why === '' ? '' : `: ${why}`}`, 'keep what took its place'],
  'curators-word': ({ ref, of }) => [
    `${ref} keeps a ${of === 'gold' ? 'GOLD' : 'finding'}`,
    'it becomes final when its curator has confirmed it and its sidebar ends',
  ],
  'not-crashed': ({ agent }) => `${agent} is here, said that it would leave, or has left nothing behind`,
  'human-only': ({ actor }) => [`${actor} is not a person`, 'only people make memory final'],

  'unknown-actor': ({ actor }) => [`${actor} is not registered on this board`, 'the operator can register it'],
  'retired-actor': ({ actor }) => [`${actor} was retired and can no longer act here`, 'the operator can register it again'],
  'unknown-agent': ({ agent }, say) => [`there is no agent ${agent} on this board`, `the operator can register one${say.by('agent_register')}`],
  'retired-agent': ({ agent }, say) => [
    `${agent} was retired`,
    `name someone else, or have the operator register it again${say.by('agent_register')}`,
  ],
  'needs-approval': ({ obstacles }) => `a person has to approve it: ${obstacles.join(', ')}`,
  'operator-only': ({ to }) => OPERATOR_ONLY[to],
  'not-participant': ({ actor, sidebar, to, ask }, say) => [
    `${actor} is not a participant of ${sidebar}${OUTSIDER[to].what}`,
    OUTSIDER[to].instead(say, ask),
  ],
  'not-coordinator': ({ coordinator, sidebar, what, actor }) => [
    `only the coordinator of ${sidebar}, ${coordinator}, or the operator may ${what}`,
    `you are ${actor}`,
  ],
  'not-curator': ({ curator, sidebar, what, actor }) => [
    `only the curator of ${sidebar}, ${curator}, or the operator may ${what}`,
    `you are ${actor}`,
  ],
  'not-yours-to-dismiss': ({ coordinator }) => [`only the coordinator, ${coordinator}, or the operator may remove others`, 'you can leave yourself'],
  'not-yours-to-send-back': ({ coordinator, curator, proposer, sidebar, actor }) => [
    `only the coordinator (${coordinator}), the curator (${curator}), the one who prepared the merge (${proposer}) or the operator may send ${sidebar} back to work`,
    `you are ${actor}`,
  ],
  'others-have-a-say': ({ agent, sidebar }, say) => [
    `${agent} has a say in what ${sidebar} merges`,
    `prepare the merge${say.by('sidebar_consolidate')}, and let it be checked and approved`,
  ],
  'ask-separately': ({ coordinator }) => [
    `task, type and priority are for ${coordinator} to change`,
    'propose those by themselves, without tags, cross-references or roles',
  ],
  'proposed-already': ({ proposal, coordinator }) => [`you already proposed this (${proposal})`, `${coordinator} or the operator will answer it`],
  'unknown-proposal': ({ sidebar, asked }, say) => [`${sidebar} has no open proposal ${asked}`, say.lists('sidebar')],
  'verdict-against-answers': ({ status }) => [
    status === 'rejected'
      ? 'all three answers speak for the finding, but it is rejected'
      : 'the finding neither fits the task nor has evidence that supports it, but it is confirmed',
    'change the verdict or the answers',
  ],
  'own-claim': ({ ref }) => [`you said ${ref} yourself`, 'someone else has to verify it'],
  'not-disputed': ({ ref, status }) => [`${ref} is ${status}, and no one disagrees about it`, 'there is nothing to settle'],
  'not-checkable': ({ ref, type }) => [
    type === null ? `nothing in ${ref} can be checked by a machine` : `${ref} is a matter of judgement (${type})`,
    'someone has to judge it',
  ],
  'checks-off': ({ type }, say) => [
    `checks by machine are off, so only the operator may run one (${type})`,
    `the operator can switch them on${say.by('validation_config')}`,
  ],
  'type-not-allowed': ({ type, allowed }) => [
    `checks of ${type} are not allowed`,
    allowed.length === 0 ? 'no type is, yet; the operator can allow one' : `allowed: ${allowed.join(', ')}`,
  ],
  'too-many-checks': ({ most, of }) =>
    of === 'hour'
      ? `you had ${most} checks run within an hour; try again later`
      : of === 'once'
        ? 'a check of yours is still running; try again when it is done'
        : `this was checked ${most} times within a day; ask the operator`,
  'not-validated': ({ ref }) => [`${ref} was never checked by a machine`, 'there is nothing to overrule; you can verify it yourself'],
  'own-finding': ({ ref }) => [`${ref} is your own`, 'the operator validates what a curator submits'],
  'own-package-to-check': ({ others }) => [
    'you prepared this merge, so someone else has to check it',
    `ask ${[...others, 'the operator'].join(' or ')}`,
  ],
  'own-package-to-merge': () => ['you prepared this merge, so someone else has to approve it', 'ask the operator or another coordinator'],
  'own-check-to-merge': () => 'you checked this merge yourself, and it goes into a session, so the operator has to approve it',
  'gold-of-no-sidebar': ({ gold }) => `${gold} does not belong to a sidebar, so only the operator may validate it`,

  'bad-agent-name': ({ asked }) => [`"${asked}" is not a name for an agent`, 'use letters, digits, "_", "." and "-", for example security-001'],
  'agent-name-taken': ({ agent, by }) => [by === null ? `the name ${agent} is taken` : `${agent} is too similar to ${by}`, 'choose another name'],
  'agent-registered': ({ agent }, say) => [`${agent} is already registered`, `you can give it a new token${say.by('agent_token')}`],
  'operator-token-is-a-file': () => 'the token of the operator is in the file operator.token of the Yarnboard home and cannot be changed here',
  'operator-stays': () => 'the operator cannot be retired',
  'not-an-agent': ({ agent }) => `${agent} is a person; only agents have runtimes`,
  'presence-of-others': ({ actor }) => `you are ${actor} and can set only your own presence`,
  'participates-already': ({ agent, sidebar }) => `${agent} is already a participant of ${sidebar}`,
  'does-not-participate': ({ agent, sidebar }) => `${agent} is not a participant of ${sidebar}`,
  'last-participant': ({ agent, sidebar }, say) => [
    `${agent} is the last participant of ${sidebar}`,
    `archive it${say.by('sidebar_archive')}, or add someone first${say.by('agent_recruited')}`,
  ],

  'people-have-no-limits': ({ agent }) => `${agent} is a person, and people have no limits`,
  'bad-limit': ({ field, most }, say) => `${say.field(field)} must be a whole number from 0 to ${most}`,
  'no-match': ({ capability, specialties }) => [
    `no one outside the sidebar is good at "${capability}"`,
    specialties.length === 0 ? 'no one has named any skills yet' : `there are: ${specialties.join(', ')}`,
  ],
  'at-capacity': ({ agent, alternatives }) => [
    `${agent} is full`,
    alternatives.length === 0 ? 'wait for a seat, or ask someone else' : `free instead: ${alternatives.join(', ')}`,
  ],
  'limit-reached': ({ agent, of, most }) => [
    `${agent} ${LIMITED[of](most)}`,
    of === 'depth' ? 'ask the operator to start it' : 'wait, or ask the operator to do it',
  ],
  'recruited-already': ({ agent, sidebar }, say) => [
    `${agent} has already been asked to take part in ${sidebar}`,
    `its answer is open; you can take the request back${say.by('recruitment_withdraw')}`,
  ],
  'unknown-recruitment': ({ asked }, say) => [`there is no request ${asked}`, say.lists('recruitments')],
  'not-yours-to-answer': ({ agent }) => `only ${agent} can answer this request`,
  'not-yours-to-withdraw': ({ by, coordinator }) => `only ${by}, ${coordinator} or the operator can take this request back`,
  'seat-held': ({ agent, sidebar, server }) => [`${agent} in ${sidebar} is ${server === null ? 'free' : `run by the server ${server}`}`],
  'changes-hold-once': () => ['a changed input can only be allowed, and only once', 'answer with allow, and without a scope'],
  'unknown-permission': ({ asked }, say) => [`there is no permission request ${asked}`, say.lists('permissions')],
  'unknown-permission-rule': ({ asked }, say) => [`there is no permission rule ${asked}`, say.lists('permissions')],
  'permission-answered': ({ decision, by }) =>
    decision === 'withdrawn' ? 'this request was withdrawn: the seat no longer needs an answer' : `${by} answered this request already: ${decision}`,
  'nothing-alike': ({ tool }, say) => [
    `no rule can tell what is like this use of ${tool}`,
    `allow exactly this with ${say.field('breadth')}, or only once`,
  ],
  'request-over': ({ state }) => `this request is over: ${state}`,
  'acted-already': ({ sidebar }, say) => [`you have already worked in ${sidebar}`, `leave it instead${say.by('agent_left')}`],
  'decline-needs-code': ({ codes }) => ['say why you decline', `the reason is one of ${codes.join(', ')}`],

  'sidebar-ended': (facts, say) => endedSidebar(facts, say),
  'parent-ended': (facts, say) => endedSidebar(facts, say),
  'no-such-move': ({ sidebar, status, to, moves }, say) => [
    `${sidebar} is ${say.status(status)} and cannot become ${say.status(to)}`,
    moves.length === 0 ? `fork it instead${say.by('sidebar_fork')}` : `it can become ${moves.map((move) => say.status(move)).join(', ')}`,
  ],
  'wrong-status': ({ sidebar, status, to }, say) => [`${sidebar} is ${say.status(status)}`, ...WRONG_STATUS[to](say)],
  'has-its-own-command': ({ move }, say) => OWN_COMMAND[move](say),
  'tests-are-spawned': (_, say) => ['a sidebar cannot become a test later', `spawn one as a test${say.by('sidebar_spawn')}`],
  'live-children': ({ sidebar, children }, say) => [`${sidebar} has open children: ${states(children, say)}`, 'merge, archive or fail them first'],
  'not-archived': ({ sidebar, status }, say) => [
    `${sidebar} is ${say.status(status)}, and only archived sidebars can be forked`,
    status === 'MERGED' || status === 'FAILED'
      ? `archive it first${say.by('sidebar_archive')}`
      : `spawn a child${say.by('sidebar_child_spawn')}, or archive it first${say.by('sidebar_archive')}`,
  ],
  'not-ended': ({ sidebar, status }) => `${sidebar} is ${status}: it has not ended, so there is nothing to reopen`,
  'not-stale': ({ sidebar, status }, say) => `${sidebar} is ${say.status(status)} and not stale; only paused and waiting sidebars time out`,
  'no-deadline-passed': ({ sidebar }) => `no deadline of ${sidebar} has passed, so it keeps waiting`,
  'other-archive-reason': ({ sidebar, status, actual, given }, say) => [
    `${sidebar} is ${say.status(status)}, so ${say.input('archive_reason')} is ${actual}, not ${given}`,
    'leave it out',
  ],
  'bad-timeout': (_, say) => [`${say.field('timeoutMs')} must be more than 0 and at most a year`, 'leave it out to wait without a deadline'],
  'waits-in-circle': ({ sidebar, for: other }) => [
    sidebar === other ? `${sidebar} cannot wait for itself` : `${sidebar} cannot wait for ${other}, which cannot end before ${sidebar} continues`,
    'name another dependency, or pause it',
  ],
  'nothing-to-wait-for': ({ ended }, say) => `there is nothing to wait for: ${states(ended, say)} already ended`,
  'nobody-above-you': () => 'you are the operator, so there is no one to escalate to',
  'escalated-already': ({ sidebar, by, why }) => `${by} already escalated ${sidebar} to the operator: ${why}`,
  'conflict-needs-parent': (_, say) => [
    'a conflict is resolved in a child of the sidebar it belongs to',
    `name that sidebar as ${say.input('parent_id')}`,
  ],
  full: ({ where, most, of }, say) => FULL[of](where, most, say),

  'finding-too-long': ({ length, most }) => [`a finding has at most ${most} characters, and this one has ${length}`, 'shorten it, and cite the rest'],
  'finding-revised': ({ ref, newer }) => [`${ref} was already revised`, newer === null ? 'use the latest revision' : `use ${newer}`],
  'judged-already': ({ ref, status, by }) => `${ref} is already ${status}${by === null ? '' : `, by ${by}`}`,
  'judged-since': ({ ref, status, seen, by }) => [`${by ?? 'someone'} changed ${ref} from ${seen} to ${status} in the meantime`, 'look at it again'],
  'contradicts-confirmed': ({ ref, others }, say) => [
    `${ref} contradicts ${others.join(', ')}, which ${others.length === 1 ? 'is' : 'are'} confirmed`,
    `reject or revise one of them, or explain why both hold${say.by('conflict_resolve')}`,
  ],
  'conflict-over': ({ by }) =>
    by === null ? 'the conflict is over: one of its findings was rejected or revised' : `the conflict was already resolved, by ${by}`,
  'annotates-unconfirmed': ({ ref, status }, say) => [
    `${ref} is ${status}, and only confirmed findings take annotations`,
    `discuss it in the sidebar${say.by('chat_message')}`,
  ],
  'note-of-others': ({ agent, actor }, say) => [
    `you are ${actor} and can add only your own note`,
    `${agent} can add its note itself${say.by('checkpoint_annotate')}`,
  ],
  'added-and-removed': ({ ref }) => `${ref} cannot be added and removed at the same time`,
  'gold-superseded': ({ gold, why }) => `${gold} is superseded: ${why}`,
  'gold-shown-already': ({ gold }) => `${gold} was already shown in this conversation`,
  'gold-not-to-answer': ({ gold }) => `${gold} has not come up there lately, or somebody has answered already`,
  'bad-conditions': ({ most, longest }, say) => [
    `${say.field('triggerConditions')} must have between 1 and ${most} entries, none empty or longer than ${longest} characters`,
    'they say when to remember this',
  ],
  'bad-lines': (_, say) => `${say.field('lines')} must be whole numbers from 1, the first not above the last`,
  'no-url-or-title': (_, say) => `an external source needs ${say.input('url')} or ${say.input('title')}`,
  'unsafe-url': (_, say) => [`${say.input('url')} must begin with http:// or https://`, `put anything else into ${say.input('title')}`],

  'pending-findings': ({ sidebar, findings }, say) => [
    `${findings.join(', ')} ${findings.length === 1 ? 'is' : 'are'} pending`,
    `have them validated${say.by('scratchpad_entry_validated')}, or move ${sidebar} to review first${say.by('sidebar_status_update')}`,
  ],
  'finding-not-confirmed': ({ ref, status }) => `${ref} is ${status}, and only confirmed findings can be merged`,
  'gold-unproven': ({ gold, because, detail, evidence }, say) => UNPROVEN[because](gold, evidence ?? 'a finding', detail, say),
  'no-package': (_, say) => ['there is nothing to merge yet', `prepare the merge first${say.by('sidebar_consolidate')}`],
  'package-unchecked': ({ curator }, say) => `the curator, ${curator}, has not checked this merge yet${say.by('sidebar_check_merge')}`,
  'package-unfit': ({ notes }, say) => [
    `the curator requested changes${notes === '' ? '' : `: ${notes}`}`,
    `prepare the merge again${say.by('sidebar_consolidate')}`,
  ],
  'package-differs': ({ findings }) => [`this merge contains ${findings.join(', ') || 'no findings'}`, 'look at it again before you approve it'],
  'package-outdated': ({ fallen }, say) => [
    `${fallen.join(', ')} no longer ${fallen.length === 1 ? 'stands' : 'stand'}`,
    `prepare the merge again${say.by('sidebar_consolidate')}`,
  ],
  'package-contradicted': ({ description }, say) => [
    `findings in this merge contradict others: ${description}`,
    `resolve the conflict first${say.by('conflict_resolve')}`,
  ],
  'merges-into-parent-only': ({ sidebar }, say) => [`${sidebar} can be merged only into its parent`, `leave out ${say.input('parent_id')}`],
  'no-merge-target': ({ sidebar }, say) => [
    `${sidebar} has no parent to merge into`,
    `name a session or a sidebar as ${say.input('parent_id')}, or archive it${say.by('sidebar_archive')}`,
  ],
  'merges-into-itself': ({ sidebar }) => `${sidebar} cannot be merged into itself or into a sidebar that branched off it`,
  'target-ended': ({ sidebar, into, status, child }, say) => [
    `${into} is ${say.status(status)}, so nothing can be merged into it`,
    child ? `archive ${sidebar}, fork it, and merge the fork elsewhere` : `choose another ${say.door === 'page' ? 'target' : say.input('parent_id')}`,
  ],
};

type Ended = { readonly sidebar: string; readonly status: string };

const endedSidebar = ({ sidebar, status }: Ended, say: Say): Sentence => [
  `${sidebar} is ${say.status(status)}, so nothing can be added to it`,
  status === 'ARCHIVED'
    ? `fork it to continue${say.by('sidebar_fork')}`
    : `archive it${say.by('sidebar_archive')}, then fork it to continue${say.by('sidebar_fork')}`,
];

const states = (all: readonly Ended[], say: Say): string => all.map(({ sidebar, status }) => `${sidebar} (${say.status(status)})`).join(', ');

const EXAMPLES: Readonly<Record<string, string | undefined>> = {
  sourceRefs: 'name what it is based on, such as MSG-12 or SCRATCH-3:FINDING-1',
  source_refs: 'name what it is based on, such as MSG-12 or SCRATCH-3:FINDING-1',
  scores: 'give a number from 0 to 1 for each EXCH-n',
};

const NOTHING_GIVEN = {
  agent: (say: Say) => `give ${say.input('specialties')} or ${say.input('preferred_collaborators')}`,
  sidebar: (say: Say) =>
    `give at least one of ${['priority', 'task_description', 'coordinator_agent', 'tags'].map((name) => say.input(name)).join(', ')}`,
  claim: () => 'you have not judged it, so there is nothing to take back',
  confidence: () => 'it has this confidence already',
  session: () => 'the session has all of this already',
  'auto-merge': (say: Say) => `the settings are like this already${say.by('auto_merge_history')}`,
  validation: (say: Say) => `give ${say.input('enabled')} or ${say.input('allowed')}; it is that way already`,
  focus: (say: Say) => `give EXCH-n to ${say.door === 'page' ? 'add or remove' : `${say.input('add')} or ${say.input('remove')}`}`,
};

const NOTES_FOR = {
  rejecting: 'a rejection needs a reason',
  'requesting-changes': 'a request for changes needs a reason',
  'confirming-against': 'confirming a finding against one of the three answers needs a reason',
};

const OPERATOR_ONLY = {
  'reopen-sidebars': 'only the operator may reopen a sidebar',
  'limit-agents': 'only the operator may set the limits of an agent',
  'register-agents': 'only the operator may register agents',
  'change-agents': 'only the operator may give out tokens or change other agents',
  'retire-agents': 'only the operator may retire agents',
  'surface-gold': 'only Yarnboard itself surfaces GOLD',
  'answer-gold': 'only the operator may say whether GOLD was useful in a session',
  'equip-agents': 'only the operator may give agents a runtime',
  'rest-agents': 'only the operator may rest agents',
  'grant-budgets': 'only the operator may grant budgets',
  'tell-of-seats': 'only Yarnboard itself tells what seats do',
  'label-sessions': 'only the operator may pin, rename, tag or hide sessions',
  'configure-auto-merge': 'only the operator may change what merges automatically',
  'configure-validation': 'only the operator may say what machines check',
  'overrule-checks': 'only the operator may overrule a check',
  'outdate-claims': 'only Yarnboard itself says that a check is out of date',
  'answer-permissions': 'only the operator may answer permission requests',
  'tell-of-crashes': 'only Yarnboard itself tells that an agent has disappeared',
  'make-permission-rules': 'only the operator may make or revoke permission rules',
};

const OUTSIDER = {
  work: {
    what: '',
    instead: (say: Say, ask: readonly string[]) => `join first${say.by('agent_recruited')}${ask.length === 0 ? '' : `, or ask ${ask.join(', ')}`}`,
  },
  wait: {
    what: ' and cannot make it wait',
    instead: (say: Say) => `leave out ${say.input('wait')}, or join first${say.by('agent_recruited')}`,
  },
  merge: {
    what: ', where this would be merged',
    instead: (say: Say) => `join first${say.by('agent_recruited')}, or have the operator approve it`,
  },
};

const WRONG_STATUS = {
  resume: () => ['only paused or waiting sidebars can be resumed'],
  'wait-for-child': (say: Say) => ['only an active sidebar can wait for its child', `leave out ${say.input('wait')}`],
  'report-test': () => ['only tests take test results'],
  'check-merge': (say: Say) => ['there is no merge to check', `prepare one first${say.by('sidebar_consolidate')}`],
};

const OWN_COMMAND = {
  fork: (say: Say) => `to fork a sidebar, use the command for it${say.by('sidebar_fork')}`,
  wait: (say: Say) => `say what it waits for${say.by('sidebar_waiting_update')}`,
  spawn: (say: Say) => `spawn a child${say.by('sidebar_child_spawn')}, which makes this move and the next`,
  consolidate: (say: Say) => `say what to merge${say.by('sidebar_consolidate')}`,
  merge: (say: Say) => `approve the merge instead${say.by('sidebar_merge')}`,
  archive: (say: Say) => `archive it instead${say.by('sidebar_archive')}`,
};
