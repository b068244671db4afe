import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiErrorText, printable, type JsonObject } from '../src/index.ts';

const unreached = (code: string, retryAttempt: number, retryInMs: number): JsonObject => ({
  type: 'system',
  subtype: 'api_error',
  level: 'error',
  cause: { code, path: 'https://api.example/v1/messages', errno: 0 },
  error: { cause: { code, path: 'https://api.example/v1/messages', errno: 0 } },
  retryInMs,
  retryAttempt,
  maxRetries: 10,
});

test.each<[string, readonly JsonObject[], string]>([
  [
    'an API that was not reached',
    [unreached('FailedToOpenSocket', 1, 529.87)],
    'The API could not be reached (FailedToOpenSocket): retry 1 of 10 after 0.5 s',
  ],
  [
    'several causes in turn',
    [unreached('FailedToOpenSocket', 1, 529.87), unreached('ConnectionRefused', 2, 1067), unreached('FailedToOpenSocket', 3, 38_780)],
    'The API could not be reached (FailedToOpenSocket): retries 1 and 3 of 10, after 0.5 s and 39 s\n\nThe API could not be reached (ConnectionRefused): retry 2 of 10 after 1.1 s',
  ],
  [
    'a busy API',
    [1, 2, 3].map((retryAttempt) => ({
      error: { message: '529 {}', status: 529, formatted: '529 Overloaded' },
      retryInMs: 1000,
      retryAttempt,
      maxRetries: 10,
    })),
    '529 Overloaded: retries 1, 2 and 3 of 10, after 1 s, 1 s and 1 s',
  ],
  [
    'an answer that was kept whole',
    [{ error: { status: 500, error: { type: 'error', error: { type: 'api_error', message: 'Internal server error' } } }, retryAttempt: 1 }],
    '500 Internal server error: retry 1',
  ],
  ['a message only', [{ error: { message: 'Connection error.' } }], 'Connection error.'],
  ['a text only', [{ error: 'went\naway' }], 'went away'],
  ['nothing', [{ error: {}, retryInMs: 617.7, retryAttempt: 1, maxRetries: 10 }], 'API error (no details given): retry 1 of 10 after 0.6 s'],
])('[SHOW-6] an error of the API says its cause, the retry and the wait: %s', (_, records, said) => {
  expect(apiErrorText(records)).toBe(said);
});

test('[SHOW-6] whatever a record holds, it is told without control characters', () => {
  const anything = fc.jsonValue() as fc.Arbitrary<JsonObject[string]>;
  const anyRecord = fc.record({ error: anything, cause: anything, retryAttempt: anything, maxRetries: anything, retryInMs: anything });
  fc.assert(
    fc.property(fc.array(anyRecord, { minLength: 1, maxLength: 5 }), (records) => {
      const said = apiErrorText(records);
      expect(said).not.toBe('');
      expect(printable(said)).toBe(said);
    }),
  );
});
