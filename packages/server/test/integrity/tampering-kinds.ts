import type Database from 'better-sqlite3';

type Value = string | number | bigint | Buffer | null;
type Row = readonly Value[];

type Table = { readonly name: string; readonly columns: readonly string[]; readonly keys: readonly string[] };

/** One way to change a table, made up from its schema: a column that is new tomorrow is among them. Null where there is no row to do it to. */
export type Tampering = { readonly name: string; readonly table: string; readonly apply: (db: Database.Database) => boolean };

/** Every column of every table changed in every way, and rows taken away, doubled and exchanged. */
export const tamperingsOf = (db: Database.Database): readonly Tampering[] =>
  tablesOf(db).flatMap((table) => [
    ...table.columns.flatMap((column) =>
      (COMPARED_AS_A_WHOLE.has(table.name) ? CHANGES.slice(0, 2) : CHANGES).map(({ name, change }) => columnTampering(table, column, name, change)),
    ),
    { name: `${table.name}: a row is deleted`, table: table.name, apply: (on) => deleteRow(on, table) },
    { name: `${table.name}: a row is added`, table: table.name, apply: (on) => addRow(on, table) },
    { name: `${table.name}: two rows are exchanged`, table: table.name, apply: (on) => exchange(on, table) },
  ]);

/** Rows that are held against others, each as a whole: two ways to change a column are as good as four. */
const COMPARED_AS_A_WHOLE: ReadonlySet<string> = new Set(['sessions', 'agents', 'messages', 'operations', 'responses']);

const tablesOf = (db: Database.Database): readonly Table[] =>
  db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")
    .pluck()
    .all()
    .map((name) => {
      const columns = db.prepare<[string], { readonly name: string; readonly pk: number }>('SELECT name, pk FROM pragma_table_info(?)').all(name);
      const keys = columns.filter(({ pk }) => pk > 0).map((column) => column.name);
      return { name, columns: columns.map((column) => column.name), keys: keys.length > 0 ? keys : ['rowid'] };
    });

type Change = (value: Value, others: readonly Value[]) => Value | undefined;

const CHANGES: readonly { readonly name: string; readonly change: Change }[] = [
  { name: 'is another value', change: (value) => other(value) },
  { name: 'is emptied or filled', change: (value) => (value === null ? 7 : null) },
  { name: 'is that of another row', change: (value, others) => others.find((one) => one !== null && !same(one, value)) },
  { name: 'is spelled differently', change: (value) => respelled(value) },
];

const other = (value: Value): Value | undefined => {
  if (value === null) return undefined;
  if (typeof value === 'string') return `${value}x`;
  if (Buffer.isBuffer(value)) return value.length === 0 ? undefined : Buffer.concat([Buffer.from([(value[0] ?? 0) ^ 1]), value.subarray(1)]);
  return Number(value) + 1;
};

/** The same to whoever parses it: a list with a space in it, a hash in capitals, a character by its number, a padded blob, a flag that is not 0 or 1. */
const respelled = (value: Value): Value | undefined => {
  if (typeof value === 'string') {
    if (value.startsWith('[')) return ` ${value}`;
    if (/^[0-9a-f]{16,}$/u.test(value)) return value.toUpperCase();
    const code = value.charCodeAt(0).toString(16).padStart(4, '0');
    return value === '' ? undefined : `\ue000${code}${value.slice(1)}`;
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([value, Buffer.from([0])]);
  return typeof value === 'number' && (value === 0 || value === 1) ? value + 2 : undefined;
};

const columnTampering = (table: Table, column: string, name: string, change: Change): Tampering => ({
  name: `${table.name}.${column} ${name}`,
  table: table.name,
  apply: (db) => {
    const rows = rowsOf(db, table);
    const at = table.columns.indexOf(column);
    const values = rows.map((row) => valueAt(row, at, table));
    const update = db.prepare(`UPDATE ${table.name} SET ${column} = ? WHERE ${keyed(table)}`);
    return rows.some((row, i) => {
      const changed = change(values[i] ?? null, values);
      return changed !== undefined && isDone(() => update.run(changed, ...keyOf(table, row)).changes);
    });
  },
});

const deleteRow = (db: Database.Database, table: Table): boolean => {
  const [row] = rowsOf(db, table);
  return row !== undefined && isDone(() => db.prepare(`DELETE FROM ${table.name} WHERE ${keyed(table)}`).run(...keyOf(table, row)).changes);
};

const addRow = (db: Database.Database, table: Table): boolean => {
  const [row] = rowsOf(db, table).slice(-1);
  if (row === undefined) return false;
  const names = table.columns.join(', ');
  const values = table.columns.map((_, i) => valueAt(row, i, table));
  const insert = db.prepare(`INSERT INTO ${table.name} (${names}) VALUES (${table.columns.map(() => '?').join(', ')})`);
  // With as few columns changed as the database lets us.
  const ways = [
    values,
    ...table.columns.map((_, i) => values.map((value, j) => (i === j ? (other(value) ?? value) : value))),
    values.map((value) => other(value) ?? value),
  ];
  return ways.some((way) => isDone(() => insert.run(...way).changes));
};

/** What both rows say changes places, and their keys stay. */
const exchange = (db: Database.Database, table: Table): boolean => {
  const rows = rowsOf(db, table);
  const plain = table.columns.filter((column) => !table.keys.includes(column));
  const [first] = rows;
  if (first === undefined || plain.length === 0) return false;
  const saidBy = (row: Row): readonly Value[] => plain.map((column) => valueAt(row, table.columns.indexOf(column), table));
  const second = rows.slice(1).find((row) => saidBy(row).some((value, i) => !same(value, saidBy(first)[i] ?? null)));
  if (second === undefined) return false;
  const remove = db.prepare(`DELETE FROM ${table.name} WHERE ${keyed(table)}`);
  const insert = db.prepare(
    `INSERT INTO ${table.name} (${[...table.keys, ...plain].join(', ')}) VALUES (${[...table.keys, ...plain].map(() => '?').join(', ')})`,
  );
  return isDone(() => {
    for (const row of [first, second]) remove.run(...keyOf(table, row));
    insert.run(...keyOf(table, first), ...saidBy(second));
    insert.run(...keyOf(table, second), ...saidBy(first));
    return 2;
  });
};

const rowsOf = (db: Database.Database, { name, columns, keys }: Table): readonly Row[] =>
  db
    .prepare<[], Row>(`SELECT ${[...columns, ...keys].join(', ')} FROM ${name} ORDER BY ${keys.join(', ')}`)
    .raw()
    .all();

const valueAt = (row: Row, at: number, { columns }: Table): Value => (at < columns.length ? (row[at] ?? null) : null);

const keyed = ({ keys }: Table): string => keys.map((key) => `${key} = ?`).join(' AND ');

const keyOf = ({ columns }: Table, row: Row | undefined): readonly Value[] => row?.slice(columns.length) ?? [];

const same = (a: Value, b: Value): boolean => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : a === b);

/** What the database refuses cannot be done to it. */
const isDone = (work: () => number): boolean => {
  try {
    return work() > 0;
  } catch {
    return false;
  }
};
