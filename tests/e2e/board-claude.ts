import assert from 'node:assert/strict';
import { until, type Scenario } from './checks.ts';
import { storyOf } from './envelope-rules.ts';
import { CLI_VERSIONS, type CliVersion } from './programs.ts';
import { checkFork, checkSession, isEvent, isText, sessionOfPrompt, staged, type Stage } from './stage.ts';
import { playBackground, playBoth, playLeftBehind, playTask, type Begin } from './stories.ts';
import type { Surroundings } from './surroundings.ts';

/** Sessions that are begun in a terminal, with `yarnboard claude`. */
export const claudeScenarios = (surroundings: Surroundings): readonly Scenario[] =>
  CLI_VERSIONS.flatMap((version) => scenariosOf(surroundings, version));

const scenariosOf = (surroundings: Surroundings, version: CliVersion): readonly Scenario[] => {
  const named = (name: string, play: (stage: Stage) => Promise<void>): Scenario =>
    staged(surroundings, version, `yarnboard claude ${version}, ${name}`, play);

  return [
    named('task', (stage) => playTask(surroundings, stage, beginWith(stage))),
    named('parallel tasks', (stage) => playBoth(surroundings, stage, beginWith(stage))),
    version === '2.0.76'
      ? named('background task that is left behind', (stage) => playLeftBehind(surroundings, stage, beginWith(stage)))
      : named('background task', (stage) => playBackground(surroundings, stage, beginWith(stage))),

    named('interrupted', async (stage) => {
      const { board, watcher, check } = stage;
      const running = board.command('claude', ...PRINTING, 'play:long');
      const session = await sessionOfPrompt(watcher, 'play:long');
      await surroundings.longBegan();
      await watcher.see('the call', isEvent('tool-call-start'));
      running.pressCtrlC();
      await running.ended();
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

    named('refused by the model', async (stage) => {
      const { board, watcher, check } = stage;
      const { code } = await board.command('claude', ...PRINTING, 'play:broken').ended();
      const session = await sessionOfPrompt(watcher, 'play:broken');
      await check('the exit code is that of claude', () => assert.equal(code, 1));
      await check('the turn ends as failed', async () => {
        await watcher.see('the end of the turn', isEvent('turn-end'));
        assert.equal(storyOf(watcher.of(session)).at(-1), 'turn-end failed');
      });
      await checkSession(stage, session);
    }),

    named('resume and fork', async (stage) => {
      const { board, watcher, check } = stage;
      await board.command('claude', ...PRINTING, 'play:plain').ended();
      const session = await sessionOfPrompt(watcher, 'play:plain');
      await watcher.see('the end of the turn', isEvent('turn-end'));
      await board.command('claude', ...PRINTING, '--resume', session, 'play:again').ended();
      await check('a resume goes on in its session', async () => {
        assert.equal(await sessionOfPrompt(watcher, 'play:again'), session);
        await watcher.see('the answer', isText('An answer to what came later.'));
        await watcher.see('a second end', (seen) => isEvent('turn-end')(seen) && seen !== watcher.seen.find(isEvent('turn-end')));
        assert.deepEqual(storyOf(watcher.of(session)), [...PLAIN, 'user: play:again', ...AGAIN]);
      });
      await checkSession(stage, session);

      await board.command('claude', ...PRINTING, '--resume', session, '--fork-session', 'play:tool').ended();
      const fork = await sessionOfPrompt(watcher, 'play:tool');
      await check('a fork is told as a session of its own', async () => {
        assert.notEqual(fork, session);
        const storyFromPrompt = (): readonly string[] => {
          const story = storyOf(watcher.of(fork));
          return story.slice(story.indexOf('user: play:tool'));
        };
        await until('its end', () => (storyFromPrompt().length >= TOOL.length ? true : null));
        assert.deepEqual(storyFromPrompt(), TOOL);
      });
      await checkFork(stage, fork);
    }),

    named('compaction', async (stage) => {
      const { board, watcher, check } = stage;
      await board.command('claude', ...PRINTING, 'play:tool').ended();
      const session = await sessionOfPrompt(watcher, 'play:tool');
      await board.command('claude', ...PRINTING, '--resume', session, '/compact').ended();
      await check('is told, and nothing that came before it is told again', async () => {
        await watcher.see('the compaction', isEvent('service'));
        const story = storyOf(watcher.of(session));
        assert.deepEqual(story.slice(0, TOOL.length), TOOL);
        assert.equal(story.filter((line) => line === 'service compaction').length, 1);
      });
      await checkSession(stage, session);
    }),
  ];
};

const beginWith =
  ({ board }: Stage): Begin =>
  (prompt) => {
    const running = board.command('claude', ...PRINTING, prompt);
    return Promise.resolve({
      ended: async () => {
        const { code, err } = await running.ended();
        assert.equal(code, 0, err);
      },
    });
  };

const PRINTING = ['-p', '--dangerously-skip-permissions'] as const;

const PLAIN = ['user: play:plain', 'turn-start', 'agent: A plain answer.', 'turn-end completed'];
const AGAIN = ['turn-start', 'agent: An answer to what came later.', 'turn-end completed'];
const TOOL = [
  'user: play:tool',
  'turn-start',
  'agent: One command first.',
  'tool-call-start Bash',
  'tool-call-end',
  'agent: The command printed a word.',
  'turn-end completed',
];
