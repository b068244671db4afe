import { Archive, SearchX, Sparkles, TextSearch } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { InsideOutput } from '@yarnboard/protocol';
import { useActor, useLive, useSidebar } from '../../live/hooks.tsx';
import { useResultStops } from '../../shared/result-stops.ts';
import { useTypedText } from '../../shared/typed-text.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import { coverageText } from '../search/hit-line.tsx';
import { archiveAddressOf, archiveQuestionOf, archiveWishIn, NO_ARCHIVE_WISH, type ArchiveWish } from './archive-address.ts';
import { ArchiveCard } from './archive-card.tsx';
import { ArchiveFilters } from './archive-filters.tsx';
import { TypedBox } from './typed-box.tsx';
import { usePages, type Pages } from './use-pages.ts';

const ForkDialog = lazy(async () => ({ default: (await import('../sidebars/fork-dialog.tsx')).ForkDialog }));

/** PAGE-500: searches archived sidebars by any combination of words, meaning and facts. */
export const ArchivedSidebars = () => {
  const [params, setParams] = useSearchParams();
  const wish = archiveWishIn(params);
  const { ask } = useLive();
  const question = archiveQuestionOf(wish);
  const found = usePages('archive_search', question, (cursor, signal) => ask('archive_search', { ...question, ...cursor }, signal));
  const { place, box, onKeyDown } = useResultStops();
  const change = (part: Partial<ArchiveWish>): void => setParams((now) => archiveAddressOf({ ...archiveWishIn(now), ...part }), { replace: true });
  const [words, typeWords] = useTypedText(wish.q, (q) => change({ q }));
  const [about, typeAbout] = useTypedText(wish.about, (next) => change({ about: next }));
  const clear = (): void => change({ ...NO_ARCHIVE_WISH, q: wish.q, about: wish.about });
  useEffect(() => {
    // Waits until the frame has moved focus to the view, so that someone arrowing through the tabs keeps their place.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement?.closest('[role="tablist"]') === null) box.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [box]);
  return (
    <div ref={place} className="archive">
      <div role="search" aria-label="Search the archive" className="archive-boxes">
        <TypedBox
          box={box}
          label="Words"
          icon={TextSearch}
          placeholder="Words, even misspelled or cut short"
          value={words}
          onChange={typeWords}
          onKeyDown={onKeyDown}
        />
        <TypedBox
          label="Meaning"
          icon={Sparkles}
          placeholder="What it was about, in your own words"
          value={about}
          onChange={typeAbout}
          onKeyDown={onKeyDown}
        />
      </div>
      <ArchiveFilters wish={wish} onChange={change} onClear={clear} />
      <Results found={found} wish={wish} onKeyDown={onKeyDown} onChange={change} onClear={clear} />
    </div>
  );
};

type ResultsProps = {
  readonly found: Pages<InsideOutput<'archive_search'>>;
  readonly wish: ArchiveWish;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
  readonly onChange: (part: Partial<ArchiveWish>) => void;
  readonly onClear: () => void;
};

const Results = ({ found: { pages, isOld, error, more, isLoadingMore, retry }, wish, onKeyDown, onChange, onClear }: ResultsProps) => {
  const actor = useActor();
  const [forked, setForked] = useState<string | null>(null);
  if (error !== null) return <Failure title="Couldn’t search the archive" error={error} onRetry={retry} />;
  const first = pages?.[0];
  if (pages === null || first === undefined) return <Skeleton lines={8} label="Loading the archive" />;
  const hits = pages.flatMap(({ items }) => items);
  const isAsking = archiveAddressOf(wish).size > 0;
  const coverage = coverageText(first.coverage);
  return (
    <>
      <div className="archive-facts" role="status">
        <p>{hits.length === 0 ? 'No archived sidebars' : foundText(first, isAsking)}</p>
        {coverage === null ? null : <p className="archive-indexing">{coverage}.</p>}
      </div>
      {hits.length === 0 ? (
        <NothingFound wish={wish} isAsking={isAsking} onChange={onChange} onClear={onClear} />
      ) : (
        <ol className="archive-results" aria-label="Archived sidebars" aria-busy={isOld}>
          {hits.map((hit) => (
            <li key={hit.uuid}>
              <ArchiveCard hit={hit} onKeyDown={onKeyDown} onFork={actor === null ? null : setForked} />
            </li>
          ))}
        </ol>
      )}
      {more === null ? null : (
        <Button onClick={more} isBusy={isLoadingMore} data-stop onKeyDown={onKeyDown}>
          Show more
        </Button>
      )}
      {forked === null ? null : (
        <Suspense fallback={null}>
          <Fork sidebarRef={forked} onClose={() => setForked(null)} />
        </Suspense>
      )}
    </>
  );
};

/** The row of an archived sidebar may not be loaded yet. */
const Fork = ({ sidebarRef, onClose }: { readonly sidebarRef: string; readonly onClose: () => void }) => {
  const row = useSidebar(sidebarRef);
  return row.kind === 'there' ? <ForkDialog sidebar={row.sidebar} onClose={onClose} /> : null;
};

const foundText = ({ total, order }: InsideOutput<'archive_search'>, isAsking: boolean): string =>
  `${counted(total, 'archived sidebar')}${isAsking ? ` ${total === 1 ? 'matches' : 'match'}` : ''}, by ${order === 'newest' ? 'date' : 'relevance'}`;

type NothingProps = Pick<ResultsProps, 'wish' | 'onChange' | 'onClear'> & { readonly isAsking: boolean };

const NothingFound = ({ wish, isAsking, onChange, onClear }: NothingProps) => {
  if (!isAsking) {
    return (
      <Empty icon={Archive} title="Nothing archived yet">
        Archive a sidebar when you’re done with it. You can find, cite and fork it from here.
      </Empty>
    );
  }
  const canLoosen = (wish.q.trim() !== '' && wish.alike === '') || (wish.about.trim() !== '' && wish.near === '');
  return (
    <Empty
      icon={SearchX}
      title="No archived sidebar matches"
      action={
        canLoosen ? (
          <Button onClick={() => onChange({ ...(wish.alike === '' ? { alike: '60' } : {}), ...(wish.near === '' ? { near: '30' } : {}) })}>
            Accept looser matches
          </Button>
        ) : (
          <Button onClick={onClear}>Clear filters</Button>
        )
      }
    >
      Every word and every filter has to match. Try fewer words or remove a filter.
    </Empty>
  );
};
