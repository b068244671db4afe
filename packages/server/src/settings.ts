import { readTextIfThere, type Home } from './home.ts';

/** What the user may set, in `settings.json` of the home. */
export type Settings = {
  /** Folders whose sessions are neither read nor watched. */
  readonly excludedProjects: readonly string[];
  /** Folders to read besides Claude Code's own. */
  readonly roots: readonly string[];
};

export class BadSettings extends Error {}

/** Reads the settings; a missing file is all defaults, a wrong one is refused with the place. */
export const readSettings = (home: Home): Settings => {
  const text = readTextIfThere(home.settingsFile);
  if (text === null) return { excludedProjects: [], roots: [] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new BadSettings(`${home.settingsFile} is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new BadSettings(`${home.settingsFile} must hold a JSON object`);
  const known = { exclude_projects: 'excludedProjects', roots: 'roots' } as const;
  const unknown = Object.keys(json).find((key) => !(key in known));
  if (unknown !== undefined)
    throw new BadSettings(`${home.settingsFile}: there is no setting "${unknown}"; there are ${Object.keys(known).join(', ')}`);
  const list = (key: keyof typeof known): readonly string[] => {
    const value: unknown = (json as Record<string, unknown>)[key] ?? [];
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
      throw new BadSettings(`${home.settingsFile}: "${key}" must be a list of folders`);
    return value as readonly string[];
  };
  return { excludedProjects: list('exclude_projects'), roots: list('roots') };
};

/**
 * Whether a transcript belongs to an excluded project: by the folder it lies in, or by the directory it says it was made in. Null for a directory
 * that is not known yet: then a folder that may be below an excluded one counts as excluded, since nothing of it could be taken back.
 */
export const isExcludedBy = ({ excludedProjects }: Settings): ((path: string, project: string | null) => boolean) => {
  const folders = excludedProjects.map((folder) => folder.replace(/[/\\]+$/u, ''));
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

/** What is longer Claude Code cuts off and ends with a hash. */
const LONGEST_SLUG = 200;
