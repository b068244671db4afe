import { useInfiniteQuery } from '@tanstack/react-query';
import { printable } from '@yarnboard/transcript';
import { FolderSearch, SearchX, TextSearch } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useAsk, useLive } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckMenu } from '../../ui/check-menu.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { counted, projectName, type Turn } from '../../ui/wording.ts';
import { NewSessionButton } from '../../shared/new-session-button.tsx';
import { turnsIn, useActivity } from '../../shared/activity.ts';
import type { ListedSession } from '../../shared/projects.ts';
import { useFreshBoard } from '../../shared/freshness.ts';
import { SpanFilter } from '../../shared/span-filter.tsx';
import { ToolChoice } from '../../shared/tool-choice.tsx';
import { listedIn, listPath, SORTS, type Listed, type Only, type Sort } from './list-address.ts';
import { fits, isWanted, lookedText, sorted, wordsIn } from './session-filter.ts';
import './session-list.css';
import { SessionRows } from './session-rows.tsx';

/** PAGE-52: all sessions, the latest first, filtered by project, coding agent and words. */
export const SessionList = () => {
  const [, navigate] = useLocation();
  const query = useSearch();
  const listed = useMemo(() => listedIn(new URLSearchParams(query)), [query]);
  const { project, tool, only, sort } = listed;
  const [text, setText] = useText(listed);
  const words = useMemo(() => wordsIn(text), [text]);
  const { sessions, isWhole, loadMore, isLoading, error, retry } = useAllSessions(listed);
  const isNarrowed = words.length > 0 || sort !== 'latest' || only.some((one) => one === 'errors' || one === 'nonempty');
  // The browser filters and sorts the titles, so it has to load all of them.
  useEffect(() => {
    if (isNarrowed && !isWhole && !isLoading && error === null) loadMore();
  }, [isNarrowed, isWhole, isLoading, error, loadMore, sessions]);
  const shown = useMemo(
    () => sorted(isNarrowed ? sessions.filter((session) => fits(session, words) && isWanted(session, only)) : sessions, sort),
    [sessions, words, only, sort, isNarrowed],
  );
  const told = lookedText({ shown: shown.length, loaded: sessions.length, isWhole, isFiltered: isNarrowed, hasFailed: error !== null });
  const activity = useActivity();
  const turns = useMemo(() => (activity.data === undefined ? NO_TURNS : turnsIn(activity.data)), [activity.data]);
  const go = (change: Partial<Listed>): void => navigate(listPath({ ...listed, text, ...change }));
  return (
    <Page title="Sessions" intro="sessions" layout="fill" subtitle={<span role="status">{told}</span>} actions={<NewSessionButton />}>
      <div role="search" className="session-list-filters">
        <ProjectChoice project={project} onChange={(next) => go({ project: next === ALL ? null : next.slice(PREFIX.length) })} />
        <ToolChoice tool={tool} onChange={(next) => go({ tool: next })} />
        <SpanFilter since={listed.since} until={listed.until} onChange={go} />
        <Select
          label="Sort"
          isLabelHidden
          choices={SORT_CHOICES}
          value={sort}
          onChange={({ target }) => go({ sort: SORTS.find((one) => one === target.value) ?? 'latest' })}
        />
        <CheckMenu label="Show" choices={ONLY_CHOICES} value={only} onChange={(next) => go({ only: next })} />
        <TextField
          label="Filter sessions"
          isLabelHidden
          type="search"
          placeholder="Filter by title, tag, project or ID"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {words.length === 0 ? null : (
          <Link href={searchPath(text.trim(), project, tool)} className="session-list-everywhere">
            <TextSearch aria-hidden />
            Search all messages
          </Link>
        )}
      </div>
      {error !== null && sessions.length > 0 && !isWhole ? (
        <div className="session-list-failed">
          <Notice
            tone="warn"
            action={
              <Button size="small" onClick={loadMore}>
                Try again
              </Button>
            }
          >
            Couldn’t load more than the latest {counted(sessions.length, 'session')}: {printable(error.message)}
          </Notice>
        </div>
      ) : null}
      {error !== null && sessions.length === 0 ? <Failure title="Couldn’t load sessions" error={error} onRetry={retry} /> : null}
      {error === null && sessions.length === 0 && !isWhole ? (
        <div className="session-list-wait">
          <Skeleton lines={12} label="Loading sessions" />
        </div>
      ) : null}
      {isWhole && shown.length === 0 ? <Nothing isFiltered={query !== ''} /> : null}
      {shown.length === 0 ? null : <SessionRows sessions={shown} isWhole={isWhole} turns={turns} onEnd={loadMore} />}
    </Page>
  );
};

