import { problemOf, reworded, words, type OperationName, type Problem, type Told } from '@yarnboard/protocol';
import { Refusal } from '../refusal.ts';

// Wording a refusal needs the whole vocabulary, which is loaded only then.

export const problemIn = (code: Problem['code'], told: Told, asked: OperationName): Problem => problemOf(code, words(told, 'terminal', asked), told);

export const refusalOf = (problem: Problem, asked: OperationName): Refusal => {
  const { code, detail } = problem;
  return new Refusal(code === 'bad-request' || code === 'bad-reference' ? 2 : 3, reworded(problem, detail, 'terminal', asked));
};
