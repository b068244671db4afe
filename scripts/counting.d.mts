export type FileReport = {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string; readonly failureMessages?: readonly string[] }[];
};
export type Report = { readonly success: boolean; readonly testResults: readonly FileReport[] };
export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };
export const countReport: (report: Report) => Counts;
export const closingLine: (counts: Pick<Counts, 'passed' | 'failed'>) => string;
export const summaryLine: (counts: Pick<Counts, 'skipped'>, milliseconds: number) => string;
export const isGreen: (counts: Pick<Counts, 'passed' | 'failed'>) => boolean;
export const worthAnotherRun: (report: Report) => readonly string[];
export const settle: (report: Report, again: Report) => { readonly report: Report; readonly unsteady: readonly string[] };
