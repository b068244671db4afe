import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { homeOf, openDatabase } from './homes.ts';
import { readScenario, scenarios, toldOf } from './told.ts';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same with a field that nobody knows yet, in itself and in what it holds. */
const withMore = (value: Fields): Fields => ({
  ...Object.fromEntries(Object.entries(value).map(([key, one]) => [key, HOLDERS.has(key) && isFields(one) ? withMore(one) : one])),
  futureField: { deep: [1, { of: 'a later version' }] },
});

const HOLDERS: ReadonlySet<string> = new Set(['payload', 'item', 'data', 'message', 'usage', 'tokens', 'state']);

/** Lines as a later version might write them: known ones say more, and between them stand some of a kind that nobody knows. */
const laterLines = (text: string): { readonly text: string; readonly added: number } => {
  const lines = text.trimEnd().split('\n');
  const out = lines.flatMap((line, i) => {
    const value = JSON.parse(line) as Fields; // as the CLI wrote it
    const unknown = { type: 'future_record', timestamp: value['timestamp'] ?? null, payload: { type: 'future_event' }, data: {} };
    return [JSON.stringify(withMore(value)), ...(i > 0 && i < lines.length - 1 && i % 3 === 0 ? [JSON.stringify(unknown)] : [])];
  });
  return { text: `${out.join('\n')}\n`, added: out.length - lines.length };
};

const laterFiles = (folder: string): number => {
  let added = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.jsonl'))) {
    const later = laterLines(readFileSync(join(folder, name), 'utf8'));
    writeFileSync(join(folder, name), later.text);
    added += later.added;
  }
  return added;
};

const laterDatabase = (folder: string): void => {
  const database = openDatabase(join(folder, 'opencode.db'));
  for (const table of ['session', 'message', 'part']) database.exec(`ALTER TABLE ${table} ADD COLUMN future_column text DEFAULT 'x'`);
  database.exec('CREATE TABLE future_table (id text)');
  for (const table of ['message', 'part']) {
    const update = database.prepare(`UPDATE ${table} SET data = ? WHERE id = ?`);
    for (const { id, data } of database.prepare(`SELECT id, data FROM ${table}`).all() as readonly { readonly id: string; readonly data: string }[])
      update.run(JSON.stringify(withMore(JSON.parse(data) as Fields)), id); // as the CLI wrote it
  }
  database.close();
};

/** Every conversation by its session or agent, and how many lines were read for all of them. */
const toldIn = (folder: string): { readonly told: readonly object[]; readonly lines: number } => {
  const { read, close } = readScenario(folder);
  try {
    const told = read.map((one) => ({
      id: one.session.id,
      projects: [...one.session.projects],
      threads: [one.session.id, ...[...one.session.agents.keys()].sort()].map((id) => [id, toldOf(one, id)]),
    }));
    return { told, lines: read.reduce((sum, { session }) => sum + [...session.kinds.values()].reduce((all, count) => all + count, 0), 0) };
  } finally {
    close();
  }
};

// Forks that point into another file count its bytes and lines, which this changes.
const changeable = (tool: string) => scenarios(tool).filter(({ name }) => !/fork|revert|compress|upgrade/u.test(name));

describe('a later version that writes more', () => {
  test.each(['codex', 'qwen', 'pi', 'copilot', 'gemini'])('[DIALECT-11] %s is reported as before, and what is new is counted', (tool) => {
    let looked = 0;
    for (const scenario of changeable(tool)) {
      const home = homeOf(tool, scenario.folder);
      try {
        const before = toldIn(home.folder);
        const added = laterFiles(home.folder);
        const after = toldIn(home.folder);
        expect({ name: scenario.name, told: after.told }).toEqual({ name: scenario.name, told: before.told });
        expect(after.lines).toBe(before.lines + added);
        looked += added > 0 ? 1 : 0;
      } finally {
        home.close();
      }
    }
    expect(looked).toBeGreaterThan(5);
  });

  test('[DIALECT-11] opencode is reported as before, with columns, tables and fields that nobody knows', () => {
    for (const scenario of changeable('opencode').filter(({ name }) => name.startsWith('1.18'))) {
      const home = homeOf('opencode', scenario.folder);
      try {
        const before = toldIn(home.folder);
        laterDatabase(home.folder);
        expect({ name: scenario.name, told: toldIn(home.folder).told }).toEqual({ name: scenario.name, told: before.told });
      } finally {
        home.close();
      }
    }
  });
});
