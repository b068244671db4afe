import { basename, isAbsolute, join } from 'node:path';
import { isCleanPath, isDeniedName } from './denied.ts';
import { needsRoot, nothing, OUT_OF_REACH, type Answer, type ArgumentsOf, type Surroundings, type Validator } from './port.ts';
import { repositoryOf, type Seen } from './reach.ts';
import { searchFiles } from './search.ts';

type Args = ArgumentsOf<'file_exists'>;

export const fileExists: Validator<Args> = {
  type: 'file_exists',
  reads: 'Whether files are there, in the folders you named. It does not open them.',
  risk: 'very low',
  methods: [
    { name: 'as_given', environment: 'project', missing: needsRoot, run: (args, around) => asGiven(args, around) },
    {
      name: 'from_session_directory',
      environment: 'project',
      missing: needsRoot,
      run: async (args, around) => below(args, around, around.reach.base, await repositoryOf(around.reach)),
    },
    {
      name: 'from_repository_root',
      environment: 'project',
      missing: needsRoot,
      run: async (args, around) => {
        const [root, { base }] = [await repositoryOf(around.reach), around.reach];
        return root === base ? nothing('the session began there') : below(args, around, root, base);
      },
    },
    { name: 'search_by_name', environment: 'project', missing: needsRoot, run: (args, around) => byName(args, around) },
  ],
};

const asGiven = async ({ path }: Args, { reach }: Surroundings): Promise<Answer> => {
  if (!isCleanPath(path) || path.startsWith('~')) return nothing(OUT_OF_REACH);
  return isAbsolute(path) ? answerTo(await reach.look(path), path, true) : nothing('the path is relative');
};

/** A relative path may start at the session's folder or at the repository. Only its absence from both refutes the claim. */
const below = async ({ path }: Args, { reach }: Surroundings, folder: string | null, other: string | null): Promise<Answer> => {
  if (!isCleanPath(path) || path.startsWith('~')) return nothing(OUT_OF_REACH);
  if (isAbsolute(path)) return nothing('the path is absolute');
  if (folder === null) return nothing('the session has no folder that may be read');
  // A bare name says nothing about the place, so we search everywhere.
  const isBare = !path.includes('/');
  const answer = answerTo(await reach.look(join(folder, path)), reach.shown(join(folder, path)), !isBare);
  if (answer.says !== 'refutes') return answer;
  if (isBare) return nothing('it is not there; the name may stand for one elsewhere');
  const there = other === null ? null : await reach.look(join(other, path));
  return there === null || there.kind === 'absent' ? answer : nothing('it is not there, but where else the path may begin');
};

const answerTo = (seen: Seen, shown: string, isDecisive: boolean): Answer => {
  if (seen.kind === 'file') return { says: 'supports', isDecisive: true, evidence: `${shown}: a file` };
  if (seen.kind === 'folder') return { says: 'supports', isDecisive: true, evidence: `${shown}: a folder` };
  if (seen.kind === 'denied') return nothing(OUT_OF_REACH);
  if (seen.kind === 'absent') return { says: 'refutes', isDecisive, evidence: `${shown}: not there` };
  return seen.why === 'it is not a regular file'
    ? { says: 'supports', isDecisive: true, evidence: `${shown}: there, not a regular file` }
    : nothing(seen.why);
};

/** VAL-5: a file found elsewhere may be the one the claim meant. A bare name counts wherever it is found. */
const byName = async ({ path }: Args, { reach, signal }: Surroundings): Promise<Answer> => {
  const name = basename(path);
  if (!isCleanPath(path) || isDeniedName(name)) return nothing(OUT_OF_REACH);
  const { found, isWhole } = await searchFiles(reach, (one) => one === name, { signal, most: 10 });
  const places = found.map((one) => reach.shown(one.path));
  const wanted = path.replace(/^\.\//u, '').replace(/\/$/u, '');
  if (!path.includes('/')) {
    if (places.length > 0) return { says: 'supports', isDecisive: true, evidence: places.slice(0, 3).join(', ') };
    return isWhole
      ? { says: 'refutes', isDecisive: true, evidence: `no ${name} in the folders that may be read` }
      : nothing('too many files to look at all');
  }
  const elsewhere = places.filter((place) => place !== wanted && place !== path && !path.endsWith(`/${place}`));
  return elsewhere.length === 0 ? nothing('nowhere else') : { says: 'nothing', evidence: elsewhere.slice(0, 3).join(', '), foundAt: elsewhere };
};
