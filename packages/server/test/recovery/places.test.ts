import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterTest } from '../../../../tests/afterwards.ts';
import { anyDocument } from '../../../domain/test/recovery/random-documents.ts';
import { homeOf, type Home } from '../../src/home/home.ts';
import { BadSettings, readSettings } from '../../src/home/settings.ts';
import { openEmergencyCache } from '../../src/recovery/places.ts';

const homeIn = (settings: unknown): { readonly home: Home; readonly folder: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-places-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
  mkdirSync(home.folder, { recursive: true });
  writeFileSync(home.settingsFile, JSON.stringify(settings));
  return { home, folder };
};

const keepIn = async ({ home }: { readonly home: Home }): Promise<readonly string[]> => {
  const cache = openEmergencyCache({ home, settings: readSettings(home).emergency, redis: null, onFault: () => {} });
  const [document] = fc.sample(anyDocument(), 1);
  if (document === undefined) throw new Error('no sample');
  const { durableIn } = await cache.write(document);
  await cache.close();
  return durableIn;
};

test('[REC-15] the cache is kept in the home, in the state folder and in a database, unless something else is set', async () => {
  const usual = homeIn({});
  expect(await keepIn(usual)).toEqual(['home', 'state', 'sqlite']);
  for (const path of ['home/emergency/EC-1.json', 'state/emergency/EC-1.json', 'home/emergency/emergency_cache.db'])
    expect(existsSync(join(usual.folder, path))).toBe(true);
  const root = homeIn({}).folder;
  const other = homeIn({
    emergency: {
      places: [join(root, 'var/emergency/'), join(root, 'cache/emergency/')],
      sqlite: `sqlite://${join(root, 'var/emergency_cache.db')}`,
      nas: join(root, 'nas'),
      reserve_bytes: 4096,
    },
  });
  expect(await keepIn(other)).toEqual(['home', 'state', 'sqlite']);
  for (const path of ['var/emergency/EC-1.json', 'cache/emergency/EC-1.json', 'var/emergency_cache.db', 'nas/emergency/EC-1.json'])
    expect(existsSync(join(root, path))).toBe(true);
});

test('[REC-15] what makes no sense is refused with its place', () => {
  for (const emergency of [{ places: [] }, { reserve_bytes: -1 }, { nas: 3 }, { unknown: true }, { write_timeout_seconds: 0 }])
    expect(() => readSettings(homeIn({ emergency }).home)).toThrow(BadSettings);
});

test('[MANY-20] the address of Redis and what stands in front of its names are set in settings.json; what is none is refused', () => {
  expect(readSettings(homeIn({}).home).redis).toEqual({ url: null, prefix: '' });
  expect(readSettings(homeIn({ redis: 'redis://127.0.0.1:6379/2', redis_prefix: 'team:' }).home).redis).toEqual({
    url: 'redis://127.0.0.1:6379/2',
    prefix: 'team:',
  });
  for (const wrong of [{ redis: 'localhost' }, { redis: 3 }, { redis: 'http://a' }, { redis_prefix: 'a b' }, { redis_prefix: 'x'.repeat(101) }])
    expect(() => readSettings(homeIn(wrong).home)).toThrow(BadSettings);
});
