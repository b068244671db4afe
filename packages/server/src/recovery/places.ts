import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { DEFAULT_EMERGENCY_SETTINGS, type EmergencySettings } from '@yarnboard/protocol';
import { createEmergencyCache, folderPlace, redisPlace, tablesPlace, type EmergencyCache, type EmergencyPlace, type Redis } from '@yarnboard/store';
import type { Home } from '../home/home.ts';

export type PlacesOptions = {
  readonly home: Pick<Home, 'folder' | 'stateFolder'>;
  readonly settings: EmergencySettings | undefined;
  /** The configured Redis; null if there is none. */
  readonly redis: Pick<Redis, 'send' | 'state'> | null;
  readonly redisPrefix?: string | undefined;
  readonly onFault: (cause: unknown) => void;
};

/** REC-15: opens all places of a home's emergency cache, according to its settings. */
export const openEmergencyCache = ({ home, settings, redis, redisPrefix, onFault }: PlacesOptions): EmergencyCache => {
  const set = settings ?? DEFAULT_EMERGENCY_SETTINGS;
  const folders = set.places ?? [join(home.folder, 'emergency'), join(home.stateFolder, 'emergency')];
  const sqlite = pathOf(set.sqlite ?? join(home.folder, 'emergency', 'emergency_cache.db'));
  const places: readonly EmergencyPlace[] = [
    ...folders.map((folder, i) => {
      const { name, survives } = LOCAL[i] ?? { name: `place-${i + 1}`, survives: 'a mount' };
      return folderPlace({ name, survives, isLocal: true, folder: pathOf(folder), reserve: set.reserveBytes });
    }),
    tablesPlace(sqlite),
    ...(redis === null ? [] : [redisPlace(redis, redisPrefix)]),
    ...(set.nas === null
      ? []
      : [folderPlace({ name: 'nas', survives: 'the machine', isLocal: false, folder: join(pathOf(set.nas), 'emergency'), reserve: 0 })]),
  ];
  return createEmergencyCache({ places, patience: set.writeTimeout, onFault });
};

const LOCAL = [
  { name: 'home', survives: 'crashes' },
  { name: 'state', survives: 'a mount' },
];

/** Expands `~` to the user's home folder, and turns a database address into its file. */
const pathOf = (text: string): string => resolve(text.replace(/^sqlite:(?:\/\/)?/u, '').replace(/^~(?=\/|$)/u, homedir()));
