import { describe, expect, test } from 'vitest';
import type { Io } from '../src/io.ts';
import { boardStage, somebody } from './board-stage.ts';
import { conversation, folderWith, SESSION, temporaryFolder } from './terminal.ts';

/** A server that is started, what it says, and the way to stop it. */
const starting = (args: readonly string[], changes: Partial<Io>, sessions = temporaryFolder()) => {
  const { runAs } = boardStage();
  let said = '';
  const browsed: string[] = [];
  let stop = (): void => {};
  const running = runAs(['start', '--port', '0', ...args], {
    browse: (url) => browsed.push(url) > 0,
    out: (text) => {
      said += text;
      return Promise.resolve(true);
    },
    untilStopped: () =>
      new Promise((resolve) => {
        stop = resolve;
      }),
    env: { CLAUDE_CONFIG_DIR: sessions },
    ...changes,
  });
  const ended = async () => {
    stop();
    return running;
  };
  return { said: () => said, browsed, ended };
};

describe('a start that finds no sessions', () => {
  test('[INST-6] opens the demo board when d is pressed, with its sessions, and closes it with the server', async () => {
    const person = somebody();
    const { said, browsed, ended } = starting([], { typing: person.typing, isOutTerminal: true });
    await expect.poll(said).toContain('Press d to look at a demo board');
    expect(browsed).toHaveLength(1);
    person.types('d');
    await expect.poll(() => browsed.length).toBe(2);
    const { origin } = new URL(browsed[1] ?? '');
    expect(origin).not.toBe(new URL(browsed[0] ?? '').origin);
    const { items } = (await (await fetch(`${origin}/api/v1/sessions?limit=50`)).json()) as { readonly items: readonly unknown[] };
    expect(items.length).toBeGreaterThanOrEqual(20);
    expect(await ended()).toMatchObject({ code: 0, err: '' });
    await expect(fetch(origin)).rejects.toThrow('fetch failed');
  });

  test('[INST-6] goes on waiting when another key is pressed', async () => {
    const person = somebody();
    const { said, browsed, ended } = starting([], { typing: person.typing, isOutTerminal: true });
    await expect.poll(said).toContain('Press d');
    person.types('x');
    expect(await ended()).toMatchObject({ code: 0, err: '' });
    expect(browsed).toHaveLength(1);
  });

  test.each([
    ['no terminal', [], {}],
    ['--no-open', ['--no-open'], { typing: somebody().typing, isOutTerminal: true }],
  ] as const)('[INST-6] with %s it asks nothing, and names the flag', async (_, args, changes) => {
    const { said, ended } = starting(args, changes);
    await expect.poll(said).toContain('`yarnboard start --demo` shows a demo board');
    expect(said()).not.toContain('Press d');
    expect(await ended()).toMatchObject({ code: 0, err: '' });
  });
});

test('[INST-6] whoever has sessions is offered nothing', async () => {
  const { said, ended } = starting([], {}, folderWith({ [`projects/-home-dev-proj/${SESSION}.jsonl`]: conversation() }));
  await expect.poll(said).toContain('watching; Ctrl-C stops');
  expect(await ended()).toMatchObject({ code: 0, err: '' });
  expect(said()).not.toContain('demo board');
});
