import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';
import { isClaudeKind, type RuntimeSettings } from '@yarnboard/protocol';
import { findClaude, type FoundClaude } from './launches/claude-program.ts';
import type { After } from './launches/outgoing.ts';
import { directoryFault } from './launches/run-place.ts';
import type { LoadSdk } from './launches/sdk.ts';
import { createClaude, type ClaudeOptions } from './runtimes/claude/claude.ts';
import { cliSdk } from './runtimes/claude/cli.ts';
import type { Runtime, SeatPlace } from './runtimes/port.ts';
import { createStdio } from './runtimes/stdio.ts';
import type { BridgeTask } from './runtimes/bridge/task.ts';
import { BRIDGE, ENDPOINT, KEY } from './runtimes/variables.ts';

export type ProgramsOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where seats work if their runtime names no directory. */
  readonly folder: string;
  readonly isExcluded: (directory: string) => boolean;
  /** How to start our own program that talks to a model behind a URL. */
  readonly openaiCommand: () => readonly string[];
  /** How to start our own program for agents with other protocols, and where their SDK is. */
  readonly bridge: {
    readonly command: () => readonly string[];
    readonly sdk: () => string | null;
    readonly problem: () => string | null;
    readonly version: string;
  };
  readonly markOf: (place: SeatPlace) => string;
  readonly after: After;
  readonly claude: ClaudeParts;
};

/** Further needs of runtimes on Claude. */
export type ClaudeParts = Pick<ClaudeOptions, 'runs' | 'toolsFor' | 'newId' | 'catchUp' | 'now'> & {
  /** The home of the board: its contents are only for the operator. */
  readonly home: string;
  /** Why the Agent SDK can't be used; null if it can. */
  readonly sdkProblem: () => string | null;
};

/** A runtime of the settings, ready to start seats. */
export const runtimeOf = (settings: RuntimeSettings, options: ProgramsOptions): Runtime =>
  isClaudeKind(settings.kind) ? claudeOf(settings, options) : programOf(settings, options);

const programOf = (settings: RuntimeSettings, options: ProgramsOptions): Runtime =>
  createStdio({
    name: settings.name,
    command: commandOf(settings, options),
    cwd: settings.directories[0] ?? options.folder,
    env: { ...environmentOf(settings, options.env), ...bridgeOf(settings, options) },
    markOf: options.markOf,
    after: options.after,
  });

const commandOf = (settings: RuntimeSettings, { openaiCommand, bridge }: ProgramsOptions): readonly string[] => {
  if (settings.kind === 'openai') return openaiCommand();
  return isBridged(settings) ? bridge.command() : settings.command;
};

/** RT-33: what our bridge has to start, and how to talk to it. */
const bridgeOf = (settings: RuntimeSettings, { bridge, folder }: ProgramsOptions): Readonly<Record<string, string>> => {
  if (!isBridged(settings)) return {};
  const { kind, command, model } = settings;
  const task: BridgeTask = {
    speaks: kind === 'acp' ? 'acp' : 'mcp',
    command,
    cwd: settings.directories[0] ?? folder,
    model,
    sdk: kind === 'acp' ? bridge.sdk() : null,
    version: bridge.version,
  };
  return { [BRIDGE]: JSON.stringify(task) };
};

const isBridged = ({ kind, speaks }: RuntimeSettings): boolean => kind === 'acp' || speaks === 'mcp';

const claudeOf = (settings: RuntimeSettings, options: ProgramsOptions): Runtime => {
  const { env, claude, folder, isExcluded } = options;
  const config = configOf(env);
  return createClaude({
    ...claude,
    ...(settings.kind === 'claude-cli' ? { loadSdk: loadCli(env) } : {}),
    name: settings.name,
    cwd: settings.directories[0] ?? folder,
    env: environmentOf(settings, env),
    permissionMode: settings.permissionMode,
    hasUserSettings: settings.hasUserSettings,
    denied: [join(claude.home, '*'), join(claude.home, 'launches', '**'), join(config, '.credentials.json')].flatMap((path) => [
      `Read(/${path})`,
      `Edit(/${path})`,
    ]),
    projects: join(config, 'projects'),
    isAllowed: (cwd) => settings.directories.some((directory) => isWithin(directory, cwd)) && directoryFault(cwd, isExcluded) === null,
    markOf: options.markOf,
    after: options.after,
  });
};

