import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@yarnboard/transcript';
import { FIXTURES } from '../operations/boards.ts';

/** A field that should be a text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

const SDK_VERSIONS = ['sdk-0.2.50', 'sdk-0.3.325'] as const;

export type Recorded = {
  readonly name: string;
  readonly folder: string;
  /** What the SDK said, query by query. */
  readonly queries: readonly (readonly JsonObject[])[];
  /** What stands on disk afterwards, by uuid. */
  readonly disk: ReadonlyMap<string, JsonObject>;
};

const linesOf = (path: string): readonly JsonObject[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);

// Keys that begin with _ were added when it was recorded.
const cleaned = (line: JsonObject): JsonObject => Object.fromEntries(Object.entries(line).filter(([key]) => !key.startsWith('_')));

export const readRecorded = (version: string, scenario: string): Recorded => {
  const folder = join(FIXTURES, version, scenario);
  const queries = new Map<unknown, JsonObject[]>();
  for (const line of linesOf(join(folder, 'sdk-stream.jsonl'))) {
    const message = cleaned(line);
    if (!('type' in message)) continue;
    queries.set(line['_run'], [...(queries.get(line['_run']) ?? []), message]);
  }
  const disk = new Map<string, JsonObject>();
  for (const name of readdirSync(join(folder, 'projects'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.jsonl')) continue;
    for (const record of linesOf(join(folder, 'projects', name))) if (typeof record['uuid'] === 'string') disk.set(record['uuid'], record);
  }
  return { name: `${version}/${scenario}`, folder, queries: [...queries.values()], disk };
};

export const ALL_RECORDED: readonly Recorded[] = SDK_VERSIONS.flatMap((version) =>
  readdirSync(join(FIXTURES, version))
    .filter((scenario) => existsSync(join(FIXTURES, version, scenario, 'sdk-stream.jsonl')))
    .map((scenario) => readRecorded(version, scenario)),
);
