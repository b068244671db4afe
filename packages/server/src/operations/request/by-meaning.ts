import { MeaningFault } from '@yarnboard/store';
import { refusedFor } from './refusal.ts';

/** MEAN-22: if the index's model can't be reached, a search by meaning only fails with the reason. */
export const byMeaning = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (cause) {
    throw cause instanceof MeaningFault ? refusedFor('meaning-unanswered', { why: cause.message }) : cause;
  }
};
