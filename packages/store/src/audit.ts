/** The parts of a board, and what each can be rebuilt from. */
export const AUDITED_PARTS = ['database', 'log', 'library', 'search', 'media', 'files'] as const;
export type AuditedPart = (typeof AUDITED_PARTS)[number];

/** Something that differs from what was written. `where` names the table and row, or the page, as the database counts them. */
export type Damage = { readonly part: AuditedPart; readonly where: string; readonly what: string };

/** VERIFY-1: everything kept beside the chain, compared with what it was derived from. */
export type Audit = {
  /** The first few of each part. */
  readonly damages: readonly Damage[];
  /** How much was checked, so that nobody mistakes a sample for everything. */
  readonly checked: {
    readonly libraryRows: number;
    readonly searchTexts: number;
    readonly searchTextsOf: number;
    readonly media: number;
  };
};

/** Collects a limited number of damages per kind of place: a damaged page may spoil thousands of rows, and the first few say enough. */
export const createDamages = () => {
  const found: Damage[] = [];
  const counts = new Map<string, number>();
  return {
    add: (part: AuditedPart, place: string, where: string, what: string): void => {
      const count = counts.get(place) ?? 0;
      counts.set(place, count + 1);
      if (count < MOST_OF_A_PLACE) found.push({ part, where, what });
    },
    /** Runs one part of the audit; whatever can't even be read is reported as damaged, and null. */
    attempt: <T>(part: AuditedPart, where: string, work: () => T): T | null => {
      try {
        return work();
      } catch (cause) {
        found.push({ part, where, what: `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` });
        return null;
      }
    },
    all: (): readonly Damage[] => found,
  };
};

export type Damages = ReturnType<typeof createDamages>;

/** VERIFY-7: null when all texts are compared. In a long log it is every n-th text, so that no stretch is skipped. */
export const sampleOf = (upTo: number): readonly number[] | null =>
  upTo <= MOST_TEXTS ? null : Array.from({ length: SAMPLE }, (_, i) => Math.floor(((i + 0.5) * upTo) / SAMPLE) + 1);

const MOST_OF_A_PLACE = 3;
const MOST_TEXTS = 50_000;
const SAMPLE = 400;
