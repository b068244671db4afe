import { venvsIn, nodeModule } from './environments.ts';
import { pinsIn, type Pin } from './manifests.ts';
import { isNamed } from './package-names.ts';
import { needsRoot, nothing, type Answer, type ArgumentsOf, type Surroundings, type Validator } from './port.ts';
import type { ProgramName, Ran } from './programs.ts';
import { isInRange, isVersionOf } from './versions.ts';

type Args = ArgumentsOf<'version_check'>;

/** VAL-4: compares what the project pins and what is installed in it. Each source gives its own answer. */
const pins = async (args: Args, around: Surroundings, kinds: readonly Pin['kind'][]): Promise<readonly Answer[] | Answer> => {
  const { reach } = around;
  if (reach.base === null) return nothing('the session has no folder that may be read');
  const wanted = productOf(args.name);
  const all = [...(await pinsIn(reach, reach.base)), ...(await venvsIn(reach, reach.base))];
  // VAL-55: a package that is called like a program is a client of it, and has versions of its own.
  const isProgram = isProgramName(wanted);
  const module = kinds.includes('installed') && !isProgram ? await nodeModule(reach, reach.base, wanted) : null;
  const fits = ({ name, registry }: Pin): boolean =>
    registry === 'tool' ? productOf(name) === wanted : !isProgram && (isNamed(registry, name, wanted) || isNamed(registry, name, args.name));
  const found = [...all.filter((pin) => fits(pin) && kinds.includes(pin.kind)), ...(module === null ? [] : [module])];
  const answers = found.slice(0, MOST).map((pin) => answerFrom(args, pin));
  return answers.length === 0 ? nothing('the project does not say') : answers;
};

const answerFrom = ({ version, bound }: Args, pin: Pin): Answer => {
  const said = (verdict: boolean | null, isDecisive: boolean): Answer =>
    verdict === null
      ? nothing('it does not tell', pin.where)
      : { says: verdict ? 'supports' : 'refutes', isDecisive, evidence: pin.where, files: [pin.file] };
  if (pin.version === null) return nothing('no version is given', pin.where);
  if (pin.kind !== 'range') return said(isVersionOf(pin.version.replace(/^==/u, ''), version, bound), true);
  // A range lists what is allowed: it refutes a version that is not, but proves nothing about one that is.
  const isIn = bound === 'exactly' ? isInRange(version, pin.version) : null;
  return isIn === false ? said(false, false) : nothing('a range that allows it', pin.where);
};

const program = async (args: Args, { programs, signal }: Surroundings): Promise<Answer> => {
  const product = productOf(args.name);
  // VAL-56: which of several the operator meant is declared.
  const declared = (await programs.runDeclared(product, { signal })) ?? (await programs.runDeclared(args.name, { signal }));
  if (declared !== null) return toldBy(args, product, declared);
  const asked = Object.hasOwn(PROGRAMS_OF, product) ? PROGRAMS_OF[product] : undefined;
  if (asked === undefined) return nothing('no program of the system tells');
  if (!programs.has(asked)) return nothing(`${asked} is not installed`);
  const ran = await programs.run(asked, VERSION_FLAG[asked] ?? ['--version'], { signal });
  // VAL-36: on macOS, gcc is another name of clang, which counts differently.
  if (asked === 'gcc' && /\bclang\b/iu.test(ran.output)) return nothing('gcc is clang here', ran.output.split('\n')[0] ?? '');
  return toldBy(args, asked, ran);
};

const toldBy = ({ version, bound }: Args, program: string, { fault, output }: Ran): Answer => {
  if (fault !== null) return nothing(fault);
  const found = versionIn(output);
  if (found === null) return nothing('it told no version');
  const verdict = isVersionOf(found, version, bound);
  return verdict === null
    ? nothing('it does not tell', `${program} ${found}`)
    : { says: verdict ? 'supports' : 'refutes', isDecisive: true, evidence: `${program} ${found}` };
};

/** The first version number in a program's output. */
export const versionIn = (output: string): string | null => /(?:^|[\sv"(])(\d+\.\d+(?:\.\d+)*)/u.exec(output.slice(0, 2000))?.[1] ?? null;

const productOf = (name: string): string => {
  const plain = name.toLowerCase().replaceAll(/\s+/gu, '-');
  return (Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined) ?? plain;
};

const ALIASES: Readonly<Record<string, string>> = {
  'node.js': 'node',
  nodejs: 'node',
  golang: 'go',
  rustc: 'rust',
  python3: 'python',
  jdk: 'java',
  openjdk: 'java',
  postgresql: 'postgres',
  tsc: 'typescript',
  'next.js': 'next',
  'mac-os': 'macos',
  'mac-os-x': 'macos',
  'os-x': 'macos',
};
const PROGRAMS_OF: Readonly<Record<string, ProgramName>> = {
  python: 'python3',
  node: 'node',
  npm: 'npm',
  ruby: 'ruby',
  go: 'go',
  php: 'php',
  perl: 'perl',
  gcc: 'gcc',
  git: 'git',
  bash: 'bash',
  docker: 'docker',
  redis: 'redis-server',
  postgres: 'postgres',
  mysql: 'mysqld',
  make: 'make',
  cmake: 'cmake',
  rust: 'rustc',
  cargo: 'cargo',
  macos: 'sw_vers',
};
const isProgramName = (name: string): boolean => Object.hasOwn(PROGRAMS_OF, name) || SERVERS.has(name);

/** Programs that we don't ask, with clients of the same name. */
const SERVERS: ReadonlySet<string> = new Set([
  'nginx',
  'mongodb',
  'mariadb',
  'sqlite',
  'kafka',
  'elasticsearch',
  'rabbitmq',
  'memcached',
  'grafana',
  'prometheus',
  'kubernetes',
  'terraform',
  'podman',
  'java',
]);
const VERSION_FLAG: Partial<Readonly<Record<ProgramName, readonly string[]>>> = { go: ['version'], sw_vers: ['-productVersion'] };
const MOST = 6;

export const versionCheck: Validator<Args> = {
  type: 'version_check',
  reads: 'Pins, lock and image files of the project, the metadata of its environments, and what programs of the system say of themselves.',
  risk: 'very low',
  methods: [
    { name: 'project_pin', environment: 'project', missing: needsRoot, run: (args, around) => pins(args, around, ['pin', 'range']) },
    { name: 'project_environment', environment: 'project', missing: needsRoot, run: (args, around) => pins(args, around, ['installed']) },
    { name: 'system_program', environment: 'system', missing: () => null, run: program },
  ],
};
