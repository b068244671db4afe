import { describe, expect, test } from 'vitest';
import { claimOf, contradictionBetween, findContradictions } from '../../src/scratchpad/conflicts.ts';

const between = (a: string, b: string) => contradictionBetween(claimOf(a), claimOf(b));
const kindOf = (a: string, b: string): string => between(a, b)?.kind ?? 'none';
const kinds = (pairs: readonly (readonly [string, string])[]): readonly string[] => pairs.map(([a, b]) => kindOf(a, b));
const all = (kind: string, pairs: readonly unknown[]): readonly string[] => pairs.map(() => kind);

describe('what is found', () => {
  test('[CONF-2] another number for the same subject is a conflict of values, told in a sentence', () => {
    expect(between('The retry limit is 3.', 'Retry limit: 5')).toEqual({
      kind: 'value',
      subject: 'retry limit',
      description: 'both are about "retry limit": one says 3, the other 5',
    });
  });

  test('[CONF-2] another name in the same place is a conflict of values', () => {
    const pairs = [
      ['The session tokens are stored in Redis.', 'Session tokens are stored in Postgres.'],
      ['The default branch of the repository is `main`.', 'The default branch of the repository is `develop`.'],
      ['The notification service is owned by team Atlas.', 'Team Hermes owns the notification service.'],
      ['The release is scheduled for Thursday.', 'The release is planned for Monday.'],
      ['`order.paid` is sent once per order.', '`order.paid` is sent once per line item.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('value', pairs));
  });

  test('[CONF-3] what one says and the other denies is a conflict', () => {
    const pairs = [
      ['The parser handles nested comments.', "The parser can't handle nested comments."],
      ['There is no index on `users.email`.', 'The `users.email` column has an index.'],
      ['CORS is enabled on the public API.', 'On the public API CORS is switched off.'],
      ['The upload test passes on CI.', 'On CI the upload test fails.'],
      ['The worker acks a message before processing it.', 'The worker acks a message only after processing it.'],
      ['I was unable to reproduce the deadlock.', 'We can reproduce the deadlock.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('negation', pairs));
  });

  test('[CONF-4] different causes of the same symptom, and a cause that is denied or ruled out, are conflicts', () => {
    const pairs = [
      ['The memory leak is caused by the listeners in `Chart`.', 'The memory leak comes from an unbounded cache in the API client.'],
      ['Root cause of the 502s: a keep-alive mismatch.', 'A keep-alive mismatch is not the cause of the 502s.'],
      ['The slow checkout is due to the tax service.', 'Checkout is slow because of N+1 queries in the cart.'],
      ['The disk filled up because of core dumps.', 'Core dumps are disabled on that host, the disk is full of WAL.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('cause', pairs));
  });

  test('[CONF-10] every finding that contradicts is named with its id, in the order given', () => {
    const found = findContradictions('The pool has 20 connections.', [
      { id: 'one', content: 'The pool has 50 connections.' },
      { id: 'two', content: 'The tooltip is cut off at the right edge.' },
      { id: 'three', content: 'The pool has 8 connections.' },
    ]);
    expect(found).toEqual([
      {
        with: 'one',
        kind: 'value',
        subject: 'pool connections',
        description: 'both are about "pool connections": one says 20 connections, the other 50 connections',
      },
      {
        with: 'three',
        kind: 'value',
        subject: 'pool connections',
        description: 'both are about "pool connections": one says 20 connections, the other 8 connections',
      },
    ]);
  });
});

describe('what is none', () => {
  test('[CONF-5] the same value in another notation is the same', () => {
    const pairs = [
      ['The p99 of `/quote` is 1500 ms.', 'The p99 of `/quote` is 1.5 seconds.'],
      ['The table has 1,024 rows.', 'The table has 1024 rows.'],
      ['The heap limit is 2048 MiB.', 'The heap limit is 2 GiB.'],
      ['The sampling rate is 0.01.', 'The sampling rate is 1 %.'],
      ['The cron starts at 6 pm.', 'The cron starts at 18:00.'],
      ['The chart version is v4.2.0.', 'The chart version is 4.2.0.'],
      ['The database is Postgres 15.', 'The database is Postgres 15.4.'],
      ['Half of the requests are cached.', '50 % of the requests are cached.'],
      ['The certificate expires on 2026-06-02.', 'The certificate expires on 2 June 2026.'],
      ['A build takes 3m40s.', 'A build takes 220 s.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('none', pairs));
  });

  test('[CONF-6] a bound and a value within it agree; one beyond it conflicts', () => {
    expect(kindOf('The cache TTL is under a minute.', 'The cache TTL is 45 s.')).toBe('none');
    expect(kindOf('The queue holds up to 1000 jobs.', 'There are 250 jobs in the queue.')).toBe('none');
    expect(kindOf('The request timeout is at least 10 s.', 'The request timeout is 30 s.')).toBe('none');
    expect(kindOf('The request timeout is at least 10 s.', 'The request timeout is 3 s.')).toBe('value');
    expect(kindOf('Uploaded avatars may have up to 2 MB.', 'The limit for uploaded avatars is 25 MB.')).toBe('value');
  });

  test('[CONF-7] another subject, scope or attribute is none', () => {
    const pairs = [
      ['The connect timeout is 5 s.', 'The idle timeout is 60 s.'],
      ['The staging database has 4 replicas.', 'The production database has 2 replicas.'],
      ['Access tokens expire after 15 minutes.', 'Refresh tokens expire after 30 days.'],
      ['The `orders` table has 80 million rows.', 'There are 310 million rows in `order_items`.'],
      ['The p50 of search is 80 ms.', 'The p99 of search is 900 ms.'],
      ['`Store.peek` does not take the lock.', '`Store.get` takes the lock.'],
      ['The retry delay is 200 ms.', 'The retry count is 5.'],
      ['The max heap is 4 GB.', 'The min heap is 1 GB.'],
      ['The lag is 20 s on partition 3.', 'The lag is 2 s on partition 7.'],
      ['Cold reads take 80 ms.', 'Warm reads take 2 ms.'],
      ['The service uses Redis for caching.', 'The service uses Kafka for events.'],
      ['The API accepts JSON.', 'The API accepts XML too.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('none', pairs));
  });

  test('[CONF-8] another time is none', () => {
    const pairs = [
      ['The request timeout used to be 10 s.', 'The request timeout is 30 s.'],
      ['Before the fix the test failed.', 'After the fix the test passes.'],
      ['Last week the queue depth was 200.', 'The queue depth is 15,000 now.'],
      ['In 2022 the base image was debian 10.', 'In 2024 the base image is debian 12.'],
      ['On Monday 14 tests were failing.', 'On Thursday 2 tests were failing.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('none', pairs));
  });

  test('[CONF-9] denied by both, or said with the opposite word, is the same', () => {
    const pairs = [
      ['The archive bucket is not public.', 'The archive bucket is private.'],
      ['`left-pad` is unused in the repo.', 'Nothing in the repo uses `left-pad`.'],
      ['The endpoint does not check the token.', 'No token check is done by the endpoint.'],
      ["The app can't connect without the VPN.", 'You need the VPN to connect to the app.'],
      ['The billing tests fail on Windows.', "On Windows the billing tests don't pass."],
      ["The timeouts aren't caused by DNS.", 'DNS is not the cause of the timeouts.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('none', pairs));
  });
});

describe('reading', () => {
  test('[CONF-11] identifiers match their spelled-out form, other word forms match, and slips of the pen are forgiven', () => {
    const pairs = [
      ['`statement_timeout` of the orders DB is 5 s.', 'The statement timeout of the orders database is 30 s.'],
      ['`maxReplicas` of the ingest HPA is 8.', 'The ingest HPA scales up to 20 replicas.'],
      ['Raw events are retained for 7 days.', 'The rule retains raw events for 30 days.'],
      ['The staging cluster runs Kubernetes 1.27.', 'The staging cluster is on k8s v1.29.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('value', pairs));
    expect(kindOf('The audiance claim is validated by the endpoint.', 'The endpoint never validates the audience claim.')).toBe('negation');
  });
});
