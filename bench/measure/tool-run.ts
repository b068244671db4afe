import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { generateTree } from '../generate.ts';
import { plantTool, type ForeignTool, type PlantedTool } from '../tree/foreign.ts';
import { mustBeEqual } from './run.ts';
import { runChild } from './size-run.ts';
import { atLeast, layOut, MB, type Verdict } from './table.ts';

const TOOL_JOBS = ['floor', 'inspect', 'import'] as const;
export type ToolJob = (typeof TOOL_JOBS)[number];

export type ToolMeasurement = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly counts: Readonly<Record<string, number>>;
};

export type ToolResult = { readonly planted: PlantedTool; readonly best: Readonly<Record<ToolJob, ToolMeasurement>> };

export type ClaudeResult = Pick<ToolResult, 'best'> & { readonly bytes: number; readonly sessions: number };

export type ToolOrder = {
  readonly scratch: string;
  readonly child: string;
  readonly tool: ForeignTool;
  readonly bytes: number;
  readonly seed: number;
  readonly runs: number;
  readonly keep: boolean;
};

/** Plants sessions of a tool, measures every job on them and throws them away. What was planted must be found. */
export const measureTool = ({ scratch, child, tool, bytes, seed, runs, keep }: ToolOrder): ToolResult => {
  const folder = join(scratch, `${tool}-${bytes}`, 'tree');
  const planted = plantTool(folder, { tool, bytes, seed, sessions: Math.max(2, Math.round(bytes / SESSION_BYTES)) });
  const result = { planted, best: bestOf({ folder, child, runs, keep }) };
  const found = { ...result.best.inspect.counts, lines: result.best.floor.counts['lines'] ?? 0 };
  const { sessions, turns, lines } = planted;
  mustBeEqual(tool, { lines, sessions, responses: turns * RESPONSES, uses: turns * CALLS, pairs: turns * CALLS, quarantined: 0 }, found);
  mustBeEqual(`${tool}, imported`, { sessions, responses: turns * RESPONSES }, result.best.import.counts);
  return result;
};

/** Claude Code's own sessions, of as many bytes: what a megabyte of another tool is compared with. */
export const measureClaude = ({ scratch, child, bytes, seed, runs, keep }: Omit<ToolOrder, 'tool'>): ClaudeResult => {
  const folder = join(scratch, `claude-${bytes}`, 'tree');
  const { bytes: planted, sessions } = generateTree(folder, { bytes, seed });
  return { bytes: planted, sessions: sessions.length, best: bestOf({ folder, child, runs, keep }) };
};

type Measuring = Pick<ToolOrder, 'child' | 'runs' | 'keep'> & { readonly folder: string };

const bestOf = ({ folder, child, runs, keep }: Measuring): ToolResult['best'] => {
  const measured = Array.from({ length: runs }, () => TOOL_JOBS.map((job) => JSON.parse(runChild(child, [job, folder])) as ToolMeasurement)); // printed by tool-child.ts and by nobody else
  if (!keep) rmSync(join(folder, '..'), { recursive: true });
  const best = (job: ToolJob): ToolMeasurement =>
    measured
      .map((round) => round[TOOL_JOBS.indexOf(job)])
      .filter((one) => one !== undefined)
      .reduce((a, b) => (b.cpuSeconds < a.cpuSeconds ? b : a));
  return { floor: best('floor'), inspect: best('inspect'), import: best('import') };
};

export const describeTool = ({ planted: { tool, bytes, sessions, turns }, best }: ToolResult): string =>
  `${tool}, ${(bytes / MB).toFixed(0)} MB: ${sessions} sessions, ${turns} turns\n${rowsOf(bytes, best)}`;

export const describeClaude = ({ bytes, sessions, best }: ClaudeResult): string =>
  `claude, ${(bytes / MB).toFixed(0)} MB: ${sessions} sessions\n${rowsOf(bytes, best)}`;

const rowsOf = (bytes: number, best: ToolResult['best']): string => {
  const row = (label: string, { seconds, cpuSeconds, peakBytes }: ToolMeasurement): readonly string[] => [
    label,
    seconds.toFixed(2),
    cpuSeconds.toFixed(2),
    (bytes / MB / cpuSeconds).toFixed(0),
    ((cpuSeconds / (bytes / MB)) * 1000).toFixed(1),
    (best.floor.cpuSeconds / cpuSeconds).toFixed(2),
    (peakBytes / MB).toFixed(0),
  ];
  return layOut([
    ['', 'wall s', 'CPU s', 'MB/s', 'ms a MB', 'x floor', 'peak MB'],
    row('floor: read + JSON.parse', best.floor),
    row('inspect, one thread', best.inspect),
    row('import onto the log', best.import),
  ]);
};

/** The budgets, for each megabyte, by the work of the processor: on a busy machine as well. */
export const judgeTool = ({ planted: { tool }, best }: ToolResult): readonly Verdict[] => [
  atLeast(best.floor.cpuSeconds / best.inspect.cpuSeconds, INSPECT_BUDGET, `${tool}: inspect in one thread against bare JSON.parse`),
  atLeast(best.floor.cpuSeconds / best.import.cpuSeconds, IMPORT_BUDGET, `${tool}: import against bare JSON.parse`),
];

/** The floor of a database is twice as fast as that of files: so the cost of a megabyte is also compared with one of Claude Code's. */
export const compareTool = ({ planted: { tool, bytes }, best }: ToolResult, claude: ClaudeResult): string => {
  const times = (job: 'inspect' | 'import'): string => (best[job].cpuSeconds / bytes / (claude.best[job].cpuSeconds / claude.bytes)).toFixed(2);
  return `${tool}: a megabyte costs ${times('inspect')} × one of Claude Code's to inspect, ${times('import')} × to import`;
};

/** What one turn of the scenario that is planted has. */
const RESPONSES = 5;
const CALLS = 4;
const SESSION_BYTES = 2 * MB;
const INSPECT_BUDGET = 0.2;
const IMPORT_BUDGET = 0.05;
