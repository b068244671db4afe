import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import {
  readAgents,
  readEmbedding,
  readEmergency,
  readRuntimes,
  readValidation,
  type AgentsSettings,
  type EmbeddingSettings,
  type EmergencySettings,
  type RuntimeSettings,
  type ValidationSettings,
} from '@yarnboard/protocol';
import { isForeign, readTextIfThere, type Home } from './home.ts';

/** How long sidebars may stay idle. */
export type KeeperSettings = {
  /** How long a paused or waiting sidebar may stay idle, in milliseconds. */
  readonly staleAfter: number;
  /** How long a merged one stays before it is archived. */
  readonly archiveMergedAfter: number;
};

/** The user's settings, in `settings.json` of the home. */
export type Settings = {
  /** Folders whose sessions are neither read nor watched. */
  readonly excludedProjects: readonly string[];
  /** Folders to read besides Claude Code's own. */
  readonly roots: readonly string[];
  /** How long sidebars may stay idle, if not the default. */
  readonly keeping?: Partial<KeeperSettings>;
  /** Whether every user of this machine may read without a token; otherwise only the one who runs the server. */
  readonly isOpenToRead?: boolean;
  /** What makes agents act by themselves. */
  readonly runtimes?: readonly RuntimeSettings[];
  /** Limits for all of them together. */
  readonly agents?: AgentsSettings;
  /** What machine checks may look at. */
  readonly validation?: ValidationSettings;
  /** Replaces the built-in embedding; null or absent for the built-in one. */
  readonly embedding?: EmbeddingSettings | null;
  /** Where commands wait that can't be logged. */
  readonly emergency?: EmergencySettings;
  /** The Redis through which the servers of a board wake each other. */
  readonly redis?: RedisSettings;
};

export type RedisSettings = {
  /** Null where none is set. */
  readonly url: string | null;
  /** Prefixed to every name there; several boards may share a Redis. */
  readonly prefix: string;
};

export class BadSettings extends Error {}

