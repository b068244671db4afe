/** What Yarnboard needs to know about the arguments it passes on. */
export type Asked = {
  /** Not a session but a question or a chore: `claude --version`, `claude mcp list`. */
  readonly isChore: boolean;
  /** Answers and exits. */
  readonly isPrint: boolean;
  /** Forks a session. */
  readonly isFork: boolean;
};

export const readArguments = (args: readonly string[]): Asked => {
  const options = args.slice(0, endOfOptions(args));
  return {
    isChore: CHORES.has(args[0] ?? '') || options.some((arg) => ['-h', '--help', '-v', '--version'].includes(arg)),
    isPrint: options.some((arg) => arg === '--print' || /^-[cdp]*p[cdp]*$/u.test(arg)),
    isFork: options.includes('--fork-session'),
  };
};

/** Every occurrence of settings with its value: `--settings X` or `--settings=X`. */
export const settingsIn = (args: readonly string[]): readonly GivenSettings[] => {
  const end = endOfOptions(args);
  return args.flatMap((arg, at): readonly GivenSettings[] => {
    if (at >= end) return [];
    if (arg.startsWith(`${SETTINGS}=`)) return [{ at, isOneWord: true, value: arg.slice(SETTINGS.length + 1) }];
    const value = args[at + 1];
    return arg === SETTINGS && value !== undefined ? [{ at, isOneWord: false, value }] : [];
  });
};

type GivenSettings = { readonly at: number; readonly isOneWord: boolean; readonly value: string };

/**
 * LAUNCH-13: the arguments with which to resume a session. Those that say how to work stay; those that say which session it was, or how to begin,
 * don't.
 */
export const argumentsToResume = (args: readonly string[], sessionId: string): readonly string[] => {
  const options = args.slice(0, endOfOptions(args));
  const kept: string[] = [];
  for (let at = 0; at < options.length;) {
    const arg = options[at] ?? '';
    const takes = STAYING.get(arg.replace(/=.*$/su, ''));
    const behind = options.slice(at + 1);
    const bare = behind.findIndex((one) => one.startsWith('-'));
    const values = behind.slice(0, bare === -1 ? behind.length : bare);
    const length = arg.includes('=') || takes === undefined || takes === 'nothing' ? 1 : takes === 'one' ? 2 : 1 + values.length;
    if (takes !== undefined) kept.push(...options.slice(at, at + length));
    at += length;
  }
  return ['--resume', sessionId, ...kept];
};

/** Anything after `--` isn't an option, whatever it looks like. */
const endOfOptions = (args: readonly string[]): number => {
  const at = args.indexOf('--');
  return at === -1 ? args.length : at;
};

export const SETTINGS = '--settings';

const CHORES: ReadonlySet<string> = new Set([
  'agents',
  'attach',
  'auth',
  'auto-mode',
  'config',
  'doctor',
  'gateway',
  'import',
  'install',
  'kill',
  'logs',
  'mcp',
  'migrate-installer',
  'plugin',
  'plugins',
  'purge',
  'respawn',
  'rm',
  'setup-token',
  'stop',
  'ultrareview',
  'update',
  'upgrade',
]);

/** Options that mean the same when a session is resumed, and what they take. */
const STAYING: ReadonlyMap<string, 'nothing' | 'one' | 'many'> = new Map(
  Object.entries({
    nothing: [
      '--allow-dangerously-skip-permissions',
      '--ax-screen-reader',
      '--bare',
      '--brief',
      '--chrome',
      '--dangerously-skip-permissions',
      '--disable-slash-commands',
      '--ide',
      '--mcp-debug',
      '--no-chrome',
      '--restricted',
      '--safe-mode',
      '--strict-mcp-config',
      '--verbose',
    ],
    one: [
      '--agent',
      '--agents',
      '--append-system-prompt',
      '--append-system-prompt-file',
      '--autocompact',
      '--debug-file',
      '--effort',
      '--fallback-model',
      '--model',
      '--permission-mode',
      '--plugin-dir',
      '--plugin-url',
      '--setting-sources',
      SETTINGS,
      '--system-prompt',
      '--system-prompt-file',
      '--system-prompt-snapshot',
    ],
    many: ['--add-dir', '--allowed-tools', '--allowedTools', '--betas', '--disallowed-tools', '--disallowedTools', '--mcp-config', '--tools'],
  } as const).flatMap(([takes, names]) => names.map((name): [string, 'nothing' | 'one' | 'many'] => [name, takes as 'nothing' | 'one' | 'many'])), // the keys above
);
