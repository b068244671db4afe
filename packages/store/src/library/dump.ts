/** A row as text, identical in both databases. */
export const dumpedRow = (
  table: string,
  row: Readonly<Record<string, unknown>>,
  resolve: (column: string, value: unknown) => unknown = (_, value) => value,
): string => {
  const entries = Object.entries(row)
    .filter(([column]) => !(table === 'sessions' && column === 'name'))
    .map(([column, value]) => [camelOf(column), resolve(column, value)]);
  return `${table} ${JSON.stringify(Object.fromEntries(entries))}`;
};

/** The property name of a column. */
export const camelOf = (column: string): string => column.replaceAll(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
