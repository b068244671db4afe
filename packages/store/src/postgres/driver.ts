import type pg from 'pg';
import { StoreFault } from '../port.ts';

/** Loads `pg` when a board on PostgreSQL is opened, and not before: a board in a file does not need it (STORE-18). */
export const loadDriver = async (load: () => Promise<{ readonly default: typeof pg }> = () => import('pg')): Promise<typeof pg> => {
  try {
    return (await load()).default;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new StoreFault('failed', MISSING, cause);
  }
};

const isMissing = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';

const MISSING =
  'A board on PostgreSQL needs the package "pg", which is not installed: run `npm install pg` where Yarnboard is installed (with -g if it is), or `npx -p yarnboard -p pg yarnboard`';
