import assert from 'node:assert/strict';
import { agentScenarios } from './board-agents.ts';
import { claudeScenarios } from './board-claude.ts';
import { runScenarios } from './board-runs.ts';
import { playAll, type Outcome, type Scenario } from './checks.ts';
import { cliScenarios } from './lab-cli.ts';
import { sdkScenarios } from './lab-sdk.ts';
import { installPrograms, sdkVersion } from './programs.ts';
import { makeSurroundings, type Surroundings } from './surroundings.ts';

/** Plays every scenario whose name holds one of the words; all without words. */
export const runEndToEnd = async (words: readonly string[]): Promise<Outcome> => {
  const programs = installPrograms();
  const surroundings = await makeSurroundings(programs);
  console.log(
    `Agent SDK ${sdkVersion(programs)}; connections are watched by ${surroundings.canObserve ? 'a proxy and strace' : 'a proxy only: there is no strace'}`,
  );
  try {
    const all = [cliScenarios, sdkScenarios, claudeScenarios, runScenarios, agentScenarios].flatMap((scenariosIn) => scenariosIn(surroundings));
    const chosen = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
    if (chosen.length === 0) throw new Error(`no scenario has a name with ${words.join(' or ')}`);
    return await playAll([...chosen, nobodyElseWasAsked(surroundings)], (line) => console.log(line));
  } finally {
    await surroundings.close();
  }
};

const nobodyElseWasAsked = ({ proxy, model, canObserve, strangers }: Surroundings): Scenario => ({
  name: 'network',
  play: async (check) => {
    await check('the model on 127.0.0.1 was asked', () => assert.notEqual(model.played.length, 0));
    await check('nothing was asked of the proxy', () => assert.deepEqual(proxy.wanted, []));
    if (canObserve) await check('no program connected to another machine', () => assert.deepEqual(strangers(), []));
  },
});
