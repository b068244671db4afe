export const MB = 1_000_000;

/** What became of a target. A target that is missed is a result, not a failure. */
export type Verdict = { readonly isMet: boolean; readonly text: string };

/** The first row is the header; the first column goes to the left, numbers to the right. */
export const layOut = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '))
    .join('\n');
};

/** A ratio that has to be at least so much. */
export const atLeast = (ratio: number, target: number, text: string): Verdict => ({
  isMet: ratio >= target,
  text: `${text}: ${ratio.toFixed(2)} (target at least ${target})`,
});

export const below = (value: number, target: number, text: string, unit: string): Verdict => ({
  isMet: value < target,
  text: `${text}: ${tidy(value)} ${unit} (target below ${target})`,
});

const tidy = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2));
