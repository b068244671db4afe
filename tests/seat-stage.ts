import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './live-stage.ts';
import { root } from './source-files.ts';

/** The command of one of the agents that the tests of runtimes have; it waits until there is a file at `gate`. */
export const agentCommand = (name: 'repeating' | 'talking', gate: string): readonly string[] => [
  process.execPath,
  join(root, `packages/server/test/runtimes/${name}-agent.mjs`),
  gate,
];

export const writeSettings = (folder: string, settings: object): void => {
  mkdirSync(join(folder, 'home'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'home/settings.json'), JSON.stringify(settings));
};

/** The processes of which a file of /proc has this among its strings: the arguments, or the environment. */
const processesWhere = (file: 'cmdline' | 'environ', text: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'latin1').split('\0').includes(text);
      } catch {
        return false; // gone meanwhile, or somebody else's
      }
    });

/** Programs that were started with this argument. */
export const processesWith = (argument: string): readonly number[] => processesWhere('cmdline', argument);

/** Programs that were started with this variable, as NAME=value. */
export const processesOf = (mark: string): readonly number[] => processesWhere('environ', mark);

/** An agent called weaver at work in SB-1, in a home of its own. */
export const startWeaver = async (stage: Stage, settings: object): Promise<void> => {
  writeSettings(stage.home.folder, settings);
  await stage.start();
  await stage.ask('agent_register', { agent_id: 'weaver' });
  await stage.ask('agent_runtime', { agent_id: 'weaver', runtime: 'lines' });
  await stage.ask('sidebar_spawn', { parent_id: null, task_description: 'Look at the loom', participants: ['weaver'] });
};

export const weaversSeat = ({ ask }: Stage) => ask('seat', { sidebar_id: 'SB-1', agent_id: 'weaver' });

export const saidByWeaver = async ({ ask }: Stage): Promise<readonly string[]> => {
  const { items } = await ask('sidebar_memory', { sidebar_id: 'SB-1', part: 'local', limit: 200 });
  return items.filter(({ sender }) => sender === 'AGENT-weaver').map(({ content }) => content);
};

/** How many commands wait for the log. */
export const waitingFor = async ({ at, token }: Stage): Promise<number> => {
  // What is told meanwhile says how old it is, which no schema has.
  const response = await fetch(`${at()}/api/v1/status`, { headers: { authorization: `Bearer ${token()}` } });
  const { emergency } = (await response.json()) as { readonly emergency?: { readonly pending_writes?: number } | null };
  return emergency?.pending_writes ?? 0;
};

export const isWell = async ({ at }: Stage): Promise<boolean> => (await fetch(`${at()}/healthz`)).status === 200;
