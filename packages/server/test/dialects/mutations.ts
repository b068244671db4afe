import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from './homes.ts';

/** A number from 0 up to, but not including, `most`; the same seed gives the same numbers. */
export type Dice = (most: number) => number;

export const diceOf = (seed: number): Dice => {
  let state = Math.imul(seed + 1, 2654435761) >>> 0;
  return (most) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return most <= 0 ? 0 : state % most;
  };
};

/** What becomes of files, and of rows, between the tool that wrote them and whoever reads them. */
export const MUTATIONS = ['cut', 'torn', 'noisy', 'shortened', 'doubled', 'reordered', 'joined', 'retyped'] as const;
export type Mutation = (typeof MUTATIONS)[number];

/** Changes a third of what lies below a folder, and at least one thing; returns how many were changed. */
export const mutate = (folder: string, mutation: Mutation, dice: Dice): number => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && (/\.jsonl?(?:\.zst)?$/u.test(path) || path.endsWith('.db')));
  const always = dice(files.length);
  let changed = 0;
  for (const [i, path] of files.entries()) {
    if (i !== always && dice(3) > 0) continue;
    changed += 1;
    if (path.endsWith('.db')) mutateDatabase(path, mutation, dice);
    else mutateFile(path, mutation, dice);
    // Nobody is writing it just now.
    if (!path.endsWith('.db') && readdirSync(dirname(path)).length > 0 && isThere(path)) utimesSync(path, LONG_AGO, LONG_AGO);
  }
  return changed;
};

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

const mutateFile = (path: string, mutation: Mutation, dice: Dice): void => {
  const bytes = readFileSync(path);
  if (path.endsWith('.zst') || mutation === 'cut' || mutation === 'torn' || mutation === 'noisy') {
    writeFileSync(path, bytesAfter(bytes, mutation, dice));
    return;
  }
  const text = bytes.toString('utf8');
  if (path.endsWith('.jsonl')) writeFileSync(path, `${linesAfter(text.trimEnd().split('\n'), mutation, dice).join('\n')}\n`);
  else if (mutation === 'shortened' && path.includes('/storage/')) rmSync(path);
  else if (mutation === 'doubled' && path.includes('/storage/')) writeFileSync(path.replace(/\.json$/u, 'x.json'), text);
  else writeFileSync(path, JSON.stringify(documentAfter(JSON.parse(text), mutation, dice)));
};

const bytesAfter = (bytes: Buffer, mutation: Mutation, dice: Dice): Buffer => {
  const at = dice(bytes.length);
  if (mutation === 'torn') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + dice(1 + Math.floor(bytes.length / 3)))]);
  if (mutation !== 'noisy') return bytes.subarray(0, at);
  const noisy = Buffer.from(bytes);
  for (let i = 0; i < 1 + bytes.length / 500; i += 1) noisy[dice(bytes.length)] = dice(256);
  return noisy;
};

const linesAfter = (lines: readonly string[], mutation: Mutation, dice: Dice): readonly string[] => {
  const after = [...lines];
  const times = 1 + Math.floor(lines.length / 6);
  if (mutation === 'reordered') return shuffled(after, dice);
  for (let i = 0; i < times && after.length > 0; i += 1) {
    const at = dice(after.length);
    const line = after[at] ?? '';
    if (mutation === 'shortened') after.splice(at, 1);
    else if (mutation === 'doubled') after.splice(dice(after.length), 0, line);
    else if (mutation === 'joined') after.splice(at, 2, `${line}${after[at + 1] ?? ''}`);
    else if (line.startsWith('{') && isJson(line)) after[at] = JSON.stringify(retyped(JSON.parse(line), dice));
  }
  return after;
};

/** A chat in one document: its messages are what lines are elsewhere. */
const documentAfter = (value: unknown, mutation: Mutation, dice: Dice): unknown => {
  const { messages, ...head } = value as { readonly messages?: unknown }; // as the CLI wrote it
  if (!Array.isArray(messages) || mutation === 'joined') return retyped(value, dice);
  const lines = messages.map((message) => JSON.stringify(message));
  return { ...head, messages: linesAfter(lines, mutation, dice).map((line) => JSON.parse(line) as unknown) };
};

