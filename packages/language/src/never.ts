/** Ends a switch over a union: unreachable unless a case is missing, which the compiler reports. */
export const assertNever = (value: never): never => {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
};
