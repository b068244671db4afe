/** What is known about the machine on which the build failed. */
export type Machine = {
  readonly platform: NodeJS.Platform;
  /** Whether a program of this name can be run. */
  readonly has: (program: string) => boolean;
  /** Whether this machine has Node's headers; otherwise every build downloads them. */
  readonly hasHeaders: boolean;
};

/** INST-2: what to install so that the next try works, derived from the log of the failed build; null if the log has nothing we know. */
export const adviceOn = (log: string, machine: Machine): string | null => {
  const wanted = [
    ...(isRegistryAway(log) ? ['connect to the npm registry'] : []),
    ...(lacksCompiler(log, machine) ? [compilerFor(machine)] : []),
    ...(lacksHeaders(log, machine) ? [HEADERS] : []),
  ];
  return wanted.length === 0 ? null : wanted.join(', and ');
};

// npm's own message; a package's script has a different word before it.
const isRegistryAway = (log: string): boolean =>
  /^npm (?:error|ERR!) (?:code|network) .*(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED)/mu.test(log);

const lacksCompiler = (log: string, { platform, has }: Machine): boolean => {
  if (/not found: g?make|find any (?:Python|Visual Studio) installation|No Xcode or CLT|xcode-select: (?:note|error)/iu.test(log)) return true;
  if (/(?:g\+\+|c\+\+|clang\+\+)\S*: (?:command )?(?:not found|No such file)/iu.test(log)) return true;
  if (platform === 'win32') return false; // Visual Studio's compiler is not in PATH, and the log says when there is none
  return ![
    ['make', 'gmake'],
    ['c++', 'g++', 'clang++'],
    ['python3', 'python'],
  ].every((names) => names.some(has));
};

const compilerFor = ({ platform, has }: Machine): string => {
  if (platform === 'darwin') return 'install the command line tools (xcode-select --install)';
  if (platform === 'win32') return 'install Python 3 and the Visual Studio Build Tools with "Desktop development with C++"';
  const command = INSTALLERS.find(([program]) => has(program))?.[1];
  return `install a C++ compiler, make and Python 3${command === undefined ? '' : ` (${command})`}`;
};

// If the binaries are out of reach, so are the headers; the build may have ended before it looked for them.
const lacksHeaders = (log: string, { hasHeaders }: Machine): boolean =>
  !hasHeaders &&
  /^(?:npm error )?(?:gyp ERR!|prebuild-install).*(?:network connectivity|getaddrinfo|FetchError|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)/imu.test(
    log,
  );

const HEADERS = "install Node's headers, which come with Node from https://nodejs.org";

const INSTALLERS = [
  ['apt-get', 'sudo apt-get install g++ make python3'],
  ['dnf', 'sudo dnf install gcc-c++ make python3'],
  ['apk', 'apk add g++ make python3'],
  ['pacman', 'sudo pacman -S gcc make python'],
  ['zypper', 'sudo zypper install gcc-c++ make python3'],
] as const;
