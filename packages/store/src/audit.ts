/** What a board is made of, and what each part can be made again from. */
export const AUDITED_PARTS = ['database', 'log', 'library', 'search', 'media', 'files'] as const;
export type AuditedPart = (typeof AUDITED_PARTS)[number];

/** Something that is not as it was written. `where` names the table and the row, or the page, as the database counts them. */
export type Damage = { readonly part: AuditedPart; readonly where: string; readonly what: string };

/** VERIFY-1: all that is kept beside the chain, held against what it was made from. */
export type Audit = {
  /** The first of each part. */
  readonly damages: readonly Damage[];
  /** How much was looked at, so that nobody takes a sample for the whole. */
  readonly checked: {
    readonly libraryRows: number;
    readonly searchTexts: number;
    readonly searchTextsOf: number;
    readonly media: number;
  };
};

/** Collects damages, so many of each kind of place: a damaged page may spoil thousands of rows, and the first say enough. */
export const createDamages = () => {
  const found: Damage[] = [];
  const counts = new Map<string, number>();
  return {
    add: (part: AuditedPart, place: string, where: string, what: string): void => {
      const count = counts.get(place) ?? 0;
      counts.set(place, count + 1);
      if (count < MOST_OF_A_PLACE) found.push({ part, where, what });
    },
    /** Does a part of the work; what cannot even be read is damaged. */
    attempt: (part: AuditedPart, where: string, work: () => void): void => {
      try {
        work();
      } catch (cause) {
        found.push({ part, where, what: `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` });
      }
    },
    all: (): readonly Damage[] => found,
  };
};

export type Damages = ReturnType<typeof createDamages>;

/** VERIFY-7: null when all texts are compared. Of a long log every n-th is, so that no stretch is left out. */
export const sampleOf = (upTo: number): readonly number[] | null =>
  upTo <= MOST_TEXTS ? null : Array.from({ length: SAMPLE }, (_, i) => Math.floor(((i + 0.5) * upTo) / SAMPLE) + 1);

const MOST_OF_A_PLACE = 3;
const MOST_TEXTS = 50_000;
const SAMPLE = 400;
