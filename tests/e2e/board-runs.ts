import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Board } from './board.ts';
import { until, type Scenario } from './checks.ts';
import { storyOf } from './envelope-rules.ts';
import type { CliVersion } from './programs.ts';
import { asRaw, asText, type Raw } from './records.ts';
import { checkFork, checkSession, isEvent, isText, sessionOfPrompt, staged, type Stage } from './stage.ts';
import { playBackground, playBoth, playTask, type Begin } from './stories.ts';
import type { Surroundings } from './surroundings.ts';
import type { Watcher } from './watcher.ts';

/** Sessions that are begun over HTTP and run by the Agent SDK. */
export const runScenarios = (surroundings: Surroundings): readonly Scenario[] => {
  const { project } = surroundings;
  const named = (name: string, play: (stage: Stage) => Promise<void>): Scenario => staged(surroundings, OWN_VERSION, `run, ${name}`, play);
  const begin =
    ({ board }: Stage): Begin =>
    async (prompt) => {
      const run = await startRun(board, { cwd: project, prompt, permission_mode: 'bypassPermissions' });
      return { ended: () => endRun(board, run) };
    };

  return [
    named('task', (stage) => playTask(surroundings, stage, begin(stage))),
    named('parallel tasks', (stage) => playBoth(surroundings, stage, begin(stage))),
    named('background task', (stage) => playBackground(surroundings, stage, begin(stage))),

    ...(['deny', 'allow'] as const).map((decision) =>
      named(`permission: ${decision}`, async (stage) => {
        const { board, watcher, check } = stage;
        const made = join(project, 'made.txt');
        rmSync(made, { force: true });
        const run = await startRun(board, { cwd: project, prompt: 'play:write' });
        const session = await sessionOfPrompt(watcher, 'play:write');
        const { envelope } = await watcher.see('the question', isService('permission-request'));
        const question = asRaw(envelope.ev['data']);
        await check('is asked on the WebSocket, after the call was told, and waits', async () => {
          assert.deepEqual(storyOf(watcher.of(session)), [...WRITING, 'service permission-request']);
          assert.equal(question['tool'], 'Write');
          assert.equal((await runOf(board, run))['state'], 'waiting');
          assert.equal(existsSync(made), false);
        });
        const { status, body } = await board.post(`/runs/${run}/permissions`, {
          request_id: question['request_id'],
          decision,
          ...(decision === 'deny' ? { message: 'rather not' } : {}),
        });
        assert.ok(status < 300, JSON.stringify(body));
        await check('the answer is told and obeyed', async () => {
          await watcher.see('the end of the turn', isEvent('turn-end'));
          assert.deepEqual(storyOf(watcher.of(session)), [
            ...WRITING,
            'service permission-request',
            'service permission-answer',
            decision === 'deny' ? 'tool-call-end with an error' : 'tool-call-end',
            'agent: That is settled.',
            'turn-end completed',
          ]);
          assert.equal(existsSync(made), decision === 'allow');
        });
        await endRun(board, run);
        await checkSession(stage, session);
      }),
    ),

    named('permission in a sub-agent', async (stage) => {
      const { board, watcher, check } = stage;
      const run = await startRun(board, { cwd: project, prompt: 'play:helper' });
      const session = await sessionOfPrompt(watcher, 'play:helper');
      const { envelope } = await watcher.see('the question', isService('permission-request'));
      const question = asRaw(envelope.ev['data']);
      await check('is asked after the call of the sub-agent was told', () => {
        const call = watcher.of(session).find(isEvent('tool-call-start', 'agent'));
        assert.equal(call?.envelope.ev['call'], question['tool_use_id']);
      });
      const { status, body } = await board.post(`/runs/${run}/permissions`, { request_id: question['request_id'], decision: 'allow' });
      assert.ok(status < 300, JSON.stringify(body));
      await check('the answer lets the sub-agent go on', async () => {
        await watcher.see('the end of the turn', isEvent('turn-end'));
        assert.deepEqual(storyOf(watcher.of(session), 'Write it'), [
          'start',
          'agent: play:write Write the file.',
          'agent: A file is needed.',
          'tool-call-start Write',
          'tool-call-end',
          'agent: That is settled.',
          'stop completed',
        ]);
      });
      await endRun(board, run);
      await checkSession(stage, session);
    }),

    named('aborted in a command', async (stage) => {
      const { board, watcher, check } = stage;
      const run = await startRun(board, { cwd: project, prompt: 'play:long', permission_mode: 'bypassPermissions' });
      const session = await sessionOfPrompt(watcher, 'play:long');
      await surroundings.longBegan();
      await watcher.see('the call', isEvent('tool-call-start'));
      await abortRun(board, run);
      await check('the call ends, and then the turn, as cancelled', async () => {
        await watcher.see('the end of the turn', isEvent('turn-end'));
        assert.deepEqual(storyOf(watcher.of(session)), [
          'user: play:long',
          'turn-start',
          'agent: This takes a while.',
          'tool-call-start Bash',
          'tool-call-end with an error',
          'turn-end cancelled',
        ]);
      });
      await checkSession(stage, session);
    }),

    named('aborted in a text', async (stage) => {
      const { board, watcher, check } = stage;
      const gate = surroundings.model.hold('slow', 0, 'in-text');
      const run = await startRun(board, { cwd: project, prompt: 'play:slow' });
      const session = await sessionOfPrompt(watcher, 'play:slow');
      await gate.reached;
      await abortRun(board, run);
      gate.release();
      await check('every turn that began ends as cancelled', () => {
        const story = storyOf(watcher.of(session));
        assert.equal(story.filter((line) => line === 'turn-start').length, story.filter((line) => line === 'turn-end cancelled').length);
        assert.ok(!story.includes('turn-end completed'));
      });
    }),

    named('another message, resume and fork', async (stage) => {
      const { board, watcher, check } = stage;
      const run = await startRun(board, { cwd: project, prompt: 'play:plain' });
      const session = await sessionOfPrompt(watcher, 'play:plain');
      await watcher.see('the end of the turn', isEvent('turn-end'));
      await check('a run takes another message', async () => {
        const { status, body } = await board.post(`/runs/${run}/messages`, { text: 'play:again' });
        assert.ok(status < 300, JSON.stringify(body));
        assert.equal(await sessionOfPrompt(watcher, 'play:again'), session);
        await watcher.see('the answer', isText('An answer to what came later.'));
        await turnEnds(watcher, session, 2);
        assert.deepEqual(storyOf(watcher.of(session)), [...PLAIN, ...AGAIN]);
      });
      await endRun(board, run);

      const resumed = await startRun(board, { cwd: project, prompt: 'play:tool', resume: session });
      await check('a resume goes on in its session', async () => {
        assert.equal(await sessionOfPrompt(watcher, 'play:tool'), session);
        await turnEnds(watcher, session, 3);
        assert.deepEqual(storyOf(watcher.of(session)), [...PLAIN, ...AGAIN, ...TOOL]);
      });
      await endRun(board, resumed);
      await checkSession(stage, session);

      const forked = await startRun(board, { cwd: project, prompt: 'play:look', resume: session, fork: true });
      const fork = await sessionOfPrompt(watcher, 'play:look');
      await check('a fork is told as a session of its own', async () => {
        assert.notEqual(fork, session);
        await watcher.see('its answer', (seen) => seen.session === fork && isText('Nothing but a README.')(seen));
        const turns = storyOf(watcher.of(fork)).filter((line) => line === 'turn-start').length;
        await turnEnds(watcher, fork, turns);
        assert.equal((await runOf(board, forked))['session_id'], fork);
      });
      await endRun(board, forked);
      await checkFork(stage, fork);
    }),

    named('compaction', async (stage) => {
      const { board, watcher, check } = stage;
      await endRun(board, await startRun(board, { cwd: project, prompt: 'play:tool' }));
      const session = await sessionOfPrompt(watcher, 'play:tool');
      const run = await startRun(board, { cwd: project, prompt: '/compact', resume: session });
      await check('is told, and nothing that came before it is told again', async () => {
        await watcher.see('the compaction', isService('compaction'));
        const story = storyOf(watcher.of(session));
        assert.deepEqual(story.slice(0, TOOL.length), TOOL);
        assert.equal(story.filter((line) => line === 'service compaction').length, 1);
      });
      await endRun(board, run);
      await checkSession(stage, session);
    }),
  ];
};

