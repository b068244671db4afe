import { MeaningFault } from '@yarnboard/store';
import { refusedFor } from './refusal.ts';

/** MEAN-22: where the model of the index cannot be asked, whoever wants nothing but meaning is told why. */
export const byMeaning = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (cause) {
    throw cause instanceof MeaningFault ? refusedFor('meaning-unanswered', { why: cause.message }) : cause;
  }
};
