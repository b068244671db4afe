import { useInfiniteQuery } from '@tanstack/react-query';
import { printable, printableLine } from '@yarnboard/transcript';
import { Monitor, Play, ShieldQuestion } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useLive } from '../../live/hooks.tsx';
import type { Run } from '../../live/run-news.ts';
import { useFreshSessions } from '../../shared/freshness.ts';
import { modelName } from '../../shared/model-name.ts';
import { nameOf } from '../../shared/names.ts';
import { NewSessionButton } from '../../shared/new-session-button.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { Segmented, type Segment } from '../../ui/segmented.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { counted, projectName, shortCount, usdText } from '../../ui/wording.ts';
import { useIsOperator, useNewestRun } from './holder.ts';
import { RunControls } from './run-controls.tsx';
import { modeWords, stateWords, UNASKED } from './run-words.ts';
import './runs-page.css';

/** PAGE-415: all runs, active ones first, then the latest first. */
export const RunsPage = () => {
  const [shown, setShown] = useState<Shown>('all');
  const { runs, isWhole, isKnown, error, loadMore, isLoading, retry } = useRuns(shown);
  const going = runs.filter(({ state }) => state !== 'ended').length;
  return (
    <Page
      title="Runs"
      intro="runs"
      layout="wide"
      subtitle={<span role="status">{isKnown ? (going === 0 ? 'No active runs.' : `${counted(going, 'active run')}.`) : 'Loading runs'}</span>}
      actions={<NewSessionButton />}
    >
      <div className="runs">
        <Segmented label="Which runs" isLabelHidden segments={CHOICES} value={shown} onChange={setShown} />
        {error !== null && !isKnown ? <Failure title="Couldn’t load runs" error={error} onRetry={retry} /> : null}
        {error === null && !isKnown ? <Skeleton lines={8} label="Loading runs" /> : null}
        {isKnown && runs.length === 0 ? (
          <Empty icon={Play} title={shown === 'all' ? 'No runs yet' : 'No active runs'}>
            Start a session, or continue one: Claude Code runs it, and you follow it here.
          </Empty>
        ) : null}
        {runs.length === 0 ? null : (
          <ul className="runs-list card" aria-label="Runs">
            {runs.map((run) => (
              <li key={run.runId}>
                <RunRow told={run} onChanged={retry} />
              </li>
            ))}
          </ul>
        )}
        {isWhole || !isKnown ? null : (
          <Button isBusy={isLoading} onClick={loadMore}>
            Show more
          </Button>
        )}
      </div>
    </Page>
  );
};

type Shown = 'all' | 'going';

const CHOICES: readonly Segment<Shown>[] = [
  { value: 'all', label: 'All' },
  { value: 'going', label: 'Active' },
];

const RunRow = ({ told, onChanged }: { readonly told: Run; readonly onChanged: () => void }) => {
  const isOperator = useIsOperator();
  const run = useNewestRun(told) ?? told;
  const { word, tone } = stateWords(run);
  const { sessionId, prompt, cwd, model, permissionMode, counts, pending, queued, host, seat, why, startedAt, endedAt, costUsd, tokens } = run;
  return (
    <article className="runs-row" aria-label={printableLine(prompt ?? sessionId)}>
      <div className="runs-head">
        <Link href={`/sessions/${encodeURIComponent(sessionId)}`} className="runs-title one-line">
          {printableLine(prompt ?? `Session ${sessionId.slice(0, 8)}`)}
        </Link>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p className="byline numbers">
        <span title={printable(cwd)}>{projectName(cwd)}</span>
        {model === null ? null : <span>{modelName(model)}</span>}
        {permissionMode === UNASKED ? (
          <Badge tone="bad">never asks</Badge>
        ) : permissionMode === null || permissionMode === 'default' ? null : (
          <span>{modeWords(permissionMode)}</span>
        )}
        {seat === null ? null : (
          <span>
            {nameOf(seat.agent)} in <Link href={`/sidebars/${encodeURIComponent(seat.sidebar)}`}>its sidebar</Link>
          </span>
        )}
        {host === null ? null : <Badge icon={Monitor}>{`on ${printableLine(host)}`}</Badge>}
        <span>
          <Moment at={startedAt} />
        </span>
        {endedAt === null ? null : (
          <span>
            ended <Moment at={endedAt} />
          </span>
        )}
        {counts.turns === 0 ? null : <span>{counted(counts.turns, 'turn')}</span>}
        {tokens === null ? null : <span>{shortCount(tokens)} tokens</span>}
        {costUsd === null ? null : <span>{usdText(costUsd)}</span>}
        {queued.length === 0 ? null : (
          <span>{run.state === 'ended' ? `${counted(queued.length, 'prompt')} not delivered` : `${queued.length} queued`}</span>
        )}
        {pending.length === 0 ? null : (
          <Badge tone="warn" icon={ShieldQuestion}>
            {counted(pending.length, 'open request')}
          </Badge>
        )}
      </p>
      {run.status === 'completed' || why === null ? null : <p className="runs-why">{printable(why)}</p>}
      {isOperator && run.state !== 'ended' && host === null && seat === null ? <RunControls run={run} onChanged={onChanged} /> : null}
    </article>
  );
};

type Runs = {
  readonly runs: readonly Run[];
  readonly isKnown: boolean;
  readonly isWhole: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly loadMore: () => void;
  readonly retry: () => void;
};

/** Loads runs page by page; refetches on news of an active run, and every few seconds. */
const useRuns = (shown: Shown): Runs => {
  const { ask } = useLive();
  const query = useInfiniteQuery({
    queryKey: ['runs', 'pages', shown],
    queryFn: ({ pageParam }) =>
      ask('runs', { limit: PAGE, ...(shown === 'going' ? { ended: 'false' } : {}), ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null, // a cursor; the first page has none
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: LOOK,
  });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  // A run that moved between two pages is on both.
  const runs = [...new Map((data?.pages.flatMap(({ items }) => items) ?? []).map((run) => [run.runId, run])).values()];
  useFreshSessions(
    runs.filter(({ state }) => state !== 'ended').map(({ sessionId }) => sessionId),
    'runs',
  );
  return {
    runs,
    isKnown: data !== undefined,
    isWhole: data !== undefined && !hasNextPage,
    isLoading: isFetchingNextPage,
    error,
    loadMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  };
};

const PAGE = 50;
const LOOK = 3000;
