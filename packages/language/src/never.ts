/** The end of a switch over a union: unreachable unless a case was forgotten, which the compiler says first. */
export const assertNever = (value: never): never => {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
};
