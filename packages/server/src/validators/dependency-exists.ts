import { hasNodeModules, hasVenv, nodeModule, sameName, venvsIn } from './environments.ts';
import { pinsIn, type Pin } from './manifests.ts';
import { needsRoot, nothing, type Answer, type ArgumentsOf, type Surroundings, type Validator } from './port.ts';
import { isPlainArgument } from './programs.ts';
import { isInRange, isVersionOf } from './versions.ts';

type Args = ArgumentsOf<'dependency_exists'>;

/** That it is there, and in the version that was claimed, where one was. */
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

const installedIn = async (args: Args, { reach }: Surroundings, isPython: boolean): Promise<Answer> => {
  const { base } = reach;
  if (base === null) return nothing('the session has no folder that may be read');
  if (!(await (isPython ? hasVenv(reach, base) : hasNodeModules(reach, base))))
    return nothing(isPython ? 'the project has no venv' : 'the project has no node_modules');
  const pin = isPython ? (await venvsIn(reach, base)).find(({ name }) => sameName(name, args.name)) : await nodeModule(reach, base, args.name);
  if (pin != null) return there(args, pin, true);
  // It refutes only with another source: a project may have several environments.
  return { says: 'refutes', isDecisive: false, evidence: `${args.name} is not in ${isPython ? 'the venv' : 'node_modules'}` };
};

/** Manifests say what is meant to be there, locks what was installed. */
const listed = async (args: Args, { reach }: Surroundings): Promise<readonly Answer[] | Answer> => {
  if (reach.base === null) return nothing('the session has no folder that may be read');
  const pins = await pinsIn(reach, reach.base);
  if (pins.length === 0) return nothing('the project has no manifest');
  const found = pins.filter(({ name }) => sameName(name, args.name));
  if (found.length === 0) return { says: 'refutes', isDecisive: false, evidence: `${args.name} is in no manifest or lock file` };
  const locked = found.filter(({ kind }) => kind === 'installed');
  return (locked.length > 0 ? locked : found).slice(0, MOST).map((pin) => there(args, pin, pin.kind === 'installed'));
};

const systemPackage = async (args: Args, { programs, signal }: Surroundings): Promise<Answer> => {
  if (!isPlainArgument(args.name)) return nothing('not the name of a system package');
  const name = args.name.toLowerCase();
  const isDebian = programs.has('dpkg-query');
  if (!isDebian && !programs.has('rpm')) return nothing('neither dpkg nor rpm is installed');
  const ran = isDebian
    ? await programs.run('dpkg-query', ['--show', '--showformat=${db:Status-Status} ${Version}\\n', '--', name], { signal })
    : await programs.run('rpm', ['--query', '--queryformat', 'installed %{VERSION}\\n', '--', name], { signal });
  if (ran.fault !== null) return nothing(ran.fault);
  const [, version] = /^installed (\S+)/u.exec(ran.output) ?? [];
  if (ran.code !== 0 || version === undefined) return nothing('no system package of that name');
  const evidence = `system package ${name} ${version}`;
  if (args.version === null) return { says: 'supports', isDecisive: true, evidence };
  const verdict = isVersionOf(version.replace(/^\d+:/u, ''), args.version, args.bound);
  return verdict === null ? nothing('it does not tell', evidence) : { says: verdict ? 'supports' : 'refutes', isDecisive: true, evidence };
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