/** PAGE-160: the typed text goes into the URL after a moment, without a new history entry. */
const useText = (listed: Listed): readonly [string, (text: string) => void] => {
  const { text: given } = listed;
  const [, navigate] = useLocation();
  const [{ text, from }, setText] = useState({ text: given, from: given });
  // Follows changes of the URL made elsewhere.
  if (given !== from) setText({ text: given === text ? text : given, from: given });
  // Only layout effects are cleaned up while the page is hidden and the chosen session loads: the timer must not navigate back here.
  useLayoutEffect(() => {
    if (text === from) return undefined;
    const timer = setTimeout(() => navigate(listPath({ ...listed, text }), { replace: true }), MOMENT_MS);
    return () => clearTimeout(timer);
  }, [text, from, listed, navigate]);
  return [text, (next) => setText((known) => ({ ...known, text: next }))];
};

const SORT_CHOICES = [
  { value: 'latest', label: 'Latest first' },
  { value: 'cost', label: 'Most expensive' },
  { value: 'messages', label: 'Most messages' },
  { value: 'errors', label: 'Most errors' },
  { value: 'longest', label: 'Longest' },
] as const satisfies readonly { readonly value: Sort; readonly label: string }[];

const ONLY_CHOICES = [
  { value: 'pinned', label: 'Only pinned' },
  { value: 'errors', label: 'Only with errors' },
  { value: 'nonempty', label: 'Without empty ones' },
  { value: 'hidden', label: 'Hidden ones too' },
] as const satisfies readonly { readonly value: Only; readonly label: string }[];

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon={SearchX} title="No matching sessions">
      This filter covers titles, projects and IDs. Search looks through messages.
    </Empty>
  ) : (
    <Empty icon={FolderSearch} title="No sessions yet">
      Run <code>claude</code>, <code>codex</code>, <code>opencode</code> or another coding agent in any project and your session appears here.
    </Empty>
  );

const ProjectChoice = ({ project, onChange }: { readonly project: string | null; readonly onChange: (value: string) => void }) => {
  const { data } = useAsk('projects', { limit: 500 }, { staleMs: 30_000 });
  const known =
    data?.items.flatMap((one) => (one.project === null ? [] : [{ value: `${PREFIX}${one.project}`, label: projectLabel(one.project) }])) ?? [];
  const value = project === null ? ALL : `${PREFIX}${project}`;
  // The URL may name a project before the list has loaded.
  const choices = known.some((one) => one.value === value) || project === null ? known : [{ value, label: projectLabel(project) }, ...known];
  return (
    <Select
      label="Project"
      isLabelHidden
      choices={[{ value: ALL, label: 'All projects' }, ...choices]}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};

const searchPath = (q: string, project: string | null, tool: string): string =>
  `/search?${new URLSearchParams({ q, ...(project === null ? {} : { project }), ...(tool === '' ? {} : { sessionTool: tool }) }).toString()}`;

const projectLabel = (project: string): string => `${projectName(project)} (${project})`;

type AllSessions = {
  readonly sessions: readonly ListedSession[];
  readonly isWhole: boolean;
  readonly loadMore: () => void;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
};

/** Loads page by page, and refetches the loaded pages from time to time. */
const useAllSessions = ({ project, tool, only, since, until }: Listed): AllSessions => {
  const { ask } = useLive();
  // PAGE-616: pinned sessions come first, however old they are.
  const pinned = useAsk('sessions', { pinned: 'true', limit: 200 }, { staleMs: 10_000 });
  useFreshBoard('sessions');
  const isPlain = project === null && tool === '' && since === '' && until === '';
  const pins = isPlain ? pinned.data?.items : undefined;
  const query = useInfiniteQuery({
    queryKey: ['sessions', 'pages', project, tool, only.join(), since, until],
    queryFn: ({ pageParam }) =>
      ask('sessions', {
        limit: PAGE,
        ...(project === null ? {} : { project }),
        ...(tool === '' ? {} : { tool }),
        ...(since === '' ? {} : { since }),
        ...(until === '' ? {} : { until }),
        ...(only.includes('hidden') ? { hidden: 'true' as const } : {}),
        ...(only.includes('pinned') ? { pinned: 'true' as const } : {}),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null, // a cursor; the first page has none
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 10_000,
    refetchInterval: 15_000,
  });
  const { data, hasNextPage, isFetchingNextPage, error, fetchNextPage, refetch } = query;
  const sessions = useMemo(
    () => once([...(data?.pages.flatMap(({ items }) => items) ?? []), ...(data === undefined ? [] : (pins ?? []))]),
    [data, pins],
  );
  const loadMore = useMemo(
    () => () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    [hasNextPage, isFetchingNextPage, fetchNextPage],
  );
  return { sessions, isWhole: data !== undefined && !hasNextPage, loadMore, isLoading: isFetchingNextPage, error, retry: () => void refetch() };
};

/** A session that moved up between two pages appears on both. */
const once = (sessions: readonly ListedSession[]): readonly ListedSession[] => [...new Map(sessions.map((one) => [one.sessionId, one])).values()];

const NO_TURNS: ReadonlyMap<string, Turn> = new Map();
const MOMENT_MS = 250;
const PAGE = 200;
const ALL = 'all';
const PREFIX = 'in:';