/** LAUNCH-2: located at every start of a seat, so that an update takes effect with the next one. */
const loadCli = (env: ProgramsOptions['env']): LoadSdk => {
  return async () => {
    const found = claudeIn(env);
    return found.ok ? { ok: true, sdk: cliSdk(found.path), folder: found.path, version: null } : found;
  };
};

const claudeIn = (env: ProgramsOptions['env']): FoundClaude =>
  findClaude({ env, home: env['HOME'] ?? homedir() }, process.argv[1] ?? process.execPath);

/** Where Claude Code keeps its configuration. */
const configOf = (env: ProgramsOptions['env']): string => {
  const configured = (env['CLAUDE_CONFIG_DIR'] ?? '').split(',').find((folder) => folder.trim() !== '');
  return configured?.trim() ?? join(env['HOME'] ?? homedir(), '.claude');
};

const isWithin = (directory: string, path: string): boolean => {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** RT-7: why a runtime can't run as configured; null if no problem is known. */
export const problemOf = (
  settings: RuntimeSettings,
  { env, isExcluded, claude, bridge }: Pick<ProgramsOptions, 'env' | 'isExcluded' | 'claude' | 'bridge'>,
): string | null => {
  const [program = ''] = settings.command;
  if ((settings.kind === 'stdio' || settings.kind === 'acp') && !isProgram(program, env['PATH'] ?? ''))
    return `there is no program "${program}" that can be run`;
  const sdk = settings.kind === 'claude-sdk' ? claude.sdkProblem() : null;
  if (sdk !== null) return sdk;
  const acp = settings.kind === 'acp' ? bridge.problem() : null;
  if (acp !== null) return acp;
  const cli = settings.kind === 'claude-cli' ? claudeIn(env) : null;
  if (cli?.ok === false) return cli.why;
  if (settings.key !== null && keyOf(settings, env) === null) {
    return settings.key.from === 'environment'
      ? `the environment variable ${settings.key.name} is not set`
      : `the key file ${settings.key.name} cannot be read`;
  }
  for (const directory of settings.directories) {
    if (!isAbsolute(directory)) return `the directory "${directory}" is not an absolute path`;
    if (!existsSync(directory) || !statSync(directory).isDirectory()) return `there is no directory "${directory}"`;
    if (isExcluded(directory)) return `"${directory}" belongs to a project that is excluded`;
  }
  return null;
};

/** RT-5: a few variables that every program needs, those that the settings name, and its own key. Others' keys are excluded. */
const environmentOf = (settings: RuntimeSettings, env: ProgramsOptions['env']): Readonly<Record<string, string>> => {
  const isClaude = isClaudeKind(settings.kind);
  const names = [...EVERYBODY, ...(isClaude ? CLAUDE : []), ...settings.environment];
  const given = Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  const key = keyOf(settings, env);
  if (settings.kind === 'openai') {
    const endpoint = { url: settings.url, model: settings.model, hasTools: settings.hasTools };
    return { ...given, [ENDPOINT]: JSON.stringify(endpoint), ...(key === null ? {} : { [KEY]: key }) };
  }
  return settings.key?.from === 'environment' && key !== null
    ? { ...given, [settings.key.name]: key }
    : key === null
      ? given
      : { ...given, [isClaude ? 'ANTHROPIC_API_KEY' : KEY]: key };
};

const keyOf = ({ key }: RuntimeSettings, env: ProgramsOptions['env']): string | null => {
  if (key === null) return null;
  if (key.from === 'environment') return env[key.name] ?? null;
  try {
    return readFileSync(key.name, 'utf8').trim();
  } catch {
    return null; // `problemOf` reports it
  }
};

const isProgram = (name: string, path: string): boolean => {
  const places = name.includes('/') ? [name] : path.split(delimiter).map((folder) => join(folder, name));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return statSync(place).isFile();
    } catch {
      return false;
    }
  });
};

const CLAUDE = ['CLAUDE_CONFIG_DIR', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'] as const;
const EVERYBODY = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'USER', 'SHELL'] as const;
