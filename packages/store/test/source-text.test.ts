import { maskJson, maskSecrets } from '@yarnboard/domain';
import type { JsonObject } from '@yarnboard/transcript';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceTextOf } from '../src/search/source.ts';
import { searchTextOf } from '../src/search/text.ts';

// Put together here, so that no scanner takes this file for a leak.
const KEY = ['sk', 'ant', 'api03', 'q7wm2kx9lp4vt8rb3nc6yd1hf5jg0'].join('-');
const ODD = 'q8zr5kw2vn7tb4xc9m';
const BODY = `${'MIIEvQ'.repeat(8)}Abcdef1234567890`;

const SAID = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'plain words',
    KEY,
    `behind ${KEY}`,
    ODD,
    `password = "${ODD}"`,
    `DB_PASS=${ODD}`,
    `\\u0073${KEY.slice(1)}`,
    `s\u200bk${KEY.slice(2)}`,
  ),
  fc.constantFrom(
    '-----BEGIN RSA PRIVATE KEY-----',
    BODY,
    '-----END RSA PRIVATE KEY-----',
    'for (let i = 0; i < n; i += 1)',
    'Basic YWRhOmxvdmVsYWNl',
  ),
);
const KEYS = fc.constantFrom(
  'text',
  'content',
  'input',
  'command',
  'password',
  'api_key',
  'authorization',
  'type',
  'uuid',
  'toolUseResult',
  'note',
  KEY,
  ODD,
);
const { value: ANYTHING } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    SAID,
    fc.constantFrom(7, true, null, 'tool_use', 'tool_result', 'text'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(KEYS, tie('value'), { maxKeys: 5 }),
  ),
}));
const RECORD = fc.record(
  {
    type: fc.constantFrom('user', 'assistant', 'system', 'summary', 'api-request'),
    uuid: SAID,
    message: fc.record({ role: fc.constant('user'), content: ANYTHING }, { requiredKeys: ['content'] }),
    toolUseResult: ANYTHING,
    attachment: ANYTHING,
  },
  { requiredKeys: ['type'] },
);

test('[SEC-23] a text is masked like the record that everybody sees, and then once more as a whole, though only what is looked for is masked', () => {
  let hidden = 0;
  fc.assert(
    fc.property(RECORD, (record) => {
      const bytes = Buffer.from(JSON.stringify(record));
      const told = JSON.parse(bytes.toString()) as JsonObject; // what was just written
      const { text, isMasked } = sourceTextOf({ type: 'transcript.line', note: null, copyOf: null }, bytes);
      expect(text).toBe(maskSecrets(searchTextOf(maskJson(told) as JsonObject)).text); // same shape, other texts
      const isHiding = text !== searchTextOf(told);
      hidden += isHiding ? 1 : 0;
      expect(isHiding && !isMasked).toBe(false);
    }),
    { numRuns: 2 * (fc.readConfigureGlobal().numRuns ?? 100) },
  );
  expect(hidden).toBeGreaterThan(0);
});
