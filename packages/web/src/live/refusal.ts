/** The server did not do it: a stable code, and a sentence for people. */
export class AskRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'AskRefused';
    this.code = code;
  }
}
