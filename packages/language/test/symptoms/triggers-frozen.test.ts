import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('[TRIG-1] the frozen half is the one that was frozen before anything was tuned', () => {
  const bytes = readFileSync(new URL('../../../../fixtures/labelled/triggers.frozen.jsonl', import.meta.url));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe('c4655c9c0c9c84117e946d41c848dcf32d2bd229740ee0758c7f7de38b546e67');
});
