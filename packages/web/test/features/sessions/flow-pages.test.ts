import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  firstInput,
  formattedIn,
  hasOpenEnds,
  isOtherWay,
  PAGE_SIZE,
  pageInput,
  pagesFor,
  pageWith,
  placeOf,
  shapeOf,
  shapeWith,
  stepAt,
  tailInput,
  type FlowShape,
} from '../../../src/features/sessions/flow-pages.ts';
import { operationOf, stepOf, toldOf } from './steps.ts';

const NONE = new Map();
const placeAt = ({ firstPlace }: FlowShape, row: number): number => firstPlace + row;

/** A quick answer of the last steps, whose uuids are those of a conversation of so many. */
const quick = (count: number, total: number) => toldOf(-count, 0, null, (index) => ({ uuid: `u${total + index}` }));

describe('how a conversation opens', () => {
  test('[PAGE-10] what is asked for first: the end at once, or what the address names', () => {
    const address = { sessionId: 's', thread: 'main', through: null };
    expect([
      firstInput(address, null),
      firstInput(address, 'MSG-3'),
      firstInput(address, 'MSG-3', false),
      firstInput({ ...address, through: 'u4' }, null),
      firstInput({ ...address, thread: 'agent' }, null),
      tailInput(address),
      pageInput(address, 3),
    ]).toEqual([
      { id: 's', limit: 50, quick: 'true' },
      { id: 's', limit: 50, at: 'MSG-3', quick: 'true' },
      { id: 's', limit: 50, at: 'MSG-3' },
      { id: 's', limit: 50, through: 'u4' },
      { id: 's', thread: 'agent', limit: 50, quick: 'true' },
      { id: 's', limit: 50 },
      { id: 's', from: 150, limit: 50 },
    ]);
  });

  test('[PAGE-10] a settled answer tells how many rows there are, and some of them', () => {
    const shape = shapeOf(toldOf(70, 120, 120));
    expect({ isSettled: shape.isSettled, count: shape.count, known: [...shape.known.keys()].length }).toEqual({
      isSettled: true,
      count: 120,
      known: 50,
    });
    expect([stepAt(shape, NONE, 69), stepAt(shape, NONE, 119)?.uuid]).toEqual([null, 'u119']);
  });

  test('[PAGE-12] a quick answer has one row more than steps: what comes before them', () => {
    const shape = shapeOf(quick(3, 1000));
    expect({ isSettled: shape.isSettled, rows: Array.from({ length: shape.count }, (_, row) => stepAt(shape, NONE, row)?.uuid ?? null) }).toEqual({
      isSettled: false,
      rows: [null, 'u997', 'u998', 'u999'],
    });
    expect(pagesFor(shape, 0, 3)).toEqual([]);
  });

  test('[PAGE-12] once all is known every step keeps its place, also when more came meanwhile', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 20 }), (seen, before, more) => {
        const total = seen + before;
        const first = shapeOf(quick(seen, total));
        const settled = shapeWith(first, toldOf(Math.max(0, total + more - 50), total + more, total + more));
        const last = total - 1;
        expect(settled.count).toBe(total + more);
        expect(placeAt(settled, last)).toBe(placeAt(first, first.count - 1));
      }),
    );
  });

  test('[PAGE-12] what is around a message has a row more on both sides, and keeps its places once all is known', () => {
    fc.assert(
      fc.property(
        fc.record({ at: fc.nat(400), before: fc.nat(25), after: fc.nat(24), behind: fc.nat(300) }),
        ({ at, before: wished, after, behind }) => {
          const before = Math.min(wished, at);
          const total = at + 1 + after + behind;
          const part = { ...toldOf(-before, after + 1, null, (index) => ({ uuid: `u${at + index}` })), at: 0 };
          const shape = shapeOf(part);
          expect([shape.isSettled, shape.hasEnd, shape.count]).toEqual([false, false, before + after + 3]);
          expect([stepAt(shape, NONE, 0), stepAt(shape, NONE, shape.count - 1)]).toEqual([null, null]);
          const place = placeOf(shape, part);
          expect(stepAt(shape, NONE, (place ?? 0) - shape.firstPlace)?.uuid).toBe(`u${at}`);
          const whole = { ...toldOf(Math.max(0, at - 25), Math.min(total, at + 25), total), at };
          const settled = shapeWith(shape, whole);
          expect([settled.isSettled, settled.hasEnd, settled.count, placeOf(settled, whole)]).toEqual([true, true, total, place]);
        },
      ),
    );
  });

  test('[PAGE-12] rows keep their places while the conversation grows', () => {
    const shape = shapeOf(toldOf(0, 10, 10));
    const grown = shapeWith(shape, toldOf(0, 12, 12));
    expect([placeAt(grown, 4), grown.count]).toEqual([placeAt(shape, 4), 12]);
  });
});

