import { EPISODE_TRIGGERS } from '@yarnboard/domain';
import { BookMarked, FilterX, SearchX, TextSearch } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { useLive } from '../../live/hooks.tsx';
import { useResultStops } from '../../shared/result-stops.ts';
import { SpanFilter } from '../../shared/span-filter.tsx';
import { useTypedText } from '../../shared/typed-text.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import {
  episodeAddressOf,
  episodeQuestionOf,
  episodeWishIn,
  hasEpisodeFilters,
  isCheckpointName,
  isSidebarName,
  NO_EPISODE_WISH,
  SETTLED,
  type EpisodeWish,
} from './archive-address.ts';
import { EpisodeCard } from './episode-card.tsx';
import { NameField } from './name-field.tsx';
import { TypedBox } from './typed-box.tsx';
import { usePages } from './use-pages.ts';

/** PAGE-504: the episodic memory of the whole board. */
export const KeptEpisodes = () => {
  const [params, setParams] = useSearchParams();
  const wish = episodeWishIn(params);
  const { place, box, onKeyDown } = useResultStops();
  const change = (part: Partial<EpisodeWish>): void => setParams((now) => episodeAddressOf({ ...episodeWishIn(now), ...part }), { replace: true });
  const [words, type] = useTypedText(wish.q, (q) => change({ q }));
  const clear = (): void => change({ ...NO_EPISODE_WISH, q: wish.q });
  return (
    <div ref={place} className="archive">
      <div role="search" aria-label="Search episodes" className="archive-boxes">
        <TypedBox
          box={box}
          label="Words"
          icon={TextSearch}
          placeholder="Words of what was kept, or of why"
          value={words}
          onChange={type}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="archive-filters" role="group" aria-label="Filters">
        <Segmented
          label="Status"
          isLabelHidden
          segments={STANDINGS}
          value={STANDINGS.find(({ value }) => value === wish.standing)?.value ?? ''}
          onChange={(standing) => change({ standing })}
        />
        <Select
          label="Kept by"
          isLabelHidden
          choices={[{ value: '', label: 'Kept by anything' }, ...EPISODE_TRIGGERS.map((value) => ({ value, label: TRIGGER_CHOICES[value] }))]}
          value={wish.trigger}
          onChange={(event) => change({ trigger: event.target.value })}
        />
        <SpanFilter since={wish.since} until={wish.until} onChange={change} />
      </div>
      <div className="archive-filters" role="group" aria-label="More filters">
        <NameField label="Tag" placeholder="login" value={wish.tag} onChange={(tag) => change({ tag })} />
        <NameField
          label="Sidebar"
          placeholder="SB-3"
          value={wish.sidebar}
          isFitting={isSidebarName}
          wanted="Type a sidebar as SB-3."
          onChange={(sidebar) => change({ sidebar })}
        />
        <NameField
          label="Checkpoint"
          placeholder="SB-3:CHECKPOINT-1"
          value={wish.checkpoint}
          isFitting={isCheckpointName}
          wanted="Type a checkpoint as SB-3:CHECKPOINT-1."
          onChange={(checkpoint) => change({ checkpoint })}
        />
        {hasEpisodeFilters(wish) ? (
          <Button variant="quiet" size="small" icon={FilterX} onClick={clear}>
            Clear filters
          </Button>
        ) : null}
      </div>
      <Results wish={wish} onKeyDown={onKeyDown} onClear={clear} />
    </div>
  );
};

type ResultsProps = { readonly wish: EpisodeWish; readonly onKeyDown: (event: React.KeyboardEvent) => void; readonly onClear: () => void };

const Results = ({ wish, onKeyDown, onClear }: ResultsProps) => {
  const { ask } = useLive();
  const question = episodeQuestionOf(wish);
  const { pages, isOld, error, more, isLoadingMore, retry } = usePages('episodes', question, (cursor, signal) =>
    ask('episodes', { ...question, ...cursor }, signal),
  );
  if (error !== null) return <Failure title="Couldn’t load episodes" error={error} onRetry={retry} />;
  if (pages === null) return <Skeleton lines={8} label="Loading episodes" />;
  const episodes = pages.flatMap(({ items }) => items);
  const isAsking = wish.q.trim() !== '' || hasEpisodeFilters(wish);
  return (
    <>
      <p className="archive-facts" role="status">
        {episodes.length === 0 ? 'No episodes' : `${more === null ? '' : 'First '}${counted(episodes.length, 'episode')}, by date`}
      </p>
      {episodes.length > 0 ? (
        <ol className="archive-results" aria-label="Episodes" aria-busy={isOld}>
          {episodes.map((episode) => (
            <li key={episode.uuid}>
              <EpisodeCard episode={episode} onKeyDown={onKeyDown} />
            </li>
          ))}
        </ol>
      ) : isAsking ? (
        <Empty icon={SearchX} title="No episode matches" action={<Button onClick={onClear}>Clear filters</Button>}>
          Try fewer words or remove a filter.
        </Empty>
      ) : (
        <Empty icon={BookMarked} title="Nothing kept yet">
          Checkpoints, GOLD and the end of a sidebar keep what was found. You can remember any message yourself.
        </Empty>
      )}
      {more === null ? null : (
        <Button onClick={more} isBusy={isLoadingMore} data-stop onKeyDown={onKeyDown}>
          Show more
        </Button>
      )}
    </>
  );
};

const STANDINGS = [
  { value: '', label: 'All' },
  { value: 'provisional', label: 'Provisional' },
  { value: 'final', label: 'Final' },
  { value: 'superseded', label: 'Superseded' },
  { value: SETTLED, label: 'Not provisional' },
] as const;

const TRIGGER_CHOICES: Readonly<Record<(typeof EPISODE_TRIGGERS)[number], string>> = {
  checkpoint: 'Kept by a checkpoint',
  gold: 'Kept by a GOLD',
  completion: 'Kept when the sidebar ended',
  manual: 'Kept by hand',
  timeout: 'Kept when it went stale',
};
