import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRuntimes } from '@yarnboard/protocol';
import { build } from 'esbuild';
import { directImports } from '../../../../scripts/direct-imports.mjs';
import { afterFile } from '../../../../tests/afterwards.ts';
import { problemOf, runtimeOf, type ProgramsOptions } from '../../src/board-runtimes.ts';
import { packageFolder, packageProblem } from '../../src/launches/foreign-package.ts';
import { ACP_SDK } from '../../src/runtimes/bridge/acp-sdk.ts';
import type { Runtime } from '../../src/runtimes/port.ts';
import { NO_CLAUDE } from './contract.ts';

/** Runtimes whose programs are ours, each built as it is shipped: one file, which starts at once. */
export const ownPrograms = async (): Promise<{
  readonly folder: string;
  readonly agent: string;
  readonly bridge: string;
  readonly make: (settings: object, env?: Readonly<Record<string, string>>) => Runtime;
  readonly problemOf: (settings: object, more?: Partial<ProgramsOptions>) => string | null;
}> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-programs-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const built = (name: string): string => join(folder, `${name}.mjs`);
  await build({
    entryPoints: {
      agent: fileURLToPath(new URL('../../src/runtimes/openai/agent.ts', import.meta.url)),
      bridge: fileURLToPath(new URL('../../src/seat-bridge.ts', import.meta.url)),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['yarnboard-source'],
    external: ['better-sqlite3', 'pg'],
    plugins: [directImports(fileURLToPath(new URL('../../../..', import.meta.url)))],
    banner: { js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);" },
  });
  const places = { env: process.env, home: folder, program: fileURLToPath(import.meta.url) };
  const options: ProgramsOptions = {
    env: process.env,
    folder,
    isExcluded: () => false,
    openaiCommand: () => [process.execPath, built('agent')],
    bridge: {
      command: () => [process.execPath, built('bridge')],
      sdk: () => packageFolder(ACP_SDK, places),
      problem: () => packageProblem(ACP_SDK, places),
      version: '0.1.0',
    },
    markOf: ({ agent, sidebarId }) => `own-${process.pid}/${agent}/${sidebarId}`,
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    claude: NO_CLAUDE,
  };
  const settingsOf = (given: object) => {
    const read = readRuntimes({ one: given });
    if (!read.ok || read.value[0] === undefined) throw new Error(read.ok ? 'a runtime' : read.error);
    return read.value[0];
  };
  return {
    folder,
    agent: built('agent'),
    bridge: built('bridge'),
    make: (given, env = {}) => runtimeOf(settingsOf(given), { ...options, env: { ...process.env, ...env } }),
    problemOf: (given, more = {}) => problemOf(settingsOf(given), { ...options, ...more }),
  };
};
