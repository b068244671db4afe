import { StoreFault } from './port.ts';

/** Loads a package that is installed only where it is needed (STORE-18); if it is missing, the error says what to install. */
export const loadOptional = async <T>(load: () => Promise<T>, missing: string): Promise<T> => {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new StoreFault('failed', missing, cause);
  }
};

const isMissing = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
