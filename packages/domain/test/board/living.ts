import type { Recorded, Sidebar } from '../../src/index.ts';
import { anyCommand, beginning, randomFrom } from './histories.ts';
import type { Scene } from './random-scene.ts';
import { createWorld, type World } from './world.ts';

const STEPS = 80;

export const sceneOf = (world: World, random: () => number): Scene => ({
  board: world.board,
  random,
  messages: [...world.refs.keys()].filter((ref) => ref.startsWith('MSG-')),
  exchanges: [...world.refs.keys()].filter((ref) => ref.startsWith('EXCH-')),
  sessions: ['session-1', 'session-2'],
});

/** A history of random commands; `watch` sees the world after each of them, with what it brought. */
export const live = (seed: number, watch: (world: World, events: readonly Recorded[], before: ReadonlyMap<string, Sidebar>) => void): World => {
  const random = randomFrom(seed);
  const world = createWorld();
  world.hear('session-1');
  for (const { command, actor } of beginning()) world.perform(command, actor);
  for (let step = 0; step < STEPS; step += 1) {
    if (random() < 0.1) world.hear('session-2');
    const { command, actor } = anyCommand(sceneOf(world, random));
    const from = world.log.length;
    const before = new Map(world.board.sidebars.entries());
    world.perform(command, actor);
    watch(world, world.log.slice(from), before);
  }
  return world;
};
