import { codeOf, words, type OperationName, type ProblemCode, type Reason, type ReasonFacts, type Told } from '@yarnboard/protocol';

/**
 * A refused request. The reason is put in the door's own words (WORDS-1): either a reason with facts, or a plain sentence that reads the same at
 * every door because it names no operations, inputs or routes.
 */
export class Refused extends Error {
  readonly code: ProblemCode;
  readonly told: Told | null;
  /** The operation, if known. */
  readonly asked: OperationName | null;
  constructor(code: ProblemCode, why: string | Told, asked: OperationName | null = null) {
    super(typeof why === 'string' ? why : words(why, 'mcp', asked));
    this.name = 'Refused';
    this.code = code;
    this.told = typeof why === 'string' ? null : why;
    this.asked = asked;
  }

  during(asked: OperationName): Refused {
    return this.asked === null ? new Refused(this.code, this.told ?? this.message, asked) : this;
  }
}

export const refusedFor = <R extends Reason>(reason: R, facts: ReasonFacts<R>): Refused => new Refused(codeOf(reason), { reason, facts } as Told); // R ties the reason to its facts
