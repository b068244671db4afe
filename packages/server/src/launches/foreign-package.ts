import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A package that does not ship with Yarnboard and is loaded only when needed. */
export type ForeignPackage = {
  readonly name: string;
  /** The environment variable that points to its folder. */
  readonly variable: string;
  /** What messages call it, and what needs it. */
  readonly title: string;
  readonly neededBy: string;
};

/** Where to look for such a package. */
export type PackagePlaces = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the board. */
  readonly home: string;
  /** A file of the running program. */
  readonly program: string;
};

export type FoundPackage =
  | { readonly ok: true; readonly exports: Readonly<Record<string, unknown>>; readonly folder: string; readonly version: string | null }
  | { readonly ok: false; readonly why: string };

/**
 * Loads a package on demand from where the user put it. Never from a directory that agents work in: anyone may have written that code, and it would
 * run in our process.
 */
export const loadPackage = async (wanted: ForeignPackage, places: PackagePlaces, uses: readonly string[]): Promise<FoundPackage> => {
  const { folder, isNamed } = folderOf(wanted, places);
  if (folder === undefined) return { ok: false, why: missing(wanted, places.home) };
  const repair = repairOf(wanted, places.home, isNamed);
  try {
    const { exports, file, version } = await importFolder(folder);
    const absent = uses.find((one) => typeof exports[one] !== 'function');
    if (absent !== undefined) return { ok: false, why: `${file} has no function "${absent}"; ${repair}` };
    return { ok: true, exports, folder, version };
  } catch (cause) {
    return { ok: false, why: `${wanted.title} in ${folder} cannot be loaded (${cause instanceof Error ? cause.message : String(cause)}); ${repair}` };
  }
};

/** Why the package cannot be loaded; null when it was found. Whether it really loads shows only when we try. */
export const packageProblem = (wanted: ForeignPackage, places: PackagePlaces): string | null =>
  packageFolder(wanted, places) === null ? missing(wanted, places.home) : null;

/** The folder of a package; null when missing. */
export const packageFolder = (wanted: ForeignPackage, places: PackagePlaces): string | null => {
  const { folder } = folderOf(wanted, places);
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : null;
};

/** Imports a package from a folder. */
export const importFolder = async (
  folder: string,
): Promise<{ readonly exports: Readonly<Record<string, unknown>>; readonly file: string; readonly version: string | null }> => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest; // foreign: every field is checked
  const file = join(folder, entryOf(manifest));
  const exports = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>; // foreign: each export is checked before use
  return { exports, file, version: typeof manifest.version === 'string' ? manifest.version : null };
};

const folderOf = (
  { name, variable }: ForeignPackage,
  { env, home, program }: PackagePlaces,
): { readonly folder: string | undefined; readonly isNamed: boolean } => {
  const named = env[variable];
  if (named !== undefined && named !== '') return { folder: resolve(named), isNamed: true };
  const places = [join(home, 'node_modules', name), ...above(dirname(program), name)];
  return { folder: places.find((place) => existsSync(join(place, 'package.json'))), isNamed: false };
};

const missing = ({ name, variable, neededBy }: ForeignPackage, home: string): string =>
  `${neededBy} need ${name}, which is not installed with Yarnboard; run "npm install --prefix ${quoted(home)} ${name}", or set ${variable} to the folder of the package`;

type Manifest = { readonly version?: unknown; readonly main?: unknown; readonly exports?: unknown };

const entryOf = ({ main, exports }: Manifest): string => {
  const whole = isObject(exports) ? exports['.'] : exports;
  const entry = isObject(whole) ? (whole['import'] ?? whole['default']) : whole;
  if (typeof entry === 'string') return entry;
  return typeof main === 'string' ? main : 'sdk.mjs';
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const repairOf = ({ name, variable }: ForeignPackage, home: string, isNamed: boolean): string =>
  isNamed ? `set ${variable} to the folder of ${name}, or unset it` : `install it again with "npm install --prefix ${quoted(home)} ${name}"`;

/** Where Node would look for it, starting from a folder. */
const above = (folder: string, name: string): readonly string[] => {
  const places: string[] = [];
  for (let at = resolve(folder); ; at = dirname(at)) {
    places.push(join(at, 'node_modules', name));
    if (dirname(at) === at) return places;
  }
};

const quoted = (path: string): string => (/^[\w./-]+$/u.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`);
