export type Report = {
  readonly success: boolean;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[];
};
export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };
export const countReport: (report: Report) => Counts;
export const closingLine: (counts: Pick<Counts, 'passed' | 'failed'>) => string;
export const summaryLine: (counts: Pick<Counts, 'skipped'>, milliseconds: number) => string;
export const isGreen: (counts: Pick<Counts, 'passed' | 'failed'>) => boolean;
