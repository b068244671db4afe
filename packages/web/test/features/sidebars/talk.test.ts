import fc from 'fast-check';
import { expect, test } from 'vitest';
import { together, type Said } from '../../../src/features/sidebars/talk.ts';

const saidAt = (seq: number, text = 'x'): Said => ({
  key: `${seq}`,
  seq,
  ref: `MSG-${seq}`,
  exchange: null,
  at: seq,
  sender: 'AGENT-mia',
  senderType: 'human',
  context: 'SB-1',
  text,
  citations: [],
  inReplyTo: null,
  isOnItsWay: false,
});
const coming = (key: string): Said => ({ ...saidAt(Number.MAX_SAFE_INTEGER), key, ref: null, isOnItsWay: true });

const places = fc.uniqueArray(fc.integer({ min: 1, max: 30 })).map((all) => all.toSorted((a, b) => a - b));

test('[PAGE-86] what is known and what is told since are one conversation: in the order of the log, each once, as it was told last', () => {
  fc.assert(
    fc.property(places, places, fc.integer({ min: 0, max: 3 }), (known, told, ways) => {
      const onTheirWay = Array.from({ length: ways }, (_, n) => coming(`way-${n}`));
      const all = together(
        known.map((seq) => saidAt(seq)),
        [...told.map((seq) => saidAt(seq, 'told')), ...onTheirWay],
      );
      const seqs = [...new Set([...known, ...told])].toSorted((a, b) => a - b);
      expect(all).toEqual([...seqs.map((seq) => saidAt(seq, told.includes(seq) ? 'told' : 'x')), ...onTheirWay]);
    }),
  );
});

test('[PAGE-145] a message that was there is the same one when others come', () => {
  const [known, told] = [[saidAt(1), saidAt(2)], [saidAt(3)]];
  const first = together(known, told);
  const second = together(known, [...told, saidAt(4)]);
  expect(second.slice(0, 3).map((said, n) => said === first[n])).toEqual([true, true, true]);
});
