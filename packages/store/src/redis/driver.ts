import type * as client from '@redis/client';
import { loadOptional } from '../optional-package.ts';

/** Loads the client only when an address of Redis is set (MANY-12). */
export const loadRedis = (load: () => Promise<typeof client> = () => import('@redis/client')): Promise<typeof client> => loadOptional(load, MISSING);

const MISSING =
  'Redis needs the package "@redis/client", which is not installed: run `npm install @redis/client` where Yarnboard is installed (with -g if it is)';
