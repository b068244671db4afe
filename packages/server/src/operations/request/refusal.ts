import type { ProblemCode } from '@yarnboard/protocol';

/** A request that is refused, with the reason that goes out. */
export class Refused extends Error {
  readonly code: ProblemCode;
  constructor(code: ProblemCode, detail: string) {
    super(detail);
    this.name = 'Refused';
    this.code = code;
  }
}
