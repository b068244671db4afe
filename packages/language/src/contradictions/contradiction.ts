export type Contradiction = {
  readonly kind: 'value' | 'negation' | 'cause' | 'changed';
  readonly subject: string;
  /** A sentence for people to read. */
  readonly description: string;
};

export const valueConflict = (subject: string, one: string, other: string): Contradiction => {
  const [first, second] = [one, other].toSorted();
  return { kind: 'value', subject, description: `both are about "${subject}": one says ${first}, the other ${second}` };
};
