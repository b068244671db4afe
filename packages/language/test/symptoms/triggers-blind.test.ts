import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shippedEmbedding } from '../embedding/shipped.ts';
import { createTriggerIndex, type TriggerIndex, type Waypoint } from '../../src/symptoms/triggers.ts';

type Row = {
  readonly kind: 'waypoint' | 'message';
  readonly id: string;
  readonly insight: string;
  readonly pattern: string;
  readonly conditions: string;
  readonly text: string;
  readonly expects: string | null;
};

const fixture = (name: string): Buffer => readFileSync(new URL(`../../../../fixtures/labelled/${name}.jsonl`, import.meta.url));
const rowsOf = <T>(name: string): readonly T[] =>
  fixture(name)
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T); // our own files

const waypointOf = ({ id, insight, pattern, conditions }: Row): Waypoint => ({
  id,
  keyInsight: insight,
  reusePattern: pattern,
  triggerConditions: conditions.split(/\s*;\s*/u),
});
const indexOf = (waypoints: readonly Waypoint[]): TriggerIndex => {
  const index = createTriggerIndex({ embedding: shippedEmbedding });
  for (const waypoint of waypoints) index.add(waypoint);
  return index;
};
const allWaypoints = (): readonly Waypoint[] =>
  ['judgement/triggers.tuning', 'judgement/triggers.frozen'].flatMap((name) =>
    rowsOf<Row>(name)
      .filter(({ kind }) => kind === 'waypoint')
      .map(waypointOf),
  );

test('[TRIG-20] the frozen third is the one that was frozen before anything was tuned', () => {
  expect(createHash('sha256').update(fixture('judgement/triggers.frozen')).digest('hex')).toBe(
    '1be697061cc21353f729d7b6bd162b433dc29a96c755f1ae195dfc97d80f20f0',
  );
});

test('[TRIG-20] the frozen third of the blind messages is told apart no worse than is published', () => {
  const index = indexOf(allWaypoints());
  const messages = rowsOf<Row>('judgement/triggers.frozen').filter(({ kind }) => kind === 'message');
  const judged = messages.map(({ text, expects }) => ({ expects, golds: index.match(text).map(({ gold }) => gold) }));
  const fired = judged.reduce((sum, { golds }) => sum + golds.length, 0);
  const right = judged.filter(({ expects, golds }) => expects !== null && golds.includes(expects)).length;
  const wanted = messages.filter(({ expects }) => expects !== null).length;
  console.log(
    `triggers, blind frozen third: ${messages.length} messages, ${right} of ${fired} surfaced belong there, ${right} of ${wanted} are surfaced`,
  );
  expect(messages).toHaveLength(166);
  expect(right / fired).toBeGreaterThanOrEqual(LEAST.precision);
  expect(right / wanted).toBeGreaterThanOrEqual(LEAST.recall);
});

test('[TRIG-20] our own conversations set off one in a hundred at most', () => {
  const index = indexOf(allWaypoints());
  const said = rowsOf<{ readonly said: readonly (readonly [string, string])[] }>('search/sessions').flatMap(({ said: all }) =>
    all.map(([, text]) => text),
  );
  const fired = said.flatMap((text) => index.match(text).map(({ gold, words }) => `${gold} by ${words.join(', ')} in ${text}`));
  console.log(`triggers, our own conversations: ${fired.length} of ${said.length} messages\n${fired.join('\n')}`);
  expect(said.length).toBeGreaterThan(400);
  expect(fired.length / said.length).toBeLessThanOrEqual(0.01);
});

test('[TRIG-19] the whole text of a waypoint is recalled by several of its words, but not by a plan with the same words', () => {
  const index = indexOf(allWaypoints());
  const seen = (text: string): boolean => index.match(text).some(({ gold }) => gold === 'w38');
  expect(seen('Disk usage of the table grows although the row count is constant; vacuum removes no dead rows while a transaction is idle.')).toBe(
    true,
  );
  expect(seen('Please let vacuum remove the dead rows, so that disk usage of the table stays constant.')).toBe(false);
});

test('[TRIG-23] without the embedding only conditions are seen', () => {
  const index = createTriggerIndex();
  for (const waypoint of allWaypoints()) index.add(waypoint);
  expect(
    index.match('Disk usage of the table grows although the row count is constant; vacuum removes no dead rows while a transaction is idle.'),
  ).toEqual([]);
});

test('[TRIG-19] a waypoint that was removed is not recalled either', () => {
  const index = indexOf(allWaypoints());
  index.remove('w19');
  expect(
    index.match('After a reset in the middle of a transfer the I2C slave holds SDA low and the bus is stuck busy.').map(({ gold }) => gold),
  ).not.toContain('w19');
});

test('[TRIG-21] one short name does not stand for a condition of several words', () => {
  const index = indexOf([{ id: 'sort', keyInsight: '', reusePattern: '', triggerConditions: ['JavaScript sort() on numbers'] }]);
  expect(index.match('Here is what I found: the main language is JavaScript, and there is an error in the README.')).toEqual([]);
});

/** What holds; wanted are 0.85 and 0.6 (docs/decisions/0089-gold-is-weighed-by-a-forest.md). */
const LEAST = { precision: 0.9, recall: 0.29 };
