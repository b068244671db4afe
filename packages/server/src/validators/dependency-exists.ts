import { hasNodeModules, hasVenv, nodeModule, sameName, venvsIn } from './environments.ts';
import { pinsIn, type Pin } from './manifests.ts';
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
  const pin = isPython ? (await venvsIn(reach, base)).find(({ name }) => sameName(name, args.name)) : await nodeModule(reach, base, args.name);
  if (pin != null) return there(args, pin, true);
  // Refutes only together with another source: a project may have several environments.
  return absent(args, around, `${args.name} is not in ${isPython ? 'the venv' : 'node_modules'}`);
};

/** VAL-40: if the system has a package of this name, its absence from the project proves nothing: nobody lists a system program in a manifest. */
const absent = async (args: Args, around: Surroundings, evidence: string): Promise<Answer> =>
  typeof (await versionOfSystem(args.name, around)) === 'string'
    ? nothing('the system has a package of that name', evidence)
    : { says: 'refutes', isDecisive: false, evidence };

/** Manifests say what should be installed, lock files what was. */
const listed = async (args: Args, around: Surroundings): Promise<readonly Answer[] | Answer> => {
  const { reach } = around;
  if (reach.base === null) return nothing('the session has no folder that may be read');
  const pins = await pinsIn(reach, reach.base);
  if (pins.length === 0) return nothing('the project has no manifest');
  const found = pins.filter(({ name }) => sameName(name, args.name));
  if (found.length === 0) return absent(args, around, `${args.name} is in no manifest or lock file`);
  const locked = found.filter(({ kind }) => kind === 'installed');
  return (locked.length > 0 ? locked : found).slice(0, MOST).map((pin) => there(args, pin, pin.kind === 'installed'));
};

const systemPackage = async (args: Args, around: Surroundings): Promise<Answer> => {
  const version = await versionOfSystem(args.name, around);
  if (typeof version !== 'string') return nothing(version.fault);
  const evidence = `system package ${args.name.toLowerCase()} ${version}`;
  if (args.version === null) return { says: 'supports', isDecisive: true, evidence };
  const verdict = isVersionOf(version.replace(/^\d+:/u, ''), args.version, args.bound);
  return verdict === null ? nothing('it does not tell', evidence) : { says: verdict ? 'supports' : 'refutes', isDecisive: true, evidence };
};

/** The version of the system package with exactly this name, or why there is none. */
const versionOfSystem = async (wanted: string, { programs, signal }: Surroundings): Promise<string | { readonly fault: string }> => {
  if (!isPlainArgument(wanted)) return { fault: 'not the name of a system package' };
  const name = wanted.toLowerCase();
  const isDebian = programs.has('dpkg-query');
  if (!isDebian && !programs.has('rpm')) return { fault: 'neither dpkg nor rpm is installed' };
  const ran = isDebian
    ? await programs.run('dpkg-query', ['--show', '--showformat=${db:Status-Status} ${Version}\\n', '--', name], { signal })
    : await programs.run('rpm', ['--query', '--queryformat', 'installed %{VERSION}\\n', '--', name], { signal });
  if (ran.fault !== null) return { fault: ran.fault };
  const [, version] = /^installed (\S+)/u.exec(ran.output) ?? [];
  return ran.code !== 0 || version === undefined ? { fault: 'no system package of that name' } : version;
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
      missing: ({ programs }) => (programs.has('dpkg-query') || programs.has('rpm') ? null : 'neither dpkg nor rpm is installed'),
      run: systemPackage,
    },
  ],
};
