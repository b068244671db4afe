import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSdk } from '../../src/launches/sdk.ts';
import { makeFolder } from '../operations/boards.ts';

const PACKAGE = '@anthropic-ai/claude-agent-sdk';

/** A package of that name, as npm would put it below a folder. */
const install = (below: string, manifest: object = {}, source = 'export const query = () => "played";', file = 'sdk.mjs'): string => {
  const folder = join(below, 'node_modules', PACKAGE);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: PACKAGE, version: '1.2.3', type: 'module', main: file, ...manifest }));
  writeFileSync(join(folder, file), source);
  return folder;
};

const places = () => {
  const root = makeFolder();
  const [home, installed] = [join(root, 'home'), join(root, 'lib/node_modules/yarnboard/dist')];
  for (const folder of [home, installed]) mkdirSync(folder, { recursive: true });
  return { root, home, at: { env: {}, home, program: join(installed, 'yarnboard.mjs') } };
};

describe('the Agent SDK', () => {
  test('[RUN-9] is looked for in the home and beside Yarnboard, in this order, and never in the directory of a run', async () => {
    const { root, home, at } = places();
    const found: string[] = [];
    const look = async (): Promise<void> => {
      const sdk = await loadSdk(at);
      found.push(sdk.ok ? sdk.folder : 'none');
    };
    install(join(root, 'work'), {}, 'throw new Error("code of a project ran");');
    await look();
    const inLib = install(join(root, 'lib'));
    await look();
    const inHome = install(home);
    await look();
    expect(found).toEqual(['none', inLib, inHome]);
    expect(await loadSdk(at)).toMatchObject({ ok: true, version: '1.2.3' });
  });

  test('[RUN-9] is taken from where YARNBOARD_AGENT_SDK says, and from nowhere else', async () => {
    const { root, home, at } = places();
    install(home);
    const named = install(
      join(root, 'elsewhere'),
      { exports: { '.': { types: './x.d.ts', default: './own.mjs' } }, main: 'wrong.mjs' },
      'export const query = () => "own";',
      'own.mjs',
    );
    const sdk = await loadSdk({ ...at, env: { YARNBOARD_AGENT_SDK: named } });
    expect(sdk).toMatchObject({ ok: true, folder: named });
    const missing = await loadSdk({ ...at, env: { YARNBOARD_AGENT_SDK: join(root, 'nowhere') } });
    expect(missing).toMatchObject({ ok: false });
    expect(missing.ok ? '' : missing.why).toMatch(/cannot be loaded .* set YARNBOARD_AGENT_SDK/u);
  });

  test('[RUN-9] where there is none, it is said what to type', async () => {
    const { home, at } = places();
    const none = await loadSdk(at);
    expect(none.ok ? '' : none.why).toContain(`npm install --prefix ${home} ${PACKAGE}`);
    const spaced = await loadSdk({ ...at, home: "/tmp/no such' place" });
    expect(spaced.ok ? '' : spaced.why).toContain(`--prefix '/tmp/no such'\\'' place' ${PACKAGE}`);
  });

  test.each([
    ['has no query', 'export const other = 1;', /has no function "query"/u],
    ['breaks', 'throw new Error("wrong node");', /cannot be loaded \(wrong node\)/u],
  ])('[RUN-9] one that %s is refused with the reason', async (_, source, why) => {
    const { home, at } = places();
    install(home, {}, source);
    const sdk = await loadSdk(at);
    expect(sdk.ok ? '' : sdk.why).toMatch(why);
    expect(sdk.ok ? '' : sdk.why).toMatch(/install it again/u);
  });
});
