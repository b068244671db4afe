import { lineOfAddition, readDocument, resolutionText, summaryOf, textOfDocument, withAdditions } from '@yarnboard/domain';
import { setTimeout } from 'node:timers/promises';
import { sha256 } from '../hash.ts';
import type { Redis } from '../redis/connection.ts';
import { readLines } from './lines.ts';
import type { Doubtful, EmergencyPlace } from './port.ts';

/** Published once an emergency is over. */
const RESOLVED_CHANNEL = 'system:emergency_resolved';

/**
 * REC-12: documents in Redis, for other servers and other readers: `emergency:{cache_id}`, and `emergency:active` while any server has an unresolved
 * one. A configured prefix goes in front of the names; it is empty unless several boards share a Redis.
 */
export const redisPlace = (redis: Pick<Redis, 'send' | 'state'>, prefix = ''): EmergencyPlace => {
  const key = (name: string): string => `${prefix}emergency:${name}`;
  const lines = (cacheId: string): string => key(`${cacheId}:writes`);

  /** At start-up the connection may still be opening. */
  const whenUp = async (): Promise<void> => {
    for (let waited = 0; waited < PATIENCE && !redis.state().isUp; waited += STEP) await setTimeout(STEP);
  };

  const all = async (): Promise<readonly string[]> => {
    const members = await redis.send(['SMEMBERS', key('all')]);
    return Array.isArray(members) ? members.filter((one) => typeof one === 'string').toSorted() : [];
  };

  return {
    name: 'redis',
    survives: 'this machine’s disks',
    isLocal: false,
    prepare: () => Promise.resolve(),
    write: async (document) => {
      const { cacheId, resolvedAt } = document;
      const text = textOfDocument(document, sha256);
      const keys = [key(cacheId), key('all'), key('unresolved'), key('active'), lines(cacheId)];
      if (resolvedAt === null) {
        await redis.send(['EVAL', OPEN, `${keys.length}`, ...keys, text, cacheId, summaryOf(document)]);
        return;
      }
      await redis.send(['EVAL', CLOSE, `${keys.length}`, ...keys, text, cacheId, `${prefix}${RESOLVED_CHANNEL}`, resolutionText(document)]);
    },
    add: async (cacheId, additions) => {
      await redis.send(['RPUSH', lines(cacheId), ...additions.map((one) => lineOfAddition(one, sha256).trimEnd())]);
    },
    find: async () => {
      await whenUp();
      const doubtful: Doubtful[] = [];
      const found = await Promise.all(
        (await all()).map(async (cacheId) => {
          const doubt = (one: Omit<Doubtful, 'place' | 'where'>): void => void doubtful.push({ ...one, place: 'redis', where: key(cacheId) });
          const [text, added] = (await redis.send(['EVAL', READ, '2', key(cacheId), lines(cacheId)])) as readonly [string, readonly string[]]; // as READ returns them
          const read = readDocument(text, sha256);
          if (!read.ok) {
            doubt(read.error);
            return [];
          }
          return [withAdditions(read.value, readLines(added.join('\n'), doubt).additions)];
        }),
      );
      return { documents: found.flat(), doubtful };
    },
    remove: async (cacheId) => {
      await redis.send(['EVAL', REMOVE, '5', key(cacheId), key('all'), key('unresolved'), key('active'), lines(cacheId), cacheId]);
    },
    room: () => Promise.resolve(null),
    close: () => Promise.resolve(), // closed by whoever opened the connection
  };
};

const PATIENCE = 1000;
const STEP = 20;

// Several servers may begin and end emergencies at once. The decision that the last one clears the flag is therefore made in Redis, where all of them
// look.
const OPEN = `
  redis.call('SET', KEYS[1], ARGV[1])
  redis.call('DEL', KEYS[5])
  redis.call('SADD', KEYS[2], ARGV[2])
  redis.call('SADD', KEYS[3], ARGV[2])
  redis.call('SET', KEYS[4], ARGV[3])`;

// Both at once: between two reads, a server that rewrites the document would move the added lines into it.
const READ = `
  return {redis.call('GET', KEYS[1]) or '', redis.call('LRANGE', KEYS[2], 0, -1)}`;

const CLOSE = `
  redis.call('SET', KEYS[1], ARGV[1])
  redis.call('DEL', KEYS[5])
  redis.call('SADD', KEYS[2], ARGV[2])
  redis.call('SREM', KEYS[3], ARGV[2])
  if redis.call('SCARD', KEYS[3]) == 0 then redis.call('DEL', KEYS[4]) end
  redis.call('PUBLISH', ARGV[3], ARGV[4])`;

const REMOVE = `
  redis.call('DEL', KEYS[1], KEYS[5])
  redis.call('SREM', KEYS[2], ARGV[1])
  redis.call('SREM', KEYS[3], ARGV[1])
  if redis.call('SCARD', KEYS[3]) == 0 then redis.call('DEL', KEYS[4]) end`;
