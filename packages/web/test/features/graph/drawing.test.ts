import { expect, test } from 'vitest';
import { createDrawingDesk, type DrawingAnswer, type DrawingOrder } from '../../../src/features/graph/drawing-desk.ts';
import { createCollector, type Drawing } from '../../../src/features/graph/drawing.ts';
import { planParts } from '../../../src/features/graph/parts.ts';
import { chain, node } from './trees.ts';

/** The desk with a mailbox: what is to be done later is done when the test says so. */
const openDesk = () => {
  const answers: DrawingAnswer[] = [];
  const waiting: (() => void)[] = [];
  const drawings: Drawing[] = [];
  const failures: string[] = [];
  const collect = createCollector(
    (drawing) => drawings.push(drawing),
    (why) => failures.push(why),
  );
  const tell = createDrawingDesk({
    post: (answer) => {
      answers.push(answer);
      collect(answer);
    },
    later: (work) => waiting.push(work),
  });
  const draw = (number: number, more: Partial<Extract<DrawingOrder, { kind: 'draw' }>> = {}): void =>
    tell({ kind: 'draw', number, detail: null, toggled: new Map(), isPart: false, ...more });
  const work = (): void => {
    for (const job of waiting.splice(0)) job();
  };
  return { tell, draw, work, answers, drawings, failures };
};

const given = (length: number) => {
  const desk = openDesk();
  const { nodes, ...facts } = chain(length);
  desk.tell({ kind: 'nodes', nodes: nodes.slice(0, length / 2) });
  desk.tell({ kind: 'nodes', nodes: nodes.slice(length / 2) });
  desk.tell({ kind: 'facts', ...facts });
  return desk;
};

test('[PAGE-73] of several wishes that wait only the last is drawn, and an older answer that comes late is dropped', () => {
  const { draw, work, answers, drawings } = given(14);
  draw(1, { detail: 'overview' });
  draw(2, { detail: 'turns' });
  draw(3, { detail: 'messages' });
  work();
  expect(new Set(answers.map((answer) => (answer.kind === 'failed' ? null : answer.number)))).toEqual(new Set([3]));
  expect(drawings.map(({ detail, nodes }) => ({ detail, nodes }))).toEqual([{ detail: 'messages', nodes: 14 }]);
  const late: Drawing[] = [];
  const collect = createCollector(
    (drawing) => late.push(drawing),
    () => {},
  );
  const drawn = { kind: 'drawn', detail: 'turns', leaf: -1, nodes: 0, width: 0, height: 0, isPart: false } as const;
  collect({ ...drawn, number: 2 });
  collect({ ...drawn, number: 1 });
  expect(late).toHaveLength(1);
});

test('[PAGE-73] a large drawing comes in pieces that together are all of it', () => {
  const { draw, work, answers, drawings } = given(7000);
  draw(1, { detail: 'messages' });
  work();
  const sizes = answers.flatMap((answer) => (answer.kind === 'items' ? [answer.items.length] : answer.kind === 'lines' ? [answer.lines.length] : []));
  expect(Math.max(...sizes)).toBe(300);
  const [{ items, lines }] = drawings as [Drawing];
  expect({ cards: items.filter(({ isCard }) => isCard).length, lines: lines.length }).toEqual({ cards: 7000, lines: 6999 });
});

test('[PAGE-73] what goes wrong while it draws is told', () => {
  const { tell, draw, work, failures } = openDesk();
  tell({ kind: 'nodes', nodes: [node('a', null)] });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what no server answers
  tell({ kind: 'facts', sidechains: null as never, branches: [], calls: new Map(), leafUuid: null, trail: null });
  draw(1);
  work();
  expect(failures).toEqual([expect.stringContaining('TypeError')]);
});

test.each([
  [20, 'messages', 20],
  [300, 'turns', 43],
  [7000, 'overview', 42],
] as const)('[PAGE-71] %i records are shown as %s unless somebody chooses otherwise: %i cards', (records, detail, cards) => {
  const { draw, work, drawings } = given(records);
  draw(1);
  work();
  const [drawing] = drawings as [Drawing];
  expect({ detail: drawing.detail, cards: drawing.items.filter(({ isCard }) => isCard).length }).toEqual({ detail, cards });
});

test('[PAGE-77] what is there keeps its card and its place when the session grows', () => {
  const { tell, draw, work, drawings } = given(700);
  draw(1, { detail: 'overview' });
  work();
  const grown = chain(735);
  tell({ kind: 'nodes', nodes: grown.nodes.slice(690) });
  tell({ kind: 'facts', sidechains: [], branches: [], calls: new Map(), leafUuid: 'u734', trail: null });
  draw(2, { detail: 'overview' });
  work();
  const [before, after] = drawings as [Drawing, Drawing];
  const places = ({ items }: Drawing): readonly string[] => items.map(({ id, x, y }) => `${id} ${x} ${y}`);
  const last = (drawing: Drawing): string => drawing.items[drawing.leaf]?.id ?? '';
  expect(places(after).slice(0, places(before).length - 1)).toEqual(places(before).slice(0, -1));
  expect([last(before), last(after)]).toEqual(['turn:u693', 'turn:u728']);
});

test.each([6000, 20_000, 250_000])(
  '[PAGE-700] of %i records the first page is drawn at once, and all parts together are less than the whole',
  (entries) => {
    const isDue = planParts(() => entries);
    const drawn: number[] = [];
    for (let read = 500; read <= entries; read += 500) if (isDue(read)) drawn.push(read);
    expect(drawn[0]).toBe(500);
    expect(drawn.reduce((sum, one) => sum + one, 0)).toBeLessThan(entries);
    expect(drawn.at(-1)).toBeLessThan(entries);
  },
);

test('[PAGE-700] a session that is read in a moment is drawn once', () => {
  const isDue = planParts(() => 4000);
  expect([500, 1000, 4000].some(isDue)).toBe(false);
  expect(planParts(() => null)(500)).toBe(true);
});

test('[PAGE-700] a part is drawn before anything is told of the session: its main thread as one way, to the newest message that is there', () => {
  const { tell, draw, work, drawings } = openDesk();
  const { nodes, ...facts } = chain(30);
  const beside = node('x', 'u3', { role: 'reply', isSidechain: true, agentId: 'agent' });
  tell({ kind: 'nodes', nodes: [...nodes.slice(0, 10), beside] });
  draw(1, { isPart: true, detail: 'messages' });
  work();
  tell({ kind: 'nodes', nodes: nodes.slice(10) });
  tell({ kind: 'facts', ...facts });
  draw(2, { detail: 'messages' });
  work();
  const [part, whole] = drawings as [Drawing, Drawing];
  expect([part.isPart, whole.isPart]).toEqual([true, false]);
  expect(part.items[part.leaf]?.id).toBe('message:u9');
  expect(part.lines.filter(({ isActive }) => isActive)).toHaveLength(9);
  expect(whole.items[whole.leaf]?.id).toBe('message:u29');
});
