import { ARCHIVE_REASONS, EPISODE_STANDINGS, EPISODE_TRIGGERS } from '@yarnboard/domain';
import { outsideInput, REGISTRY } from '@yarnboard/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  archiveAddressOf,
  archiveQuestionOf,
  archiveWishIn,
  episodeAddressOf,
  episodeQuestionOf,
  episodeWishIn,
  hasArchiveFilters,
  hasFurtherFilters,
  NO_ARCHIVE_WISH,
  OUTCOMES,
  SETTLED,
  type ArchiveWish,
  type EpisodeWish,
} from '../../../src/features/archive/archive-address.ts';

const orNone = (some: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(fc.constant(''), some);
const word = fc.string({ maxLength: 20 }).map((text) => text.trim());
const text = fc.string({ maxLength: 40 });
const words = fc.uniqueArray(
  word.filter((one) => one !== ''),
  { maxLength: 4 },
);
const day = orNone(
  fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map((at) => at.toISOString().slice(0, 10)),
);
const percent = orNone(fc.integer({ min: 0, max: 100 }).map(String));
const sidebar = orNone(fc.integer({ min: 1, max: 9999 }).map((n) => `SB-${n}`));

const anyWish: fc.Arbitrary<ArchiveWish> = fc.record({
  q: text,
  about: text,
  alike: percent,
  near: percent,
  outcomes: fc.subarray([...OUTCOMES]),
  types: words,
  people: words,
  tags: words,
  reasons: fc.subarray([...ARCHIVE_REASONS]),
  since: day,
  until: day,
  gold: fc.constantFrom('' as const, 'with' as const, 'without' as const),
  by: word,
  project: word,
  sidebar,
  from: word,
  child: sidebar,
  fork: sidebar,
  forked: sidebar,
});

const anyEpisodes: fc.Arbitrary<EpisodeWish> = fc.record({
  q: text,
  trigger: fc.constantFrom('', ...EPISODE_TRIGGERS),
  standing: fc.constantFrom('', SETTLED, ...EPISODE_STANDINGS),
  tag: word,
  sidebar,
  checkpoint: sidebar.map((one) => (one === '' ? '' : `${one}:CHECKPOINT-2`)),
  since: day,
  until: day,
});

test('[PAGE-501] what is looked for in the archive survives a round trip through its address', () => {
  fc.assert(
    fc.property(anyWish, (wish) => {
      expect(archiveWishIn(new URLSearchParams(archiveAddressOf(wish).toString()))).toEqual(wish);
    }),
  );
  fc.assert(
    fc.property(anyEpisodes, (wish) => {
      const address = new URLSearchParams(episodeAddressOf(wish).toString());
      expect([address.get('tab'), episodeWishIn(address)]).toEqual(['episodes', wish]);
    }),
  );
});

const NAMES = ['q', 'about', 'alike', 'near', 'outcome', 'type', 'who', 'tag', 'reason', 'since', 'until', 'gold', 'by', 'project', 'sidebar'];
const OTHERS = ['from', 'child', 'fork', 'forked', 'trigger', 'standing', 'checkpoint', 'other'];

test('[PAGE-501] whatever stands in an address, what is asked of the server is something it takes', () => {
  const given = fc.dictionary(fc.constantFrom(...NAMES, ...OTHERS), fc.oneof(fc.string(), fc.constantFrom('SB-0', 'SB-12', '101', 'MERGED', 'x,y')));
  fc.assert(
    fc.property(given, (params) => {
      const address = new URLSearchParams(params);
      const asked = REGISTRY.archive_search.input.safeParse(outsideInput('archive_search', archiveQuestionOf(archiveWishIn(address))));
      const kept = REGISTRY.episodes.input.safeParse(outsideInput('episodes', episodeQuestionOf(episodeWishIn(address))));
      expect([asked.error, kept.error]).toEqual([undefined, undefined]);
    }),
  );
});

test('[PAGE-501] every filter of the search of the archive, and of episodes, can be asked for by an address', () => {
  const all = archiveQuestionOf(
    archiveWishIn(
      new URLSearchParams(
        'q=a&about=b&alike=60&near=0&outcome=failed&outcome=MERGED&type=t&who=AGENT-ada&tag=x&tag=y&reason=manual&since=2026-01-01&until=2026-02-01&gold=with&by=AGENT-bo&project=/p&sidebar=SB-1&from=MSG-3&child=SB-2&fork=SB-3&forked=SB-4',
      ),
    ),
  );
  const ours = ['full', 'facets', 'limit', 'offset', 'cursor'];
  expect(Object.keys(outsideInput('archive_search', all)).toSorted()).toEqual(
    Object.keys(REGISTRY.archive_search.input.shape)
      .filter((name) => !ours.includes(name))
      .toSorted(),
  );
  expect(all).toMatchObject({ statuses: ['FAILED', 'MERGED'], tags: ['x', 'y'], fuzzyThreshold: 0.6, similarityThreshold: 0, hasGold: 'true' });
  const kept = {
    ...episodeQuestionOf(
      episodeWishIn(
        new URLSearchParams('q=a&trigger=gold&standing=final&tag=x&sidebar=SB-1&checkpoint=SB-1:CHECKPOINT-2&since=2026-01-01&until=2026-01-02'),
      ),
    ),
    ...episodeQuestionOf(episodeWishIn(new URLSearchParams('standing=settled'))),
  };
  expect(Object.keys(outsideInput('episodes', kept)).toSorted()).toEqual(
    Object.keys(REGISTRY.episodes.input.shape)
      .filter((name) => !ours.includes(name))
      .toSorted(),
  );
});

test('[PAGE-501] a threshold counts only where there is a text that it is for', () => {
  expect(archiveQuestionOf({ ...NO_ARCHIVE_WISH, alike: '50', near: '50' })).toEqual({});
  expect(archiveQuestionOf({ ...NO_ARCHIVE_WISH, q: ' a ', alike: '50', near: '50' })).toEqual({ fuzzyText: 'a', fuzzyThreshold: 0.5 });
  const isFiltered = (part: Partial<ArchiveWish>) => [hasArchiveFilters, hasFurtherFilters].map((has) => has({ ...NO_ARCHIVE_WISH, ...part }));
  expect(isFiltered({ q: 'a', about: 'b' })).toEqual([false, false]);
  expect(isFiltered({ tags: ['a'] })).toEqual([true, false]);
  expect(isFiltered({ by: 'AGENT-ada' })).toEqual([true, true]);
});
