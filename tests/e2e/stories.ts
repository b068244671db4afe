import assert from 'node:assert/strict';
import { until } from './checks.ts';
import { agentTitled, storyOf } from './envelope-rules.ts';
import { checkSession, isEvent, isText, sessionOfPrompt, type Stage } from './stage.ts';
import type { Surroundings } from './surroundings.ts';
import type { Watcher } from './watcher.ts';

/** Begins a session with a prompt, in whatever way; gives what is to be waited for at its end. */
export type Begin = (prompt: string) => Promise<{ readonly ended: () => Promise<void> }>;

/** `play:task`: each reply is held back until what comes before it was told, so that all of it was told while it ran. */
export const playTask = async (surroundings: Surroundings, stage: Stage, begin: Begin): Promise<void> => {
  const { watcher, check } = stage;
  const lastOfAgent = surroundings.model.hold('look', 1);
  const lastOfMain = surroundings.model.hold('task', 1);
  const { ended } = await begin('play:task');
  const session = await sessionOfPrompt(watcher, 'play:task');
  await check('the sub-agent is told of while it works', async () => {
    await watcher.see('the end of its command', isEvent('tool-call-end', 'agent'));
    assert.deepEqual(storyOf(watcher.of(session), 'Look around'), LOOKING);
  });
  lastOfAgent.release();
  await check('its end is told before the session goes on', async () => {
    await stopped(watcher, session, 'Look around');
    assert.deepEqual(storyOf(watcher.of(session), 'Look around'), [...LOOKING, 'agent: Nothing but a README.', 'stop completed']);
    assert.deepEqual(storyOf(watcher.of(session)), ['user: play:task', 'turn-start', 'agent: Somebody else will look.']);
  });
  lastOfMain.release();
  await ended();
  await check('the turn ends as completed', async () => {
    await watcher.see('the end of the turn', isEvent('turn-end'));
    assert.deepEqual(storyOf(watcher.of(session)), [
      'user: play:task',
      'turn-start',
      'agent: Somebody else will look.',
      'agent: They looked around.',
      'turn-end completed',
    ]);
  });
  await checkSession(stage, session);
};

/** `play:both`: two sub-agents at once, each told under its own name. */
export const playBoth = async (surroundings: Surroundings, stage: Stage, begin: Begin): Promise<void> => {
  const { watcher, check } = stage;
  const lastOfMain = surroundings.model.hold('both', 1);
  const { ended } = await begin('play:both');
  const session = await sessionOfPrompt(watcher, 'play:both');
  await check('each sub-agent is told under its own name while the session waits', async () => {
    await stopped(watcher, session, 'Left half');
    await stopped(watcher, session, 'Right half');
    assert.deepEqual(storyOf(watcher.of(session), 'Left half'), LEFT);
    assert.deepEqual(storyOf(watcher.of(session), 'Right half'), RIGHT);
  });
  await check('what a command printed is told where it was called', () => {
    const told = watcher.of(session).map(({ envelope }) => envelope);
    for (const [title, words] of [
      ['Left half', ['left-one', 'left-two']],
      ['Right half', ['right-one']],
    ] as const) {
      const results = told.filter(({ event, subagent }) => event === 'tool-call-end' && subagent === agentTitled(told, title));
      assert.deepEqual(
        results.map(({ ev }) => words.find((word) => JSON.stringify(ev['result']).includes(word))),
        words,
      );
    }
  });
  lastOfMain.release();
  await ended();
  await check('the turn ends as completed', async () => {
    await watcher.see('the end of the turn', isEvent('turn-end'));
    assert.deepEqual(storyOf(watcher.of(session)).slice(-2), ['agent: Both halves are done.', 'turn-end completed']);
  });
  await checkSession(stage, session);
};

/** `play:background`: the turn is over before the sub-agent is; its end opens another turn. */
export const playBackground = async (surroundings: Surroundings, stage: Stage, begin: Begin): Promise<void> => {
  const { watcher, check } = stage;
  const lastOfAgent = surroundings.model.hold('look', 1);
  const { ended } = await begin('play:background');
  const session = await sessionOfPrompt(watcher, 'play:background');
  await check('the session goes on while the sub-agent works', async () => {
    await watcher.see('what it says meanwhile', isText('They are looking.'));
    await watcher.see('the end of its command', isEvent('tool-call-end', 'agent'));
    assert.deepEqual(storyOf(watcher.of(session), 'Look around'), LOOKING);
  });
  lastOfAgent.release();
  await ended();
  await check('the sub-agent ends as completed', async () => {
    await stopped(watcher, session, 'Look around');
    assert.deepEqual(storyOf(watcher.of(session), 'Look around'), [...LOOKING, 'agent: Nothing but a README.', 'stop completed']);
  });
  await check('every turn ends as completed', async () => {
    await until('as many ends as starts', () => {
      const story = storyOf(watcher.of(session));
      const count = (line: string): number => story.filter((one) => one.startsWith(line)).length;
      return count('turn-start') > 0 && count('turn-start') === count('turn-end completed') ? true : null;
    });
  });
  await checkSession(stage, session);
};

/** The same where nobody waits for the sub-agent (2.0.76 with `-p`): it is cut off with its process. */
export const playLeftBehind = async (surroundings: Surroundings, stage: Stage, begin: Begin): Promise<void> => {
  const { watcher, check } = stage;
  surroundings.model.hold('look', 1);
  const lastOfMain = surroundings.model.hold('background', 1);
  const { ended } = await begin('play:background');
  const session = await sessionOfPrompt(watcher, 'play:background');
  await check('the sub-agent is told of while it works', async () => {
    await watcher.see('the end of its command', isEvent('tool-call-end', 'agent'));
    assert.deepEqual(storyOf(watcher.of(session), 'Look around'), LOOKING);
  });
  lastOfMain.release();
  await ended();
  await check('the turn ends as completed, the sub-agent as cancelled', async () => {
    await stopped(watcher, session, 'Look around');
    assert.deepEqual(storyOf(watcher.of(session), 'Look around'), [...LOOKING, 'stop cancelled']);
    assert.deepEqual(storyOf(watcher.of(session)).slice(-2), ['agent: They are looking.', 'turn-end completed']);
  });
  await checkSession(stage, session);
};

const stopped = async (watcher: Watcher, session: string, title: string): Promise<void> => {
  await watcher.see(`the end of "${title}"`, ({ envelope }) => {
    if (envelope.event !== 'stop') return false;
    return (
      envelope.subagent ===
      agentTitled(
        watcher.of(session).map((seen) => seen.envelope),
        title,
      )
    );
  });
};

const LOOKING = ['start', 'agent: play:look Look around and report.', 'agent: Looking.', 'tool-call-start Bash', 'tool-call-end'];

const LEFT = [
  'start',
  'agent: play:left Do the left half.',
  'agent: Left begins.',
  'tool-call-start Bash',
  'tool-call-end',
  'agent: Left goes on.',
  'tool-call-start Bash',
  'tool-call-end',
  'agent: Left is done.',
  'stop completed',
];

const RIGHT = [
  'start',
  'agent: play:right Do the right half.',
  'agent: Right begins.',
  'tool-call-start Bash',
  'tool-call-end',
  'agent: Right is done.',
  'stop completed',
];