/** The same with something in it, at any depth, replaced by something else. */
const retyped = (value: unknown, dice: Dice): unknown => {
  if (typeof value !== 'object' || value === null || dice(6) === 0) return ODD[dice(ODD.length)];
  const keys = Object.keys(value);
  const key = keys[dice(keys.length)];
  if (key === undefined) return ODD[dice(ODD.length)];
  const inner: unknown = Reflect.get(value, key);
  if (Array.isArray(value)) return value.map((one: unknown, i) => (String(i) === key ? retyped(one, dice) : one));
  return { ...value, [key]: retyped(inner, dice) };
};

const mutateDatabase = (path: string, mutation: Mutation, dice: Dice): void => {
  const database = openDatabase(path);
  const idsOf = (table: string): readonly string[] =>
    (database.prepare(`SELECT id FROM "${table}"`).all() as readonly { readonly id: string }[]).map(({ id }) => id); // rows are objects
  const change = (sql: string, ...values: readonly unknown[]): void => {
    try {
      database.prepare(sql).run(...values);
    } catch (cause) {
      if (!/constraint/u.test(String(cause))) throw cause; // the schema itself forbids it
    }
  };
  for (const table of ['session', 'message', 'part']) {
    const ids = idsOf(table);
    for (let i = 0; i < 1 + ids.length / 6; i += 1) {
      const [id, other] = [ids[dice(ids.length)], ids[dice(ids.length)]];
      const column = table === 'session' ? 'revert' : 'data';
      const { text } = (database.prepare(`SELECT "${column}" AS text FROM "${table}" WHERE id = ?`).get(id) ?? {}) as {
        readonly text?: string | null;
      }; // rows are objects
      const data = typeof text === 'string' && isJson(text) ? text : '{}';
      if (mutation === 'shortened') {
        if (table !== 'session') change(`DELETE FROM "${table}" WHERE id = ?`, id);
      } else if (mutation === 'doubled') copyRow(database, table, id, change);
      else if (mutation === 'reordered')
        change(`UPDATE "${table}" SET time_created = (SELECT time_created FROM "${table}" WHERE id = ?) WHERE id = ?`, other, id);
      else if (mutation === 'joined' && table === 'part')
        change('UPDATE part SET message_id = (SELECT message_id FROM part WHERE id = ?) WHERE id = ?', other, id);
      else if (mutation === 'joined' && table === 'session') change('UPDATE session SET parent_id = ? WHERE id = ?', other, id);
      else if (mutation === 'retyped' && dice(3) === 0)
        change(`UPDATE "${table}" SET "${['time_created', 'time_updated'][dice(2)] ?? ''}" = ? WHERE id = ?`, [-1, 'soon', 1e300, 0.5][dice(4)], id);
      else if (mutation === 'retyped')
        change(`UPDATE "${table}" SET "${column}" = ? WHERE id = ?`, JSON.stringify(retyped(JSON.parse(data), dice)), id);
      else
        change(`UPDATE "${table}" SET "${column}" = ? WHERE id = ?`, mutation === 'noisy' ? Buffer.from(data) : data.slice(0, dice(data.length)), id);
    }
  }
  database.close();
};

const copyRow = (
  database: ReturnType<typeof openDatabase>,
  table: string,
  id: string | undefined,
  change: (sql: string, ...values: readonly unknown[]) => void,
): void => {
  const row = database.prepare(`SELECT * FROM "${table}" WHERE id = ?`).get(id) as Readonly<Record<string, unknown>> | undefined; // rows are objects
  if (row === undefined) return;
  const columns = Object.keys(row);
  change(
    `INSERT INTO "${table}" (${columns.map((one) => `"${one}"`).join()}) VALUES (${columns.map(() => '?').join()})`,
    ...columns.map((one) => (one === 'id' ? `${String(row[one])}x` : row[one])),
  );
};

const shuffled = (lines: readonly string[], dice: Dice): readonly string[] =>
  lines
    .map((line) => ({ line, place: dice(1e9) }))
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line);

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  0.5,
  '',
  'odd',
  '\u0000\ud800',
  '__proto__',
  [],
  {},
  [[]],
  [null],
  { toString: 1 },
  'x'.repeat(5000),
];
const LONG_AGO = new Date(Date.UTC(2026, 0, 1));
