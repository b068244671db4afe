import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Programs } from '@yarnboard/server';
import { BadSettings, homeOf, readSettings, type Home, type Settings } from '@yarnboard/server/entrance';
import type { Io } from '../io.ts';
import { transcriptHomes, demoFolder } from '../places.ts';
import { Refusal } from '../refusal.ts';

/** Options that select a board; every verb that works on one takes them. */
export const BOARD_OPTIONS = { db: { type: 'string' }, demo: { type: 'boolean', default: false } } as const;

export type BoardChoice = { readonly db?: string | undefined; readonly demo?: boolean | undefined };

export type Place = { readonly home: Home; readonly settings: Settings; readonly roots: readonly string[] };

/** The home that a command line refers to. The demo set has one of its own, so that it never mixes with real sessions. */
export const placeOf = ({ db, demo }: BoardChoice, io: Io): Place => {
  const plain = homeOf({ env: io.env, home: io.home, database: db });
  const home = demo === true ? homeOf({ env: { ...io.env, YARNBOARD_HOME: join(plain.folder, 'demo') }, home: io.home, database: db }) : plain;
  const settings = settingsOf(home, io.home);
  const roots = demo === true ? [demoFolder(io)] : [...new Set([...transcriptHomes(io), ...settings.roots])];
  return { home, settings, roots };
};

const settingsOf = (home: Home, userHome: string): Settings => {
  // As a shell would have expanded it.
  const expanded = (folder: string): string => folder.replace(/^~(?=[/\\]|$)/u, userHome);
  try {
    const { excludedProjects, roots, validation, ...rest } = readSettings(home);
    const checks = validation === undefined ? {} : { validation: { ...validation, roots: validation.roots.map(expanded) } };
    return { ...rest, ...checks, excludedProjects: excludedProjects.map(expanded), roots: roots.map(expanded) };
  } catch (cause) {
    if (cause instanceof BadSettings) throw new Refusal(3, cause.message);
    throw cause;
  }
};

/** The programs of the server's threads, available once the package is built. */
export const programsOf = (io: Io): Programs | null => {
  const program = (name: string): string => join(io.packageFolder, 'dist', `${name}.mjs`);
  const programs = {
    writer: program('writer-thread'),
    indexer: program('indexer-thread'),
    verifier: program('verifier-thread'),
    counter: program('counter-thread'),
    finder: program('finder-thread'),
    agent: program('openai-agent'),
    bridge: program('seat-bridge'),
    validator: program('validator'),
  };
  return io.threads && Object.values(programs).every((path) => existsSync(path)) ? programs : null;
};

export const hasBoard = ({ home }: Place): boolean => !home.database.startsWith('sqlite:') || existsSync(home.database.slice('sqlite:'.length));

/** What is said where there is no board: one that was there and is missing is nothing to make anew. */
export const noBoard = async ({ home }: Place, advice: string): Promise<Refusal> => {
  const { lostDatabase } = await import('@yarnboard/server');
  return new Refusal(3, lostDatabase(home)?.message ?? `there is no board in ${home.folder} yet${advice}`);
};
