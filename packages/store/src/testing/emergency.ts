import type { EmergencyAddition, EmergencyDocument } from '@yarnboard/domain';
import { withAdditions } from '@yarnboard/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EmergencyPlace } from '../emergency/port.ts';

/** A place to test, and how to open it again. `spoil` changes its copy of a document behind its back. */
export type PlaceBench = {
  readonly open: () => EmergencyPlace;
  readonly spoil: (cacheId: string, change: (text: string) => string) => Promise<void>;
  readonly end: () => Promise<void>;
};

export type PlaceArbitraries = {
  readonly documents: (cacheId: string) => fc.Arbitrary<EmergencyDocument>;
  readonly addition: fc.Arbitrary<EmergencyAddition>;
};

/** REC-5: what every place of the emergency cache does. Nothing in here asks which one it is. */
export const describePlace = (openBench: () => Promise<PlaceBench | null>, { documents, addition }: PlaceArbitraries, why: string): void => {
  const withBench = async (skip: (note: string) => void, work: (bench: PlaceBench) => Promise<void>): Promise<void> => {
    const bench = await openBench();
    if (bench === null) {
      skip(why);
      return;
    }
    try {
      await work(bench);
    } finally {
      await bench.end();
    }
  };

  test('[REC-5] what was written and added is found again, also by whoever opens the place next', async ({ skip }) => {
    expect.hasAssertions();
    await withBench(skip, async ({ open }) => {
      await fc.assert(
        fc.asyncProperty(documents('EC-1'), fc.array(addition, { maxLength: 6 }), fc.nat(6), async (document, additions, cut) => {
          const place = open();
          await place.prepare();
          await place.remove('EC-1');
          await place.write(document);
          for (const some of [additions.slice(0, cut), additions.slice(cut)]) if (some.length > 0) await place.add('EC-1', some);
          const wanted = { documents: [withAdditions(document, additions)], doubtful: [] };
          expect(await place.find()).toEqual(wanted);
          await place.close();
          const next = open();
          expect(await next.find()).toEqual(wanted);
          if (additions.length > 0) await next.add('EC-1', additions);
          expect(await next.find()).toEqual(wanted);
          await next.close();
        }),
        { numRuns: 10 },
      );
    });
  });

  test('[REC-5] a document takes the place of the one before, and one that is removed is gone', async ({ skip }) => {
    expect.hasAssertions();
    await withBench(skip, async ({ open }) => {
      const [first, second, other] = fc.sample(fc.tuple(documents('EC-1'), documents('EC-1'), documents('EC-2')), 1)[0] ?? [];
      if (first === undefined || second === undefined || other === undefined) throw new Error('no sample');
      const place = open();
      expect(await place.find()).toEqual({ documents: [], doubtful: [] });
      await place.write(first);
      await place.write(other);
      await place.write({ ...second, resolvedAt: second.updatedAt });
      const found = await place.find();
      expect(found.documents.toSorted((a, b) => (a.cacheId < b.cacheId ? -1 : 1))).toEqual([{ ...second, resolvedAt: second.updatedAt }, other]);
      await place.remove('EC-1');
      expect((await place.find()).documents).toEqual([other]);
      await place.close();
    });
  });

  test('[REC-2] a document that was changed behind its back is reported, left alone, and keeps no other from being found', async ({ skip }) => {
    expect.hasAssertions();
    await withBench(skip, async ({ open, spoil }) => {
      const [[one, two] = []] = fc.sample(fc.tuple(documents('EC-1'), documents('EC-2')), 1);
      if (one === undefined || two === undefined) throw new Error('no sample');
      const kindAfter = async (change: (text: string) => string): Promise<string | undefined> => {
        const place = open();
        await place.write(one);
        await place.write(two);
        await spoil('EC-1', change);
        const found = await place.find();
        expect(found.documents).toEqual([two]);
        expect(await place.find()).toEqual(found);
        await place.close();
        return found.doubtful[0]?.kind;
      };
      expect(await kindAfter((text) => text.slice(0, text.length / 2))).toBe('torn');
      expect(await kindAfter(() => '{"name":"somebody else"}')).toBe('foreign');
      expect(await kindAfter((text) => text.replace('"format":1', '"format":9'))).toBe('newer');
      expect(await kindAfter((text) => text.replace('"host":"here"', '"host":"there"'))).toBe('forged');
    });
  });
};
