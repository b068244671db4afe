import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Programs } from './programs.ts';

// macOS reports these things through its own programs; Linux has files for them.

/** The state of a launchd job. */
export type Launched = { readonly label: string; readonly pid: number | null; readonly exit: number | null };

/**
 * VAL-36: `launchctl list` prints the process (or "-"), the last exit status and the label. A job matches by its whole label, or by the name of its
 * Homebrew formula.
 */
export const launchedIn = (output: string, asked: string): Launched | null => {
  const wanted = asked.toLowerCase();
  const jobs = output.split('\n').flatMap((line): readonly Launched[] => {
    const [, pid = '', exit = '', label = ''] = /^\s*(\d+|-)\s+(-?\d+|-)\s+(\S.*?)\s*$/u.exec(line) ?? [];
    return label === '' ? [] : [{ label, pid: pid === '-' || pid === '0' ? null : Number(pid), exit: exit === '-' ? null : Number(exit) }];
  });
  const own = jobs.filter(({ label }) => label.toLowerCase() === wanted || formulaOf(label) === wanted);
  // Two versions of a formula may be loaded: take the running one.
  return own.find(({ pid }) => pid !== null) ?? own[0] ?? null;
};

/** Finds "postgresql" in homebrew.mxcl.postgresql@16. */
const formulaOf = (label: string): string | null => /^homebrew\.mxcl\.([^@]+)(?:@.*)?$/iu.exec(label)?.[1]?.toLowerCase() ?? null;

/** VAL-36: `netstat -an -p tcp`: the port follows the last dot of the local address. */
export const macPortsIn = (output: string): readonly number[] =>
  output.split('\n').flatMap((line) => {
    const [, port] = /^tcp(?:4|6|46)\s+\d+\s+\d+\s+\S*\.(\d{1,5})\s+\S+\s+LISTEN(?:\s|$)/u.exec(line) ?? [];
    return port === undefined ? [] : [Number(port)];
  });

/** VAL-36: `ps -A -c -o pid=,stat=,comm=` prints the pid, the state and the name, which may contain spaces; never arguments. Zombies don't count. */
export const macNamesIn = (output: string): ReadonlyMap<number, string> =>
  new Map(
    output.split('\n').flatMap((line) => {
      const [, pid, state = '', name = ''] = /^\s*(\d+)\s+(\S+)\s+(\S.*?)\s*$/u.exec(line) ?? [];
      // Of a path only the last part counts, cut at 15 characters as on Linux, so that names compare.
      const short = (name.split('/').at(-1) ?? '').slice(0, 15);
      return pid === undefined || state.startsWith('Z') || short === '' ? [] : [[Number(pid), short] as const];
    }),
  );

/**
 * VAL-36: `vm_stat` counts pages. What is free, inactive or read ahead is available to programs; the system itself calls only the first of these free,
 * which is nearly nothing on a machine that has run for a day.
 */
export const macMemoryIn = (output: string): number | null => {
  const [, size] = /page size of (\d+) bytes/u.exec(output) ?? [];
  const pages = ['free', 'inactive', 'speculative'].map((kind) => new RegExp(`^Pages ${kind}:\\s+(\\d+)\\.?\\s*$`, 'mu').exec(output)?.[1]);
  return size === undefined || pages.includes(undefined) ? null : Number(size) * pages.reduce((sum, count) => sum + Number(count), 0);
};

/**
 * VAL-36: the versions of a formula or cask that Homebrew has installed, `postgresql@16` being one of `postgresql`. They are the names of folders; `brew`
 * itself runs programs of its own.
 */
export const brewedVersions = async (name: string, folders: readonly string[] = CELLARS): Promise<readonly string[]> => {
  const versions = await Promise.all(
    folders.map(async (folder) => {
      const formulas = (await namesIn(folder)).filter((one) => one === name || one.startsWith(`${name}@`));
      return (await Promise.all(formulas.map((formula) => namesIn(join(folder, formula))))).flat();
    }),
  );
  // 14.11_1 is 14.11, built again.
  return [
    ...new Set(
      versions
        .flat()
        .filter((one) => /^\d/u.test(one))
        .map((one) => one.replace(/_\d+$/u, '')),
    ),
  ];
};

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder);
  } catch {
    return []; // Homebrew is elsewhere, or nowhere
  }
};

const CELLARS = ['/opt/homebrew/Cellar', '/usr/local/Cellar', '/opt/homebrew/Caskroom', '/usr/local/Caskroom'];

/** The complete output of a program; null if it failed. */
export const saidBy = async (
  programs: Programs,
  name: Parameters<Programs['run']>[0],
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | null> => {
  const ran = await programs.run(name, args, { signal });
  return ran.fault === null && ran.code === 0 ? ran.output : null;
};
