import type pg from 'pg';
import { loadOptional } from '../optional-package.ts';

/** Loads `pg` only when a board on PostgreSQL is opened: a board in a file doesn't need it (STORE-18). */
export const loadDriver = async (load: () => Promise<{ readonly default: typeof pg }> = () => import('pg')): Promise<typeof pg> =>
  (await loadOptional(load, MISSING)).default;

const MISSING =
  'A board on PostgreSQL needs the package "pg", which is not installed: run `npm install pg` where Yarnboard is installed (with -g if it is), or `npx -p yarnboard -p pg yarnboard`';
