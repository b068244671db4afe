import { hasNodeModules, hasVenv, nodeModule, venvsIn } from './environments.ts';
import { brewedVersions } from './mac.ts';
import { pinsIn, type Pin } from './manifests.ts';
import { isNamed } from './package-names.ts';
import { needsRoot, nothing, type Answer, type ArgumentsOf, type Surroundings, type Validator } from './port.ts';
import { isPlainArgument } from './programs.ts';
import { isInRange, isVersionOf } from './versions.ts';

type Args = ArgumentsOf<'dependency_exists'>;

/** Compares a package that was found with the claimed version, if any. */
const there = ({ version, bound }: Args, pin: Pin, isDecisive: boolean): Answer => {
  const files = [pin.file];
  if (version === null) return { says: 'supports', isDecisive, evidence: pin.where, files };
  if (pin.version === null) return nothing('no version is given', pin.where);
  if (pin.kind === 'range') {
    const isIn = isInRange(version, pin.version);
    return isIn === false ? { says: 'refutes', isDecisive: false, evidence: pin.where, files } : nothing('a range that allows it', pin.where);
  }
  const verdict = isVersionOf(pin.version.replace(/^==/u, ''), version, bound);
  return verdict === null
    ? nothing('it does not tell', pin.where)
    : { says: verdict ? 'supports' : 'refutes', isDecisive, evidence: pin.where, files };
};

const installedIn = async (args: Args, around: Surroundings, isPython: boolean): Promise<Answer> => {
  const { reach } = around;
  const { base } = reach;
  if (base === null) return nothing('the session has no folder that may be read');
  if (!(await (isPython ? hasVenv(reach, base) : hasNodeModules(reach, base))))
    return nothing(isPython ? 'the project has no venv' : 'the project has no node_modules');
  const pin = await (isPython ? inVenv : inNodeModules)(args, base, reach);
  if (pin !== null) return there(args, pin, true);
  const evidence = `${args.name} is not in ${isPython ? 'the venv' : 'node_modules'}`;
  const known = [await (isPython ? inNodeModules : inVenv)(args, base, reach), ...(await pinsIn(reach, base)).filter(isOf(args))];
  const registry = isPython ? 'pypi' : 'npm';
  // VAL-54: another language of the project has it, where it belongs.
  if (known.some((one) => one !== null && one.registry !== registry) && !known.some((one) => one?.registry === registry))
    return nothing('it is a package of another language', evidence);
  // Refutes only together with another source: a project may have several environments.
  return absent(args, around, evidence);
};

const isOf =
  ({ name: asked }: Args) =>
  ({ name, registry }: Pin): boolean =>
    isNamed(registry, name, asked);

const inVenv = async (args: Args, base: string, reach: Surroundings['reach']): Promise<Pin | null> =>
  (await venvsIn(reach, base)).find(isOf(args)) ?? null;

const inNodeModules = (args: Args, base: string, reach: Surroundings['reach']): Promise<Pin | null> => nodeModule(reach, base, args.name);

/** VAL-40: if the system has a package of this name, its absence from the project proves nothing: nobody lists a system program in a manifest. */
const absent = async (args: Args, around: Surroundings, evidence: string): Promise<Answer> =>
  isList(await versionsOfSystem(args.name, around))
    ? nothing('the system has a package of that name', evidence)
    : { says: 'refutes', isDecisive: false, evidence };

/** Manifests say what should be installed, lock files what was. */
const listed = async (args: Args, around: Surroundings): Promise<readonly Answer[] | Answer> => {
  const { reach } = around;
  if (reach.base === null) return nothing('the session has no folder that may be read');
  const pins = await pinsIn(reach, reach.base);
  if (pins.length === 0) return nothing('the project has no manifest');
  const found = pins.filter(isOf(args));
  if (found.length === 0) {
    const evidence = `${args.name} is in no manifest or lock file`;
    // VAL-54: manifests need not list what other packages need.
    const isThere = (await inVenv(args, reach.base, reach)) !== null || (await inNodeModules(args, reach.base, reach)) !== null;
    return isThere ? nothing('an environment of the project has it', evidence) : absent(args, around, evidence);
  }
  const locked = found.filter(({ kind }) => kind === 'installed');
  return (locked.length > 0 ? locked : found).slice(0, MOST).map((pin) => there(args, pin, pin.kind === 'installed'));
};

const systemPackage = async (args: Args, around: Surroundings): Promise<Answer> => {
  const versions = await versionsOfSystem(args.name, around);
  if (!isList(versions)) return nothing(versions.fault);
  const evidence = `system package ${args.name.toLowerCase()} ${versions.slice(0, MOST).join(', ')}`;
  if (args.version === null) return { says: 'supports', isDecisive: true, evidence };
  const wanted = args.version;
  const verdicts = versions.map((version) => isVersionOf(version.replace(/^\d+:/u, ''), wanted, args.bound));
  if (verdicts.includes(true)) return { says: 'supports', isDecisive: true, evidence };
  return verdicts.includes(null) ? nothing('it does not tell', evidence) : { says: 'refutes', isDecisive: true, evidence };
};

type Versions = readonly string[] | { readonly fault: string };

const isList = (versions: Versions): versions is readonly string[] => Array.isArray(versions);

/** The versions of the system package with exactly this name, or why there is none. Homebrew keeps several beside each other. */
const versionsOfSystem = async (wanted: string, { programs, signal }: Surroundings): Promise<Versions> => {
  if (!isPlainArgument(wanted)) return { fault: 'not the name of a system package' };
  const name = wanted.toLowerCase();
  if (process.platform === 'darwin') {
    const brewed = await brewedVersions(name);
    return brewed.length === 0 ? { fault: 'no system package of that name' } : brewed;
  }
  const isDebian = programs.has('dpkg-query');
  if (!isDebian && !programs.has('rpm')) return { fault: 'neither dpkg nor rpm is installed' };
  const ran = isDebian
    ? await programs.run('dpkg-query', ['--show', '--showformat=${db:Status-Status} ${Version}\\n', '--', name], { signal })
    : await programs.run('rpm', ['--query', '--queryformat', 'installed %{VERSION}\\n', '--', name], { signal });
  if (ran.fault !== null) return { fault: ran.fault };
  const [, version] = /^installed (\S+)/u.exec(ran.output) ?? [];
  return ran.code !== 0 || version === undefined ? { fault: 'no system package of that name' } : [version];
};

const MOST = 5;

export const dependencyExists: Validator<Args> = {
  type: 'dependency_exists',
  reads: 'Metadata of the project’s environments, its manifests and lock files, and the list of system packages.',
  risk: 'very low',
  methods: [
    { name: 'venv', environment: 'project', missing: needsRoot, run: (args, around) => installedIn(args, around, true) },
    { name: 'node_modules', environment: 'project', missing: needsRoot, run: (args, around) => installedIn(args, around, false) },
    { name: 'manifest_and_lock', environment: 'project', missing: needsRoot, run: listed },
    {
      name: 'system_packages',
      environment: 'system',
      missing: ({ programs }) =>
        process.platform === 'darwin' || programs.has('dpkg-query') || programs.has('rpm') ? null : 'neither dpkg nor rpm is installed',
      run: systemPackage,
    },
  ],
};