/** Reads the settings; a missing file means defaults, an invalid one is refused with the place. */
export const readSettings = (home: Home): Settings => {
  if (existsSync(home.settingsFile) && isForeign(home.settingsFile))
    throw new BadSettings(`${home.settingsFile} belongs to another user; make it your own`);
  const text = readTextIfThere(home.settingsFile);
  if (text === null) return { excludedProjects: [], roots: [] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new BadSettings(`${home.settingsFile} is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new BadSettings(`${home.settingsFile} must hold a JSON object`);
  const given = json as Readonly<Record<string, unknown>>; // an object: checked above
  const unknown = Object.keys(given).find((key) => !KNOWN.some((one) => one === key));
  if (unknown !== undefined) throw new BadSettings(`${home.settingsFile}: there is no setting "${unknown}"; there are ${KNOWN.join(', ')}`);
  const list = (key: Setting): readonly string[] => {
    const value: unknown = given[key] ?? [];
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
      throw new BadSettings(`${home.settingsFile}: "${key}" must be a list of folders`);
    return value as readonly string[];
  };
  const flag = (key: Setting): boolean => {
    const value = given[key] ?? false;
    if (typeof value !== 'boolean') throw new BadSettings(`${home.settingsFile}: "${key}" must be true or false`);
    return value;
  };
  const span = (key: Setting, unit: number): number | null => {
    const value = given[key];
    if (value === undefined) return null;
    if (typeof value !== 'number' || !(value > 0) || value * unit > LONGEST)
      throw new BadSettings(`${home.settingsFile}: "${key}" must be a number above 0, at most ${LONGEST / unit}`);
    return value * unit;
  };
  const runtimes = readRuntimes(given['runtimes']);
  if (!runtimes.ok) throw new BadSettings(`${home.settingsFile}: ${runtimes.error}`);
  const agents = readAgents(given['agents']);
  if (!agents.ok) throw new BadSettings(`${home.settingsFile}: ${agents.error}`);
  const validation = readValidation(given['validation']);
  if (!validation.ok) throw new BadSettings(`${home.settingsFile}: ${validation.error}`);
  const embedding = readEmbedding(given['embedding']);
  if (!embedding.ok) throw new BadSettings(`${home.settingsFile}: ${embedding.error}`);
  const emergency = readEmergency(given['emergency']);
  if (!emergency.ok) throw new BadSettings(`${home.settingsFile}: ${emergency.error}`);
  const words = (key: Setting, fits: RegExp, what: string): string | null => {
    const value = given[key];
    if (value === undefined) return null;
    if (typeof value !== 'string' || !fits.test(value)) throw new BadSettings(`${home.settingsFile}: "${key}" must be ${what}`);
    return value;
  };
  const staleAfter = span('stale_after_days', DAY);
  const archiveMergedAfter = span('archive_merged_after_hours', HOUR);
  return {
    excludedProjects: list('exclude_projects'),
    roots: list('roots'),
    isOpenToRead: flag('open_reading'),
    runtimes: runtimes.value,
    agents: agents.value,
    validation: validation.value,
    embedding: embedding.value,
    emergency: emergency.value,
    redis: {
      url: words('redis', REDIS_URL, REDIS_ADDRESS),
      prefix: words('redis_prefix', REDIS_PREFIX, 'at most 100 letters, digits, and _ : . -') ?? '',
    },
    keeping: { ...(staleAfter === null ? {} : { staleAfter }), ...(archiveMergedAfter === null ? {} : { archiveMergedAfter }) },
  };
};

const KNOWN = [
  'exclude_projects',
  'roots',
  'open_reading',
  'runtimes',
  'agents',
  'validation',
  'embedding',
  'emergency',
  'redis',
  'redis_prefix',
  'stale_after_days',
  'archive_merged_after_hours',
] as const;
type Setting = (typeof KNOWN)[number];

/** The form of a Redis address, for validation and messages. */
export const REDIS_URL = /^rediss?:\/\/[^/\s]+(?:\/\d{0,5})?(?:\?\S*)?$/u;
export const REDIS_ADDRESS = 'an address such as redis://127.0.0.1:6379/0';
const REDIS_PREFIX = /^[\w:.-]{0,100}$/u;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A hundred years. */
const LONGEST = 36_500 * DAY;

/**
 * Whether a transcript belongs to an excluded project: by its folder, or by the directory it says it was made in. Null for a directory that isn't
 * known yet: then a folder that may be below an excluded one counts as excluded, since nothing could be taken back.
 */
export const isExcludedBy = ({ excludedProjects }: Settings): ((path: string, project: string | null) => boolean) => {
  const folders = [...new Set(excludedProjects.flatMap(spellingsOf))];
  const slugs = folders.map((folder) => folder.replace(/[^0-9A-Za-z]/gu, '-'));
  return (path, project) => {
    if (slugs.length === 0) return false;
    const parts = path.split(/[/\\]/u);
    if (parts.some((part) => slugs.includes(part))) return true;
    if (project === null)
      return parts.some((part) => slugs.some((slug) => part.startsWith(slug.length > LONGEST_SLUG ? slug.slice(0, LONGEST_SLUG) : `${slug}-`)));
    return folders.some((folder) => project === folder || project.startsWith(`${folder}/`) || project.startsWith(`${folder}\\`));
  };
};

/** SRV-41: a folder as written, and where it really is: transcripts and runs name the place itself, whatever links lead there. */
const spellingsOf = (folder: string): readonly string[] => {
  const written = folder.replace(/^~(?=$|[/\\])/u, homedir());
  const absolute = isAbsolute(written) ? resolve(written) : written;
  return [folder, written, absolute, placeOf(absolute)].map((one) => one.replace(/[/\\]+$/u, ''));
};

/** Whether a folder belongs to an excluded project, by whatever way it is named. */
export const isExcludedFolder = (settings: Settings): ((folder: string) => boolean) => {
  const isExcluded = isExcludedBy(settings);
  return (folder) => settings.excludedProjects.length > 0 && [folder, resolve(folder), placeOf(resolve(folder))].some((one) => isExcluded('', one));
};

/** A path with all its links followed, or as it is if it isn't there. */
const placeOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** Claude Code truncates longer ones and appends a hash. */
const LONGEST_SLUG = 200;
