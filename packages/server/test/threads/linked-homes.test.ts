import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openStore, StoreFault } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { homeOf, type Home } from '../../src/home/home.ts';
import { HomeInUse, lockHome } from '../../src/threads/lock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-linked-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const homeAt = (name: string): Home =>
  homeOf({ env: { YARNBOARD_HOME: join(folder, name), YARNBOARD_STATE: join(folder, `${name}-state`) }, home: folder });
const fileOf = ({ database }: Home): string => database.slice('sqlite:'.length);

const withBoard = async (name: string): Promise<Home> => {
  const home = homeAt(name);
  await (await openStore(home.database, { prices: DEFAULT_PRICES, now: () => 1, newId: () => 'b' })).close();
  return home;
};

const refusal = (home: Home): Promise<unknown> =>
  lockHome(home).then(
    (lock) => {
      lock.release();
      return null;
    },
    (cause: unknown) => cause,
  );

describe('two homes that lead to one file', () => {
  test.each(['the file', 'its folder'])('[STORE-40] by a symbolic link to %s: the second is refused and told who has it', async (what) => {
    const [first, second] = [await withBoard('first'), homeAt('second')];
    if (what === 'the file') {
      mkdirSync(dirname(fileOf(second)), { recursive: true });
      symlinkSync(fileOf(first), fileOf(second));
    } else {
      mkdirSync(second.folder);
      symlinkSync(dirname(fileOf(first)), dirname(fileOf(second)));
    }
    for (const [holder, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const lock = await lockHome(holder);
      const refused = await refusal(other);
      expect(refused).toBeInstanceOf(HomeInUse);
      expect(refused).toMatchObject({ pid: process.pid, message: expect.stringContaining(fileOf(other)) as string });
      lock.release();
      expect(await refusal(other)).toBeNull();
    }
  });

  test('[STORE-40] by a hard link: both are refused until one name is left', async () => {
    const [first, second] = [await withBoard('first'), homeAt('second')];
    mkdirSync(dirname(fileOf(second)), { recursive: true });
    linkSync(fileOf(first), fileOf(second));
    for (const home of [first, second]) {
      const refused = await refusal(home);
      expect(refused).toBeInstanceOf(StoreFault);
      expect(String(refused)).toContain(`${fileOf(home)} has 2 names`);
    }
    rmSync(fileOf(second));
    expect(await refusal(first)).toBeNull();
  });

  test('[STORE-40] what a restore that was cut off set aside is no second name', async () => {
    const home = await withBoard('first');
    const aside = join(dirname(fileOf(home)), 'replaced-2026');
    mkdirSync(aside);
    linkSync(fileOf(home), join(aside, 'board.db'));
    expect(await refusal(home)).toBeNull();
    renameSync(aside, join(dirname(fileOf(home)), 'elsewhere'));
    expect(await refusal(home)).toBeInstanceOf(StoreFault);
  });
});
