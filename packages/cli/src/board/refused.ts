import { problemOf, reworded, words, type OperationName, type Problem, type Told } from '@yarnboard/protocol';
import { Refusal } from '../refusal.ts';

// Words for what is refused need the whole vocabulary. They are loaded when something is.

export const problemIn = (code: Problem['code'], told: Told, asked: OperationName): Problem => problemOf(code, words(told, 'terminal', asked), told);

export const refusalOf = (problem: Problem, asked: OperationName): Refusal => {
  const { code, detail } = problem;
  return new Refusal(code === 'bad-request' || code === 'bad-reference' ? 2 : 3, reworded(problem, detail, 'terminal', asked));
};
