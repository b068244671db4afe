import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The last CLI that keeps sub-agents beside the session, and one that starts them in the background; the SDK belongs to the second. */
export const CLI_VERSIONS = ['2.0.76', '2.1.325'] as const;
export type CliVersion = (typeof CLI_VERSIONS)[number];
const SDK_VERSION = '0.3.325';
/** Claude behind the Agent Client Protocol. */
const ADAPTER = '@agentclientprotocol/claude-agent-acp@0.49.0';

export type Programs = {
  /** A folder for PATH in which `claude` is this version. */
  readonly binFolder: (version: CliVersion) => string;
  readonly claude: (version: CliVersion) => string;
  /** The folder of the package `@anthropic-ai/claude-agent-sdk`. */
  readonly sdkFolder: string;
  /** A program that speaks the Agent Client Protocol. */
  readonly adapter: string;
};

/** Installs the real programs from the registry, once for all later runs. */
export const installPrograms = (): Programs => {
  const folder = join(tmpdir(), `yarnboard-e2e-${[...CLI_VERSIONS, SDK_VERSION].join('-')}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Programs are run from here: somebody else's folder of the same name must not be taken for ours.
  if (process.getuid !== undefined && statSync(folder).uid !== process.getuid()) throw new Error(`${folder} belongs to another user; remove it`);
  for (const version of CLI_VERSIONS) install(join(folder, `cli-${version}`), `@anthropic-ai/claude-code@${version}`);
  install(join(folder, 'sdk'), `@anthropic-ai/claude-agent-sdk@${SDK_VERSION}`);
  install(join(folder, 'adapter'), ADAPTER);
  const binFolder = (version: CliVersion): string => join(folder, `cli-${version}`, 'node_modules', '.bin');
  return {
    binFolder,
    claude: (version) => join(binFolder(version), 'claude'),
    sdkFolder: join(folder, 'sdk', 'node_modules', '@anthropic-ai', 'claude-agent-sdk'),
    adapter: join(folder, 'adapter', 'node_modules', '.bin', 'claude-agent-acp'),
  };
};

/** Whole or not at all: an install that was cut off leaves nothing that a later run would take for complete. */
const install = (folder: string, specifier: string): void => {
  if (existsSync(folder)) return;
  console.log(`installing ${specifier}`);
  const part = `${folder}.${process.pid}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  writeFileSync(join(part, 'package.json'), JSON.stringify({ private: true }));
  const { status, error, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', specifier], {
    cwd: part,
    encoding: 'utf8',
    timeout: 600_000,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`cannot install ${specifier}: ${error?.message ?? stderr}`);
  renameSync(part, folder);
};

/** What the SDK says of itself. */
export const sdkVersion = ({ sdkFolder }: Programs): string => {
  const { version } = JSON.parse(readFileSync(join(sdkFolder, 'package.json'), 'utf8')) as { version: string }; // npm's own format
  return version;
};
