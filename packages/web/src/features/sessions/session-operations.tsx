import { useQuery, useQueryClient } from '@tanstack/react-query';
import { iconOf, printableLine } from '@yarnboard/transcript';
import { CircleX } from 'lucide-react';
import { createElement, useEffect, useMemo, useRef, useState } from 'react';
import { useLive, useSessionNews } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { ClockTime } from '../../ui/moment.tsx';
import { Failure, Skeleton } from '../../ui/state.tsx';
import { counted, durationText } from '../../ui/wording.ts';
import { toolWords } from '../permissions/questions.ts';
import { freshPages, type OperationPage, type Told } from './operation-pages.ts';
import './session-operations.css';
import { toolIcon } from './tool-icons.ts';

type Operation = Told['items'][number];

/** PAGE-623: every tool call of a session next to it, under the reply that made it; filtered by tool, or only failures. */
export const SessionOperations = ({ sessionId, onGo }: { readonly sessionId: string; readonly onGo: (ref: string) => void }) => {
  const { data, error, refetch } = useOperations(sessionId);
  const [tool, setTool] = useState(ANY);
  const [isFailed, setIsFailed] = useState(false);
  const [most, setMost] = useState(PART);
  const tools = useMemo(() => toolsIn(data?.items ?? []), [data]);
  const fitting = useMemo(
    () => (data?.items ?? []).filter(({ name, isError }) => (tool === ANY || name === tool) && (!isFailed || isError)),
    [data, tool, isFailed],
  );
  if (data === undefined) {
    return error === null ? (
      <Skeleton lines={8} label="Loading tool calls" />
    ) : (
      <Failure title="Couldn’t load the tool calls" error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.items.length === 0) return <p className="outline-none">Tool calls of this session are listed here.</p>;
  const failed = data.items.filter(({ isError }) => isError).length;
  return (
    <>
      <div className="operations-filter">
        <Select
          label="Tool"
          isLabelHidden
          value={tool}
          choices={[
            { value: ANY, label: `All tools (${data.items.length})` },
            ...tools.map(([name, count]) => ({ value: name, label: `${toolWords(name)} (${count})` })),
          ]}
          onChange={({ target }) => setTool(target.value)}
        />
        <Button size="small" aria-pressed={isFailed} disabled={failed === 0} onClick={() => setIsFailed(!isFailed)}>
          {failed} failed
        </Button>
      </div>
      {data.isCut ? <p className="outline-none">The first {counted(data.items.length, 'tool call')} of this session.</p> : null}
      {fitting.length === 0 ? <p className="outline-none">No tool call fits.</p> : null}
      <ol className="operations-all" aria-label="Tool calls">
        {fitting.slice(0, most).map((operation, n, shown) => (
          <li key={operation.uuid} className={operation.groupUuid === shown[n - 1]?.groupUuid ? undefined : 'operations-group'}>
            <Call operation={operation} onGo={onGo} />
          </li>
        ))}
      </ol>
      {fitting.length > most ? (
        <Button size="small" onClick={() => setMost(most + PART)}>
          Show {Math.min(PART, fitting.length - most)} more
        </Button>
      ) : null}
    </>
  );
};

const Call = ({
  operation: { uuid, name, summary, startedAt, durationMs, isError },
  onGo,
}: {
  readonly operation: Operation;
  readonly onGo: (ref: string) => void;
}) => {
  const icon = `${iconOf(name)} `;
  return (
    <button type="button" className="outline-prompt operations-one" onClick={() => onGo(uuid)}>
      {createElement(toolIcon(name), { className: 'operation-icon', 'aria-hidden': true })}
      <span className="visually-hidden">{printableLine(name)}: </span>
      <span className="outline-words">{printableLine(summary.startsWith(icon) ? summary.slice(icon.length) : summary)}</span>
      <span className="outline-when numbers">
        {isError ? (
          <span className="operation-mark operation-mark-failed">
            <CircleX aria-hidden />
            failed
          </span>
        ) : durationMs === null ? (
          startedAt === null ? null : (
            <ClockTime at={startedAt} />
          )
        ) : (
          durationText(durationMs)
        )}
      </span>
    </button>
  );
};

/** PAGE-645: loads all of them page by page, and what may have changed while the session is being written to. */
const useOperations = (sessionId: string) => {
  const { ask } = useLive();
  const queries = useQueryClient();
  const queryKey = ['operations', 'all', sessionId];
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const load = (cursor: string | null): Promise<Told> => ask('operations', { id: sessionId, limit: 500, ...(cursor === null ? {} : { cursor }) });
      const known = queries.getQueryState<Loaded>(queryKey);
      // Once something was forgotten or restored, any page may have what isn't there any more.
      const before = known?.isInvalidated === true ? [] : (known?.data?.pages ?? []);
      // Places in a session change when it is imported: then everything is loaded.
      const pages = await freshPages(load, before, MOST).catch((cause: unknown) => {
        if (before.length === 0) throw cause;
        return freshPages(load, [], MOST);
      });
      return { pages, items: pages.flatMap(({ told }) => told.items), isCut: pages.at(-1)?.told.nextCursor != null };
    },
  });
  const { refetch, isFetching } = query;
  const isBehind = useRef(false);
  useSessionNews(
    sessionId,
    () => {
      // Never two at once: a long session takes longer to load than this waits.
      if (isFetching) isBehind.current = true;
      else void refetch();
    },
    EVERY_MS,
  );
  useEffect(() => {
    if (isFetching || !isBehind.current) return;
    isBehind.current = false;
    void refetch();
  }, [isFetching, refetch]);
  return query;
};

type Loaded = { readonly pages: readonly OperationPage[]; readonly items: Told['items']; readonly isCut: boolean };

/** The most frequently used tools first. */
const toolsIn = (operations: readonly Operation[]): readonly (readonly [name: string, count: number])[] => {
  const counts = new Map<string, number>();
  for (const { name } of operations) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en'));
};

const ANY = '';
const PART = 200;
const MOST = 10_000;
const EVERY_MS = 3000;
