/** A command that can't be carried out: the sentence for the user and the exit code. The only thing that verbs throw. */
export class Refusal extends Error {
  readonly code: 2 | 3;

  constructor(code: 2 | 3, message: string) {
    super(message);
    this.code = code;
  }
}