const startRun = async (board: Board, request: object): Promise<string> => {
  const { status, body } = await board.post('/runs', request);
  assert.ok(status < 300, JSON.stringify(body));
  return asText(body['run_id']) ?? '';
};

const runOf = async (board: Board, run: string): Promise<Raw> => (await board.get(`/runs/${run}`)).body;

/** Lets it finish its turn; until it is over. */
const endRun = async (board: Board, run: string): Promise<void> => {
  const { status, body } = await board.post(`/runs/${run}/end`, {});
  assert.ok(status < 300, JSON.stringify(body));
  await isOver(board, run);
};

const abortRun = async (board: Board, run: string): Promise<void> => {
  const { status, body } = await board.post(`/runs/${run}/abort`, {});
  assert.ok(status < 300, JSON.stringify(body));
  await isOver(board, run);
};

const isOver = (board: Board, run: string): Promise<true> =>
  until(`run ${run} is over`, async () => ((await runOf(board, run))['state'] === 'ended' ? true : null));

const turnEnds = async (watcher: Watcher, session: string, count: number): Promise<void> => {
  await until(`${count} turns are over`, () => (watcher.of(session).filter(isEvent('turn-end')).length >= count ? true : null));
};

const isService =
  (kind: string) =>
  ({ envelope: { event, ev } }: Watcher['seen'][number]): boolean =>
    event === 'service' && ev['kind'] === kind;

// The SDK brings a CLI of its own; what `claude` is on PATH makes no difference to it.
const OWN_VERSION: CliVersion = '2.1.325';

const WRITING = ['user: play:write', 'turn-start', 'agent: A file is needed.', 'tool-call-start Write'];
const PLAIN = ['user: play:plain', 'turn-start', 'agent: A plain answer.', 'turn-end completed'];
const AGAIN = ['user: play:again', 'turn-start', 'agent: An answer to what came later.', 'turn-end completed'];
const TOOL = [
  'user: play:tool',
  'turn-start',
  'agent: One command first.',
  'tool-call-start Bash',
  'tool-call-end',
  'agent: The command printed a word.',
  'turn-end completed',
];
