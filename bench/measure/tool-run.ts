import { rmSync } from 'node:fs';
import { join } from 'node:path';
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
  const measured = Array.from({ length: runs }, () => TOOL_JOBS.map((job) => JSON.parse(runChild(child, [job, folder])) as ToolMeasurement)); // printed by tool-child.ts and by nobody else
  if (!keep) rmSync(join(folder, '..'), { recursive: true });
  const best = (job: ToolJob): ToolMeasurement =>
    measured
      .map((round) => round[TOOL_JOBS.indexOf(job)])
      .filter((one) => one !== undefined)
      .reduce((a, b) => (b.cpuSeconds < a.cpuSeconds ? b : a));
  const result = { planted, best: { floor: best('floor'), inspect: best('inspect'), import: best('import') } };
  const found = { ...result.best.inspect.counts, lines: result.best.floor.counts['lines'] ?? 0 };
  const { sessions, turns, lines } = planted;
  mustBeEqual(tool, { lines, sessions, responses: turns * RESPONSES, uses: turns * CALLS, pairs: turns * CALLS, quarantined: 0 }, found);
  mustBeEqual(`${tool}, imported`, { sessions, responses: turns * RESPONSES }, result.best.import.counts);
  return result;
};

export const describeTool = ({ planted: { tool, bytes, sessions, turns }, best }: ToolResult): string => {
  const row = (label: string, { seconds, cpuSeconds, peakBytes }: ToolMeasurement): readonly string[] => [
    label,
    seconds.toFixed(2),
    cpuSeconds.toFixed(2),
    (bytes / MB / cpuSeconds).toFixed(0),
    ((cpuSeconds / (bytes / MB)) * 1000).toFixed(1),
    (best.floor.cpuSeconds / cpuSeconds).toFixed(2),
    (peakBytes / MB).toFixed(0),
  ];
  return `${tool}, ${(bytes / MB).toFixed(0)} MB: ${sessions} sessions, ${turns} turns\n${layOut([
    ['', 'wall s', 'CPU s', 'MB/s', 'ms a MB', 'x floor', 'peak MB'],
    row('floor: read + JSON.parse', best.floor),
    row('inspect, one thread', best.inspect),
    row('import onto the log', best.import),
  ])}`;
};

/** The budgets, for each megabyte, by the work of the processor: on a busy machine as well. */
export const judgeTool = ({ planted: { tool }, best }: ToolResult): readonly Verdict[] => [
  atLeast(best.floor.cpuSeconds / best.inspect.cpuSeconds, INSPECT_BUDGET, `${tool}: inspect in one thread against bare JSON.parse`),
  atLeast(best.floor.cpuSeconds / best.import.cpuSeconds, IMPORT_BUDGET, `${tool}: import against bare JSON.parse`),
];

/** What one turn of the scenario that is planted has. */
const RESPONSES = 5;
const CALLS = 4;
const SESSION_BYTES = 2 * MB;
const INSPECT_BUDGET = 0.2;
const IMPORT_BUDGET = 0.05;