describe('pages', () => {
  test('[PAGE-10] those in sight are asked for, and a neighbour when it is near', () => {
    const shape = shapeOf(toldOf(950, 1000, 1000));
    expect([pagesFor(shape, 20, 30), pagesFor(shape, 40, 48), pagesFor(shape, 95, 105), pagesFor(shape, 990, 999)]).toEqual([
      [0],
      [0, 1],
      [1, 2],
      [19],
    ]);
  });

  test('[PAGE-10] every row that is in sight is on a page that is asked for, and no page is beyond the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(), fc.integer({ min: 0, max: 60 }), (count, start, size) => {
        const from = start % count;
        const to = Math.min(count - 1, from + size);
        const pages = pagesFor(shapeOf(toldOf(0, 0, count)), from, to);
        expect(pages).toContain(Math.floor(from / PAGE_SIZE));
        expect(pages).toContain(Math.floor(to / PAGE_SIZE));
        expect(Math.max(...pages)).toBeLessThanOrEqual(Math.floor((count - 1) / PAGE_SIZE));
      }),
    );
  });

  test('[PAGE-13] a page that the end covers is brought up to date by it', () => {
    const before = toldOf(100, 110, 110).items;
    const end = toldOf(65, 115, 115, (index) => (index === 109 ? { text: 'more' } : {}));
    const fate = pageWith(2, before, end);
    expect(fate).toEqual({ items: end.items.slice(35) });
  });

  test('[PAGE-13] a page before the end stays as it is; one that lacks steps is asked for again', () => {
    const full = toldOf(0, 50, 50).items;
    const lacking = toldOf(50, 60, 60).items;
    const end = toldOf(150, 200, 200);
    expect([pageWith(0, full, end), pageWith(1, lacking, end)]).toEqual(['kept', 'asked-again']);
  });

  test('[PAGE-13] whatever a page had and however much came, it has what the conversation has, or is asked for again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 200 }), fc.nat({ max: 9 }), (before, more, n) => {
        const page = n % Math.ceil(before / PAGE_SIZE);
        const had = toldOf(page * PAGE_SIZE, Math.min(before, (page + 1) * PAGE_SIZE), before).items;
        const total = before + more;
        const fate = pageWith(page, had, toldOf(Math.max(0, total - 50), total, total));
        const items = fate === 'kept' ? had : fate === 'asked-again' ? null : fate.items;
        const wanted = toldOf(page * PAGE_SIZE, Math.min(total, (page + 1) * PAGE_SIZE), total).items;
        expect(items ?? wanted).toEqual(wanted);
      }),
    );
  });

  test('[PAGE-13] an end with other steps, or fewer, is that of another way', () => {
    const shape = shapeOf(toldOf(0, 50, 60));
    const pages = new Map([[0, toldOf(0, 50, 60).items]]);
    expect([
      isOtherWay(shape, pages, toldOf(20, 70, 70)),
      isOtherWay(
        shape,
        pages,
        toldOf(20, 70, 70, (index) => (index === 30 ? { uuid: 'other' } : {})),
      ),
      isOtherWay(shape, pages, toldOf(0, 40, 40)),
      isOtherWay(shape, pages, toldOf(200, 250, 250)),
    ]).toEqual([false, true, true, false]);
  });

  test('[PAGE-6] what is shown formatted is read ahead, the nearest first; what was typed and what is folded is not', () => {
    const items = [
      stepOf(0),
      stepOf(1, { kind: 'prompt', speaker: 'Human' }),
      stepOf(2, { kind: 'compaction' }),
      stepOf(3, { text: '' }),
      stepOf(4),
      stepOf(9),
    ];
    expect(formattedIn(items, 5)).toEqual(['step 4', 'step 9', 'step 0']);
  });

  test('[PAGE-13] steps whose operations still run are asked for again', () => {
    const done = stepOf(0, { operations: [operationOf(0)] });
    expect([hasOpenEnds([done]), hasOpenEnds([done, stepOf(1, { operations: [operationOf(0, { state: 'running' })] })])]).toEqual([false, true]);
  });
});
