import type { Complaint } from '@yarnboard/domain';
import { complaintText } from '../wire/complaints.ts';
import { REGISTRY, type OperationName } from '../registry/registry.ts';
import type { SERVER_REASONS } from './refusals.ts';
import type { Say, WordsFor } from './vocabulary.ts';

/** What the server says when it refuses a request. */
export const SERVER_WORDS: WordsFor<typeof SERVER_REASONS> = {
  'token-needed': ({ operation }, say) =>
    say.door === 'page'
      ? ['read-only', say.token]
      : [
          `${called(operation, say)} needs a token, which says who you are`,
          'use the token of the operator, or one that `yarnboard agent add` gave to an agent',
          say.token,
        ],
  'reading-needs-token': ({ operation }, say) => [
    `${say.door === 'page' ? 'this' : called(operation, say)} needs a token: without one, only the user who runs the server may read`,
    say.door === 'page' ? 'run `yarnboard open` as that user' : 'use the token of the operator, or one that `yarnboard agent add` gave to an agent',
    say.token,
  ],
  'operator-token-needed': ({ operation }, say) =>
    say.door === 'page'
      ? ['read-only', say.token]
      : [`${called(operation, say)} needs the token of the operator, from operator.token in the Yarnboard home`, say.token],
  'operation-for-operator': ({ operation, actor }, say) => [`only the operator may use ${called(operation, say)}`, `you are ${actor}`],
  'secrets-for-operator': (_, say) => [
    'only the operator may see masked secrets',
    say.door === 'page' ? null : `leave out ${say.input('reveal')}, or use the token of the operator`,
  ],
  'operator-token-in-seat': ({ agent }) => [`you are ${agent}, and this is the token of the operator`, 'use your own; the operator was told'],
  'forged-sender': ({ actor, claimed }, say) => [
    `your token says that you are ${actor}, not ${claimed}`,
    `leave out ${say.input('sender_agent_id')}`,
  ],
  'token-shown-once': ({ agent }, say) => [
    'this was done before, and a token is shown only once',
    `you can give ${agent} a new one${say.by('agent_token')}`,
  ],
  'bad-input': ({ complaints }, say) =>
    complaints.map(
      (complaint) => `${complaintText(complaint, complaint.input === '' ? 'the request' : say.input(complaint.input))}${wantedBy(complaint, say)}`,
    ),
  'unknown-input': ({ asked, known }, say) =>
    say.door === 'page'
      ? ['this page sent something the server does not know', 'reload the page']
      : [`there is no input "${asked}"`, known.length === 0 ? 'it takes none' : `it takes ${known.map((name) => say.input(name)).join(', ')}`],
  'bad-cursor': ({ asked }, say) => [`"${asked}" is not a cursor of this list`, startOver(say)],
  'epoch-changed': (_, say) => ['an older copy of the board was restored, so this cursor means something else now', startOver(say)],
  'cursor-gone': (_, say) => ['what this cursor pointed to is gone', startOver(say)],
  'not-a-time': ({ asked }) => [`"${asked}" is not a time`, 'examples are 2026-01-31 and 2026-01-31T12:00:00Z'],
  'dates-reversed': ({ from, to }) => [`from ${from} to ${to} is no span of time`, 'give the earlier date first'],
  'cursor-or-offset': () => ['a cursor and an offset cannot be combined', 'go on with the cursor, or leave it out'],
  'beyond-the-log': ({ seq, end }, say) => [
    `${say.input('if_seq')} ${seq} is beyond the end of the log, which is at ${end}`,
    'give the position you last saw',
  ],
  'one-source-only': (_, say) =>
    `give exactly one of ${say.input('source')} (a reference), ${say.input('path')} (a file), or ${say.input('url')} and ${say.input('title')} (something else)`,
  'one-content-only': (_, say) => `give either ${say.input('content')} (the bytes) or ${say.input('upload')} (what was uploaded before)`,
  'unknown-runtime': ({ asked, runtimes }) => [
    `there is no runtime "${asked}" in settings.json`,
    runtimes.length === 0 ? 'no runtime is defined there' : `there are ${runtimes.join(', ')}`,
  ],
  'out-of-reach': ({ agent, sidebar }) => [
    `this token is ${agent}’s seat in ${sidebar}; it acts there and sees what was given to it there`,
    'the operator may let the agent look at the whole board',
  ],
  'no-runtime': ({ agent }, say) => [`${agent} has no runtime of settings.json`, `give it one${say.by('agent_runtime')}`],
  'unknown-seat': ({ agent, sidebar }) => `${agent} has no seat in ${sidebar}, or no runtime`,
  'unknown-upload': ({ asked }) => [`nothing was uploaded as ${asked}, or it was not attached within a day`, 'upload the file again'],
  'not-on-board': ({ asked }) => `there is no ${asked} on this board`,
  'nothing-to-trace': ({ asked, nearest }) => [
    `there is no "${asked}" on this board`,
    nearest.length === 0 ? 'give a reference such as MSG-12, a session ID or a path' : `the nearest is ${nearest.join(', ')}`,
  ],
  'file-untouched': ({ asked }) => [`no session on the log touched a file "${asked}"`, 'give its path, or the end of it'],
  'several-to-trace': ({ asked, refs }) => [`"${asked}" matches several: ${refs.join(', ')}`, 'give more of it'],
  'unknown-session': ({ asked }, say) => [`there is no session "${asked}"`, say.lists('sessions')],
  'several-sessions': ({ asked, ids }) => [`"${asked}" matches several sessions: ${ids.join(', ')}`, 'give more of the ID'],
  'unknown-sub-agent': ({ session, asked }, say) => [`session ${session} has no sub-agent "${asked}"`, say.lists('sidechains')],
  'one-branch-only': ({ asked }, say) => [
    `"${asked}" belongs to a sub-agent, which has only one branch`,
    say.door === 'page' ? null : `leave out ${say.input('through')}, or give it as ${say.input('at')}`,
  ],
  'unknown-run': ({ run }, say) => [`there is no run "${run}"`, say.lists('runs')],
  'run-ended': ({ run }, say) => [`run ${run} has ended or is about to end`, `resume its session in a new run${say.by('start_run')}`],
  'session-in-terminal': ({ session }, say) => [
    `session ${session} is running in a terminal`,
    `take it over${say.by('switch_session')}, or fork it${say.by('start_run')}`,
  ],
  'session-has-run': ({ session, run }, say) => [
    `run ${run} already has session ${session}`,
    `send it a message${say.by('send_message')}, end it${say.by('end_run')}, or fork the session${say.by('start_run')}`,
  ],
  'queue-full': ({ run, most }, say) => [
    say.door === 'page' ? `${most} messages are waiting already` : `${most} messages are waiting for run ${run} already`,
    'send this one when some of them were heard, or take one back',
  ],
  'queue-too-long': ({ run, most }, say) => [
    `what waits${say.door === 'page' ? '' : ` for run ${run}`} may have ${most.toLocaleString('en')} characters in all`,
    'send this when some of it was heard, or shorten it',
  ],
  'message-heard': ({ run, message }, say) =>
    say.door === 'page'
      ? 'Claude has heard this message already, or it was taken back before'
      : `run ${run} has no queued message "${message}": it was heard already, or taken back`,
  'input-too-long': ({ length, most }, say) => `${say.input('updated_input')} has ${length} characters; the limit is ${most}`,
  'input-unchangeable': ({ agent }) => [
    `${agent} speaks a protocol in which a request is allowed as it is or not at all`,
    'deny it, and say what it should do instead',
  ],
  'masks-returned': ({ input, mask }, say) => [
    `${say.input(input)} has ${mask} where a secret was`,
    'write the secret itself, or leave it out: a mask would take its place',
  ],
  'unknown-request': ({ run, request }, say) => [
    `run ${run} has no permission request "${request}"`,
    say.door === 'page' ? null : `its pending requests are in ${say.operation('run')}`,
  ],
  'no-image': ({ nth, type }) => [`image ${nth} can't be read as ${type}`, 'send a PNG, JPEG, GIF or WebP'],
  'images-too-large': ({ bytes, most }) => [`the images have ${bytes} bytes in all; a prompt takes at most ${most}`, 'make them smaller'],
  'images-without-text': (_, say) => [`${say.input('images')} can't be sent without text`, 'add some text'],
  'rule-not-kept': ({ rule }, say) => [
    `no rule "${rule}" is kept for this project`,
    say.door === 'page' ? null : `${say.operation('session_rules')} lists them; those of a session end with its run`,
  ],
  'rules-unreadable': ({ file, why }) => [`${file} could not be changed: ${why}`, 'mend it, or take the rule out yourself'],
  'not-for-good': ({ scope }, say) => [
    `this request can't be allowed for the ${scope}`,
    say.door === 'page' ? 'allow it once' : `leave out ${say.input('always')}`,
  ],
  'resume-missing': (_, say) => [`${say.input('fork')} and ${say.input('resume_at')} need a session`, `give its ID as ${say.input('resume')}`],
  'directory-missing': (_, say) => [`${say.input('cwd')} is missing`, 'give the absolute path of the directory to run in'],
  'directory-unknown': ({ session }, say) => [
    `the directory of session ${session} is not known`,
    say.door === 'page' ? null : `start a run with ${say.input('cwd')} and ${say.input('resume')}${say.by('start_run')}`,
  ],
  'inputs-do-not-fit': ({ inputs, input, value }, say) =>
    `${inputs.map((name) => say.input(name)).join(' and ')} can be given only when ${say.input(input)} is ${value}`,
  'text-or-envelope': (_, say) => `give either ${say.input('text')} or ${say.input('envelope')}`,
  'bad-action': ({ tool, asked, known }, say) => [
    asked === null ? `${say.input('action')} is missing` : `${tool} has no action "${asked}"`,
    say.door === 'mcp' ? `${say.input('action')} is one of ${known.join(', ')}` : null,
  ],
  'unknown-operation': ({ asked, known }, say) => [`there is no operation "${asked}"`, say.door === 'mcp' ? `there are ${known.join(', ')}` : null],
  'bad-place': ({ asked }, say) => [`"${asked}" is not a place in an answer`, `copy ${say.input('at')} from where the answer was cut`],
  'answer-changed': () => ['the answer has changed since it was cut', 'ask for it again from the beginning'],
  'meaning-unanswered': ({ why }) => [`the model for search by meaning can't be asked: ${why}`, 'search by words, or try again later'],
  'meaning-missing': () => ['there is no index of meaning on this board yet', 'search by words, or try again when the index has been built'],
  'recovery-needed': ({ caches }, say) => [
    `the last session left ${caches === 1 ? 'an emergency cache' : `${caches} emergency caches`} behind, and nothing new is accepted until someone reviews ${caches === 1 ? 'it' : 'them'}`,
    say.door === 'terminal'
      ? 'run `yarnboard recover`'
      : say.door === 'page'
        ? 'the operator opens Recovery'
        : 'the operator runs `yarnboard recover`',
  ],
  'unknown-cache': ({ asked }, say) => [`there is no emergency cache "${asked}"`, `you can list them${say.by('recovery')}`],
  'cache-of-another': ({ cache, host }, say) => [
    `${cache} was written by another home, on ${host}`,
    `if that one is gone for good, say ${say.input('other_home')}`,
  ],
  'cache-of-another-board': ({ cache }) => [`${cache} belongs to another board`, 'its commands would mean something else here'],
  'cache-resolved': ({ cache }) => [`${cache} is resolved already`],
  'cache-in-use': ({ cache }) => [
    `${cache} belongs to an outage that is not over`,
    'what waits in it is replayed when the log is back; what is left then can be settled',
  ],
  'discard-unconfirmed': ({ cache }, say) => [`discarding cannot be taken back`, `to confirm it, set ${say.input('yes')} to ${cache}`],
  'not-amendable': ({ cache }, say) => [
    `other words are for one conflict of ${cache} that has words of its own`,
    `name its number in ${say.input('writes')}; replay it as it is first, if it was not refused yet`,
  ],
  'unknown-write': ({ cache, asked }) => [`${cache} has no write ${asked} that still waits`],
  'question-too-large': ({ operation }, say) => [`the request for ${called(operation, say)} is too long`, 'shorten its text'],
};

/** What an input is for, if it is missing or of the wrong kind and the door has words for it. */
const wantedBy = ({ input, fault }: Complaint, say: Say): string => {
  const about = fault === 'missing' || fault === 'type' ? say.about(input) : null;
  return about === null ? '' : ` (${about})`;
};

/** The name may come from another version. */
const called = (operation: string, say: Say): string => (isOperation(operation) ? say.operation(operation) : 'this');

const isOperation = (name: string): name is OperationName => Object.hasOwn(REGISTRY, name);

const startOver = (say: Say): string =>
  say.door === 'page' ? 'start from the beginning' : `leave out ${say.input('cursor')} to start from the beginning`;
