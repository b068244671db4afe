import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { RuntimeSettings } from '@yarnboard/protocol';
import type { After } from '../launches/outgoing.ts';
import type { Runtime, SeatPlace } from './port.ts';
import { createStdio } from './stdio.ts';
import { ENDPOINT, KEY } from './variables.ts';

export type ProgramsOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where seats work whose runtime names no directory. */
  readonly folder: string;
  readonly isExcluded: (directory: string) => boolean;
  /** How our own program is started that talks to a model behind a URL. */
  readonly openaiCommand: () => readonly string[];
  readonly markOf: (place: SeatPlace) => string;
  readonly after: After;
};

/** A runtime of the settings, ready to start seats. */
export const runtimeOf = (settings: RuntimeSettings, options: ProgramsOptions): Runtime =>
  createStdio({
    name: settings.name,
    command: settings.kind === 'openai' ? options.openaiCommand() : settings.command,
    cwd: settings.directories[0] ?? options.folder,
    env: environmentOf(settings, options.env),
    markOf: options.markOf,
    after: options.after,
  });

/** RT-7: why a runtime cannot run as it is set; null when nothing is known against it. */
export const problemOf = (settings: RuntimeSettings, { env, isExcluded }: Pick<ProgramsOptions, 'env' | 'isExcluded'>): string | null => {
  const [program = ''] = settings.command;
  if (settings.kind === 'stdio' && !isProgram(program, env['PATH'] ?? '')) return `there is no program "${program}" that can be run`;
  if (settings.key !== null && keyOf(settings, env) === null) {
    return settings.key.from === 'environment'
      ? `the environment variable ${settings.key.name} is not set`
      : `the key file ${settings.key.name} cannot be read`;
  }
  for (const directory of settings.directories) {
    if (!isAbsolute(directory)) return `the directory "${directory}" is not an absolute path`;
    if (!existsSync(directory) || !statSync(directory).isDirectory()) return `there is no directory "${directory}"`;
    if (isExcluded(directory)) return `"${directory}" belongs to a project that is excluded`;
  }
  return null;
};

/** RT-5: a few variables that every program needs, those that the settings name, and its own key. Keys of others are not among them. */
const environmentOf = (settings: RuntimeSettings, env: ProgramsOptions['env']): Readonly<Record<string, string>> => {
  const names = [...EVERYBODY, ...settings.environment];
  const given = Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  const key = keyOf(settings, env);
  if (settings.kind === 'openai') {
    const endpoint = { url: settings.url, model: settings.model, hasTools: settings.hasTools };
    return { ...given, [ENDPOINT]: JSON.stringify(endpoint), ...(key === null ? {} : { [KEY]: key }) };
  }
  return settings.key?.from === 'environment' && key !== null
    ? { ...given, [settings.key.name]: key }
    : key === null
      ? given
      : { ...given, [KEY]: key };
};

const keyOf = ({ key }: RuntimeSettings, env: ProgramsOptions['env']): string | null => {
  if (key === null) return null;
  if (key.from === 'environment') return env[key.name] ?? null;
  try {
    return readFileSync(key.name, 'utf8').trim();
  } catch {
    return null; // `problemOf` says so
  }
};

const isProgram = (name: string, path: string): boolean => {
  const places = name.includes('/') ? [name] : path.split(delimiter).map((folder) => join(folder, name));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return statSync(place).isFile();
    } catch {
      return false;
    }
  });
};

const EVERYBODY = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'USER', 'SHELL'] as const;
