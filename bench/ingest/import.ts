import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { generateTree } from '../generate.ts';
import { runCcusage, type Ccusage } from '../measure/ccusage.ts';
import { runCommand, type Command } from '../measure/command.ts';
import { mustBeEqual } from '../measure/run.ts';
import type { Planted } from '../tree/planted.ts';
import type { ImportResult, RawResult } from './job.ts';

export type ImportOrder = {
  readonly command: Command;
  /** The program of the baseline. */
  readonly raw: string;
  readonly folder: string;
  readonly bytes: number;
  readonly seed: number;
  readonly ccusage: Ccusage | null;
};

/** Makes a tree and imports it into an empty home, both of which stay: `tree` and `board` in the folder. */
export const measureImport = async ({ command, raw, folder, bytes, seed, ccusage }: ImportOrder): Promise<ImportResult> => {
  const tree = join(folder, 'tree');
  const home = join(folder, 'board');
  mkdirSync(tree, { recursive: true });
  const planted = generateTree(tree, { bytes, seed });
  const companions = warmCache(tree);
  const { seconds, cpu, peakBytes, stdout } = await runCommand(command, home, ['import', tree, '--json']);
  const board = join(home, 'home', 'board', 'board.db');
  await checkBoard(board, planted, companions, JSON.parse(stdout) as Counts); // the shape is the command's promise
  const baseline = join(folder, 'raw');
  mkdirSync(baseline);
  const { status, stdout: printed, stderr } = spawnSync(process.execPath, [raw, board, baseline], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the baseline failed: ${stderr}`);
  rmSync(baseline, { recursive: true });
  return {
    planted,
    import: { seconds, cpu },
    peakBytes,
    boardBytes: statSync(board).size,
    indexBytes: statSync(join(board, '..', 'search.db')).size,
    raw: JSON.parse(printed) as RawResult, // printed by ingest/child.ts and by nobody else
    ccusageSeconds: ccusage === null ? null : runCcusage(ccusage, tree, folder).seconds,
  };
};

type Counts = { readonly lines: number; readonly quarantined: number; readonly known: number; readonly bytes: number };

const checkBoard = async (path: string, planted: Planted, companions: number, counts: Counts): Promise<void> => {
  const store = await openStore(`sqlite:${path}`, { prices: DEFAULT_PRICES, now: () => 0, newId: () => '', readOnly: true });
  const { entries, sessions, messages, agents, spent } = await store.library.totals();
  const rows = await store.library.sessions({ limit: planted.sessions.length + 1 });
  const indexed = await store.search.position();
  await store.close();
  mustBeEqual(
    'the import',
    {
      lines: planted.records + companions,
      entries: planted.records + companions,
      indexed: planted.records + companions,
      sessions: planted.sessions.length,
      messages: planted.messages,
      sidechains: planted.sidechains,
      toolUses: planted.toolUses,
      toolPairs: planted.toolPairs,
      responses: planted.responses,
      ...planted.tokens,
      known: 0,
      quarantined: 0,
      unpriced: 0,
    },
    {
      lines: counts.lines,
      entries,
      indexed,
      sessions,
      messages,
      sidechains: agents,
      toolUses: rows.reduce((sum, row) => sum + row.toolUses, 0),
      toolPairs: rows.reduce((sum, row) => sum + row.toolResults, 0),
      responses: spent.responses,
      ...spent.usage,
      known: counts.known,
      quarantined: counts.quarantined,
      unpriced: spent.unpriced,
    },
  );
};

/** Reads every file once; says how many belong to a session without being transcripts. */
const warmCache = (folder: string): number => {
  let companions = 0;
  for (const found of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!found.isFile()) continue;
    readFileSync(join(found.parentPath, found.name));
    if (!found.name.endsWith('.jsonl')) companions += 1;
  }
  return companions;
};
