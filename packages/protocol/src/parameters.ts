import * as z from 'zod';

/** Parameters shared by several operations. */
export const reveal = z.stringbool().default(false).describe('shows masked secrets; the operator only');
export const limit = z.coerce.number().int().min(1).max(500).default(100).describe('at most 500');
// A session's id may be a path of any length, and a cursor contains one.
export const cursor = z.string().max(32_768).optional().describe('next_cursor from the previous page');
export const sessionId = z.string().min(1).max(4096).describe('a session id, or its first characters');

/** In an address, several values are one text: comma-separated, or as JSON. */
const listIn = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (!value.startsWith('[')) return value.split(',').map((one) => one.trim());
  try {
    return JSON.parse(value) as unknown; // the following schema validates it
  } catch {
    return value;
  }
};

export const several = <T extends z.ZodType>(one: T) => z.preprocess(listIn, z.array(one).min(1).max(MOST_NAMED)).optional();

const MOST_NAMED = 100;
