import { codeOf, words, type OperationName, type ProblemCode, type Reason, type ReasonFacts, type Told } from '@yarnboard/protocol';

/**
 * A request that is refused. The reason goes out in the words of the door (WORDS-1): as a reason with its facts, or as a plain sentence that reads the same
 * at every door, since it names neither operations nor inputs nor routes.
 */
export class Refused extends Error {
  readonly code: ProblemCode;
  readonly told: Told | null;
  /** What was asked for, where it is known. */
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

export const refusedFor = <R extends Reason>(reason: R, facts: ReasonFacts<R>): Refused => new Refused(codeOf(reason), { reason, facts } as Told); // a reason and its facts belong together by R
