import { createTriggerIndex, type TriggerIndex } from '@yarnboard/language';
import { createEmbedding } from '@yarnboard/store';
import { layOut, type Verdict } from '../measure/table.ts';
import { BLIND, groupsOf, PARTS, rowsIn, rowsOf, shareOf, type Part } from './sets.ts';
import { publishedTalk } from './stream.ts';

type Row =
  | { readonly kind: 'waypoint'; readonly id: string; readonly insight: string; readonly pattern: string; readonly conditions: string }
  | {
      readonly kind: 'message';
      readonly id: string;
      readonly style: string;
      readonly domain: string;
      readonly text: string;
      readonly expects: string | null;
      readonly why: string;
    };
type Message = Extract<Row, { readonly kind: 'message' }>;
type Judged = Message & { readonly fired: readonly { readonly gold: string; readonly condition: string; readonly words: readonly string[] }[] };

const embedding = createEmbedding();

/** Messages of a part against the waypoints of that part; the frozen ones against all there are, which is harder. */
export const describeTriggers = ({ isVerbatim }: { readonly isVerbatim: boolean }): readonly Verdict[] => [
  ...PARTS.flatMap((part) => describePart(part, isVerbatim)),
  ...describeStream(isVerbatim),
];

const indexOf = (parts: readonly Part[]): TriggerIndex => indexed(parts.flatMap((part) => rowsOf<Row>(`triggers.${part}`)));
const indexed = (rows: readonly Row[]): TriggerIndex => {
  const index = createTriggerIndex({ embedding });
  for (const row of rows)
    if (row.kind === 'waypoint')
      index.add({ id: row.id, keyInsight: row.insight, reusePattern: row.pattern, triggerConditions: row.conditions.split(/\s*;\s*/u) });
  return index;
};

/** Waypoints and messages of a file, counted and never shown. */
export const countTriggers = (path: string): readonly Verdict[] => {
  const rows = rowsIn<Row>(path);
  const index = indexed(rows);
  const judged = rows.flatMap((row): readonly Judged[] => (row.kind === 'message' ? [{ ...row, fired: index.match(row.text) }] : []));
  console.log(`\nGOLD, ${judged.length} messages, ${index.size()} waypoints`);
  console.log(tableOf(judged));
  const unexpected = judged.filter(({ expects }) => expects === null);
  console.log(
    `messages that expect nothing and set something off: ${shareOf(unexpected.filter(({ fired }) => fired.length > 0).length, unexpected.length)}`,
  );
  return verdictsOf(judged, 'messages of the folder');
};

const tableOf = (judged: readonly Judged[]): string =>
  layOut([
    ['', 'messages', 'precision', 'recall'],
    ['all', ...figuresOf(judged)],
    ...(['style', 'domain'] as const).flatMap((key) => groupsOf(judged, (row) => row[key]).map(([name, rows]) => [`  ${name}`, ...figuresOf(rows)])),
  ]);

const verdictsOf = (judged: readonly Judged[], name: string): readonly Verdict[] => {
  const { right, fired, wanted } = countsOf(judged);
  return [
    { isMet: right / fired >= 0.85, text: `GOLD, ${name}: precision ${shareOf(right, fired)} (target at least 0.85)` },
    { isMet: right / wanted >= 0.6, text: `GOLD, ${name}: recall ${shareOf(right, wanted)} (target at least 0.6)` },
  ];
};

const describePart = (part: Part, isVerbatim: boolean): readonly Verdict[] => {
  const index = indexOf(part === 'frozen' ? BLIND : [part]);
  const judged = rowsOf<Row>(`triggers.${part}`).flatMap((row): readonly Judged[] =>
    row.kind === 'message' ? [{ ...row, fired: index.match(row.text) }] : [],
  );
  console.log(`\nGOLD, messages, ${part}: ${index.size()} waypoints`);
  console.log(tableOf(judged));
  if (part !== 'frozen') {
    for (const { text, fired, expects, why } of judged)
      for (const { gold, condition, words } of fired)
        if (gold !== expects) console.log(`  WRONG  ${JSON.stringify(text)}: ${gold} by ${condition} (${words.join(', ')}): ${why}`);
    if (isVerbatim)
      for (const { text, fired, expects } of judged)
        if (expects !== null && !fired.some(({ gold }) => gold === expects)) console.log(`  MISSED ${expects} in ${JSON.stringify(text)}`);
    return [];
  }
  return verdictsOf(judged, 'frozen');
};

const countsOf = (rows: readonly Judged[]): { readonly right: number; readonly fired: number; readonly wanted: number } => ({
  right: rows.filter(({ fired, expects }) => fired.some(({ gold }) => gold === expects)).length,
  fired: rows.reduce((sum, { fired }) => sum + fired.length, 0),
  wanted: rows.filter(({ expects }) => expects !== null).length,
});
const figuresOf = (rows: readonly Judged[]): readonly string[] => {
  const { right, fired, wanted } = countsOf(rows);
  return [String(rows.length), shareOf(right, fired), shareOf(right, wanted)];
};

/** None of the waypoints is about these sessions, so whatever fires is wrong until somebody has read it. */
const describeStream = (isVerbatim: boolean): readonly Verdict[] => {
  const messages = publishedTalk()?.flat() ?? [];
  if (messages.length === 0) return [];
  const index = indexOf(BLIND);
  const fired = messages.flatMap((text) => index.match(text).map(({ gold, condition, words }) => ({ text, gold, condition, words })));
  console.log(`\nGOLD, messages of published transcripts: ${messages.length} messages, ${index.size()} waypoints, ${fired.length} fired`);
  if (isVerbatim)
    for (const { text, gold, condition, words } of fired)
      console.log(`  FIRED  ${gold} by ${condition} (${words.join(', ')}): ${JSON.stringify(text.slice(0, 200))}`);
  const rate = (1000 * fired.length) / messages.length;
  return [{ isMet: rate < 1, text: `GOLD, published transcripts: ${rate.toFixed(2)} fired in 1,000 messages (target below 1)` }];
};
