import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('[CONF-1] the frozen half is the one that was frozen before anything was tuned', () => {
  const bytes = readFileSync(new URL('../../../../fixtures/labelled/conflicts.frozen.jsonl', import.meta.url));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe('6d5a065032d1a446979ec83a36170fb69aa42a84bf609b74b49823e31f0e5622');
});
