import { parseRef } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import { ArrowRight, Search as SearchIcon, SearchX, X } from 'lucide-react';
import { useEffect, type KeyboardEvent } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Reference, shortName } from '../../ui/reference.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import { BesideButton } from '../../shared/beside-link.tsx';
import { useResultStops } from '../../shared/result-stops.ts';
import { useTypedText } from '../../shared/typed-text.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { coverageText, HitSource, HitText, placeOfHit } from './hit-line.tsx';
import { addressOf, hasFilters, MODES, wishIn, type SearchFilters, type SearchWish } from './search-address.ts';
import { Filters } from './search-filters.tsx';
import { SearchHints } from './search-hints.tsx';
import './search-page.css';
import { useSearch, type Hit, type Search } from './use-search.ts';

/** Searches everything ever said, as you type. */
export const SearchPage = () => {
  const [params, setParams] = useSearchParams();
  const wish = wishIn(params);
  const { place, box, onKeyDown } = useResultStops();
  const search = useSearch(wish);

  const change = (part: Partial<SearchWish>): void => setParams((now) => addressOf({ ...wishIn(now), ...part }), { replace: true });
  const [text, setText] = useTypedText(wish.q, (q) => change({ q }));
  useEffect(() => {
    // Runs after the page frame has moved the focus to the view.
    const frame = requestAnimationFrame(() => box.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [box]);

  const clear = (): void => {
    setText('');
    box.current?.focus();
  };
  return (
    <Page title="Search" intro="search" tabTitle={wish.q === '' ? 'Search' : `${wish.q} · Search`}>
      <div ref={place} className="search">
        <div role="search" className="search-box">
          <SearchIcon aria-hidden />
          <input
            ref={box}
            type="text"
            inputMode="search"
            aria-label="Search everything"
            placeholder="Words, “a phrase”, code, MSG-12 …"
            maxLength={4096}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
          {text === '' ? null : <IconButton icon={X} label="Clear" size="small" onClick={clear} />}
        </div>
        <Filters
          wish={wish}
          onChange={(filters: Partial<SearchFilters>) => change(filters)}
          onClear={() => setParams(addressOf({ q: wish.q, mode: wish.mode }), { replace: true })}
        />
        <Segmented
          label="Search by"
          isLabelHidden
          segments={MODES}
          value={MODES.find(({ value }) => value === wish.mode)?.value ?? ''}
          onChange={(mode) => change({ mode })}
        />
        <DirectReference text={wish.q} />
        {wish.q.trim() === '' ? (
          <SearchHints />
        ) : (
          <Results
            search={search}
            wish={wish}
            onKeyDown={onKeyDown}
            onClear={() => setParams(addressOf({ q: wish.q, mode: wish.mode }), { replace: true })}
          />
        )}
      </div>
    </Page>
  );
};

const DirectReference = ({ text }: { readonly text: string }) =>
  parseRef(text).ok ? (
    <Notice icon={ArrowRight}>
      <Reference to={text.trim()}>Open {text.trim().toUpperCase()}</Reference>
    </Notice>
  ) : null;

type ResultsProps = {
  readonly search: Search;
  readonly wish: SearchWish;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onClear: () => void;
};

const Results = ({ search, wish, onKeyDown, onClear }: ResultsProps) => {
  const { hits, isLoading, isOld, isComplete, coverage, corrected, loosened, error, more, isLoadingMore } = search;
  if (error !== null && hits.length === 0) return <Failure title="Search failed" error={error} onRetry={search.retry} />;
  if (isLoading) return <Skeleton lines={8} label="Searching" />;
  return (
    <>
      <div className="search-facts" role="status">
        <p>{hits.length === 0 ? 'No results' : resultsText(search)}</p>
        {corrected.flatMap(({ word, instead }) =>
          instead.length === 0
            ? []
            : [
                <p key={word}>
                  Showing results for <strong>{printableLine(instead.join(', '))}</strong> (you typed “{printableLine(word)}”).
                </p>,
              ],
        )}
        {loosened === null ? null : <Loosened {...loosened} />}
        {coverageText(coverage) === null ? null : <p className="search-indexing">{coverageText(coverage)}.</p>}
        {isComplete ? null : <p className="search-indexing">Still indexing – the latest messages may be missing.</p>}
      </div>
      {hits.length === 0 ? (
        <Empty
          icon={SearchX}
          title={`No results for “${wish.q.trim()}”`}
          action={hasFilters(wish) ? <Button onClick={onClear}>Search without filters</Button> : undefined}
        >
          No message has enough of these words. Try fewer words, or the start of one: <code>connec*</code>.
        </Empty>
      ) : (
        <ol className="search-results" aria-label="Results" aria-busy={isOld}>
          {hits.map((hit) => (
            <li key={hit.position} className="search-result">
              <Link href={placeOfHit(hit)} className="search-hit card" data-stop onKeyDown={onKeyDown}>
                <span className="search-hit-text">
                  <HitText hit={hit} />
                </span>
                <HitSource hit={hit} />
              </Link>
              <HitBeside hit={hit} />
              {hit.supersededBy === null ? null : (
                <p className="search-result-instead">
                  <ArrowRight aria-hidden />
                  <Reference to={hit.supersededBy}>Open {shortName(hit.supersededBy)} instead</Reference>
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
      {more === null ? null : (
        <Button onClick={more} isBusy={isLoadingMore} data-stop onKeyDown={onKeyDown}>
          Show more
        </Button>
      )}
    </>
  );
};

/** PAGE-600: a sidebar's hit opens next to the results. */
const HitBeside = ({ hit }: { readonly hit: Hit }) => {
  const [, name, search] = /^\/sidebars\/(SB-\d+)(?:\?(.*))?$/u.exec(placeOfHit(hit)) ?? [];
  return name === undefined ? null : (
    <span className="search-result-beside">
      <BesideButton name={name} search={search ?? ''} />
    </span>
  );
};

const Loosened = ({ wanted, ignored, widened }: NonNullable<Search['loosened']>) => (
  <>
    {wanted === 'all' ? null : (
      <p>No message has every word, so these have most of them{ignored.length === 0 ? '' : ` (without ${printableLine(ignored.join(', '))})`}.</p>
    )}
    {widened.length === 0 ? null : (
      <p>
        Also showing results for <strong>{printableLine(widened.flatMap(({ instead }) => instead).join(', '))}</strong>.
      </p>
    )}
  </>
);

const resultsText = ({ hits, more, order }: Search): string =>
  `${more === null ? counted(hits.length, 'result') : `First ${counted(hits.length, 'result')}`} by ${order === 'newest' ? 'date' : 'relevance'}`;
