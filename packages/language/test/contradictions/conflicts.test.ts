import { describe, expect, test } from 'vitest';
import { claimOf } from '../../src/contradictions/claim.ts';
import { contradictionBetween } from '../../src/contradictions/conflicts.ts';
import { createLanguage } from '../../src/language.ts';

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
      ['The mail template is written in Handlebars.', 'Mail templates use Liquid.'],
      ['Avatars are served by the CDN.', 'The app server itself serves the avatars.'],
      ['Audit events are written to the `audit_log` table.', 'Audit events end up in `security_events`.'],
      ['The frontend is deployed on Vercel.', 'We host the frontend on Netlify.'],
      ['Sessions are kept in Redis.', 'Sessions live in Postgres.'],
      ['The release was approved by Anna.', 'Tom approved the release.'],
      ['The regression came with commit a1b2c3d.', 'Commit 9f8e7d6 introduced the regression.'],
      ['The limit for uploads is 5 MB.', 'Uploads up to 20 MB are allowed.'],
      ['The warning only occurs in Firefox.', 'The warning occurs in all browsers.'],
      ['On the Pixel 6 the game runs at 60 fps.', 'The game runs at 30 frames per second on the Pixel 6.'],
      ['Hot path is `normalizePath`, 38% of CPU.', 'The profile shows 9 % of CPU in `normalizePath`.'],
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
      ['Cancelled orders are left out of the report.', 'The report counts cancelled orders.'],
      ['The middleware swallows exceptions.', 'Exceptions propagate out of the middleware.'],
      ['Sorting mutates the array.', 'The array is left unchanged by sorting.'],
      ['The transaction gets rolled back on a timeout.', 'On timeout the transaction is committed.'],
      ['Signing out clears the draft.', 'The draft survives a logout.'],
      ['The pod is NotReady.', 'The pod is ready.'],
      ['The image has a shell.', 'There is no shell in the image.'],
      ['Compression is active for JSON responses.', 'JSON goes out uncompressed.'],
      ['The auth check runs after the `rate_limit` middleware.', 'The `rate_limit` middleware runs after the auth check.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('negation', pairs));
  });

  test('[CONF-4] different causes of the same symptom, and a cause that is denied or ruled out, are conflicts', () => {
    const pairs = [
      ['The memory leak is caused by the listeners in `Chart`.', 'The memory leak comes from an unbounded cache in the API client.'],
      ['Root cause of the 502s: a keep-alive mismatch.', 'A keep-alive mismatch is not the cause of the 502s.'],
      ['The slow checkout is due to the tax service.', 'Checkout is slow because of N+1 queries in the cart.'],
      ['The disk filled up because of core dumps.', 'Core dumps are disabled on that host, the disk is full of WAL.'],
      ['Layout shift culprit: the ad slot.', 'The layout shift is caused by the late web font.'],
      ['The flaky test is due to a port clash.', "It's the shared temp dir that makes the test flaky."],
      ['What broke the login was the cookie flag.', 'The login broke because of clock skew.'],
      ['Startup freeze: font registration.', 'The app freezes at startup since it reads the keychain.'],
      ['The slow dashboard has nothing to do with the join.', 'The join explains the slow dashboard.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('cause', pairs));
  });

  test('[CONF-10] every finding that contradicts is named with its place, in the order given, and no more than are asked for', () => {
    const { contradictions } = createLanguage({ mask: (text) => text });
    const others = ['The pool has 50 connections.', 'The tooltip is cut off at the right edge.', 'The pool has 8 connections.'];
    const found = contradictions('The pool has 20 connections.', others);
    expect(found).toEqual([
      {
        at: 0,
        kind: 'value',
        subject: 'pool connections',
        description: 'both are about "pool connections": one says 20 connections, the other 50 connections',
      },
      {
        at: 2,
        kind: 'value',
        subject: 'pool connections',
        description: 'both are about "pool connections": one says 20 connections, the other 8 connections',
      },
    ]);
    expect(contradictions('The pool has 20 connections.', others, 1)).toEqual(found.slice(0, 1));
  });

  test('[BOARD-8] no description repeats what is masked in the texts', () => {
    const texts = ['The key of the mailer is hunter2.', 'The key of the mailer is swordfish.'] as const;
    const told = (mask: (text: string) => string): readonly string[] =>
      createLanguage({ mask })
        .contradictions(texts[0], [texts[1]])
        .map(({ description }) => description);
    expect(told((text) => text)).toEqual(['both are about "key mailer": one says hunter2, the other swordfish']);
    expect(told((text) => text.replace(/hunter2|swordfish/u, 'secret'))).toEqual([]);
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
    expect(kindOf('The ping is between 100 and 200 ms.', 'The ping is 140 ms.')).toBe('none');
    expect(kindOf('The heap never needs more than 1 GB.', 'The heap needs 900 MB.')).toBe('none');
    expect(kindOf('Uploads over 5 MB are rejected.', 'Uploads under 5 MB are accepted.')).toBe('none');
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
      ["The SDK for Go doesn't support streaming.", 'Streaming works in the SDK for Node.'],
      ['The query takes 12 s without the index.', 'With the index the query takes 40 ms.'],
      ['Login fails with a wrong password.', 'Login works with the right password.'],
      ['The gateway allows 100 connections per client.', 'The gateway allows 5000 connections in total.'],
      ['The p99 of writes is 80 ms, the p99 of reads is 12 ms.', 'Reads have a p99 of 12 ms.'],
      ['Topic `clicks` has a retention of 7 days.', 'Retention on topic `clicks-raw` is 24 h.'],
      ['The job `sync-contacts` fails because of a timeout.', 'The job `sync-calendars` fails because its grant was revoked.'],
      ['Column `payload` of `events` has an index.', "Column `payload` of `events` isn't documented."],
      ['Somebody from Platform owns the runner images.', 'The runner images are owned by Tomasz from Platform.'],
      ['The cache layer uses Redis for sessions.', 'The cache layer uses Memcached for fragments.'],
      ['The worker logs in JSON.', 'The worker gets its config from YAML.'],
      ['The connection is opened per request.', 'The connection is closed after each request.'],
      ['The archive job deletes rows older than 90 days.', 'Rows are kept for 90 days, then the archive job removes them.'],
      ['The API returns 429 when throttled.', 'When throttled, the API sets Retry-After to 20.'],
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
      ['The p95 of the listing is 300 ms at noon.', 'At night the p95 of the listing is 90 ms.'],
      ['The cron was disabled during the migration.', 'The cron is enabled.'],
      ['While the incident lasted, the status page was not updated.', 'After the incident the status page was updated.'],
      ['The gateway runs with eight replicas.', 'We ran the gateway with two replicas back then.'],
      ['The worker crashed at 03:12.', 'At 04:00 the worker was running again.'],
    ] as const;
    expect(kinds(pairs)).toEqual(all('none', pairs));
  });

  test('[CONF-9] denied by both, or said with the opposite word, is the same', () => {
    const pairs = [
      ['The archive bucket is not public.', 'The archive bucket is private.'],
      ['`left-pad` is unused in the repo.', 'Nothing in the repo uses `left-pad`.'],
      ['The endpoint does not check the token.', 'No token check is done by the endpoint.'],
      ["The app can't connect without the VPN.", 'You need the VPN to connect to the app.'],
      ['Unknown ids give Not Found on the endpoint.', 'The endpoint returns a 404 for unknown ids.'],
      ['The billing tests fail on Windows.', "On Windows the billing tests don't pass."],
      ["The timeouts aren't caused by DNS.", 'DNS is not the cause of the timeouts.'],
      ["The API key isn't rotated automatically.", 'Rotation of the API key is manual.'],
      ["The bug isn't in the parser.", 'The parser has nothing to do with the bug.'],
      ['The cache is invalidated on each write.', 'It is not true that the cache is never invalidated.'],
      ['We can rule out the database as the cause of the slow start.', 'The slow start is not caused by the database.'],
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
    expect(kindOf('HTTP/2 is enabled on the ingress.', 'On the ingress http2 is disabled.')).toBe('negation');
    expect(kindOf('The audiance claim is validated by the endpoint.', 'The endpoint never validates the audience claim.')).toBe('negation');
  });
});
