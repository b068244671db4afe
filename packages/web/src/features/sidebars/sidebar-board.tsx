import { rowsOf } from '@yarnboard/domain';
import { Archive, MessagesSquare, Plus, SearchX } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useActor, useBoard, useBoardReach, useLive } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import { BoardColumn } from './board-column.tsx';
import { BoardFilters } from './board-filters.tsx';
import { columnsOf, forksIn, priorityIn, statusIn, type BoardFilter, type Column } from './board-groups.ts';
import { BoardList } from './board-list.tsx';
import './sidebar-board.css';
import { SpawnDialog } from './spawn-dialog.tsx';
import { useMedia } from './media.ts';

/** Every sidebar by status, live. */
export const SidebarBoard = () => {
  const reach = useBoardReach();
  const actor = useActor();
  const sidebars = useBoard((board) => rowsOf(board.sidebars));
  const [filter, changeFilter] = useFilter();
  const [isSpawning, setIsSpawning] = useState(false);
  const columns = useMemo(() => columnsOf(sidebars, filter, actor), [sidebars, filter, actor]);
  const shown = columns.reduce((sum, column) => sum + column.sidebars.length, 0);
  const newOne =
    actor === null ? undefined : (
      <Button variant="primary" icon={Plus} onClick={() => setIsSpawning(true)}>
        New sidebar
      </Button>
    );
  return (
    <Page
      title="Sidebars"
      intro="sidebars"
      layout="fill"
      subtitle={sidebars.length === 0 ? 'Side conversations that can merge back.' : said(shown, sidebars.length, columns)}
      actions={
        <>
          <Link href="/archive" className="button button-plain button-normal">
            <Archive aria-hidden />
            <span>Archive</span>
          </Link>
          {newOne}
        </>
      }
    >
      {sidebars.length === 0 ? null : <BoardFilters filter={filter} onChange={changeFilter} sidebars={sidebars} canBeMine={actor !== null} />}
      {reach.kind === 'failed' && sidebars.length === 0 ? <Failure title="Couldn’t load sidebars" error={reach.error} /> : null}
      {reach.kind === 'loading' && sidebars.length === 0 ? (
        <div className="board-waiting">
          <Skeleton lines={6} label="Loading sidebars" />
        </div>
      ) : null}
      {reach.kind === 'loaded' && sidebars.length === 0 ? (
        <Empty icon={MessagesSquare} title="No sidebars yet" action={newOne}>
          <p>Use a sidebar to explore one question without losing your thread. Start one here or from any message in a session.</p>
        </Empty>
      ) : null}
      {sidebars.length > 0 && shown === 0 ? (
        <Empty icon={SearchX} title="No matching sidebars">
          <p>
            Clear the filters, load older sidebars, or search the <Link href="/archive">archive</Link>.
          </p>
          <OlderButton />
        </Empty>
      ) : null}
      {shown > 0 ? <Columns columns={columns} /> : null}
      <SpawnDialog
        isOpen={isSpawning}
        onClose={() => setIsSpawning(false)}
        parentId={null}
        about="Starts from scratch. To inherit a conversation, start it from a message or another sidebar."
      />
    </Page>
  );
};

const said = (shown: number, all: number, columns: readonly Column[]): string => {
  const live = columns.filter(({ status }) => status !== 'MERGED' && status !== 'ARCHIVED' && status !== 'FAILED');
  const atWork = live.reduce((sum, { sidebars }) => sum + sidebars.length, 0);
  return shown === all ? `${counted(all, 'sidebar')}, ${atWork} open` : `${shown} of ${counted(all, 'sidebar')}`;
};

const Columns = ({ columns }: { readonly columns: readonly Column[] }) => {
  const isWide = useMedia('(min-width: 64rem)');
  const reach = useBoardReach();
  const hasOlder = reach.kind === 'loaded' && reach.olderCursor !== null;
  if (!isWide) return <BoardList columns={columns} foot={hasOlder ? <OlderButton /> : null} />;
  return (
    <div className="board-columns" role="group" aria-label="Sidebars by status" tabIndex={-1}>
      {columns.map(({ status, sidebars }) => (
        <BoardColumn
          key={status}
          status={status}
          sidebars={sidebars}
          foot={(status === 'ARCHIVED' || columns.length === 1) && hasOlder ? <OlderButton /> : null}
        />
      ))}
    </div>
  );
};

/** Loads older sidebars, most of them archived, on request. */
const OlderButton = () => {
  const { loadOlder } = useLive();
  const reach = useBoardReach();
  if (reach.kind !== 'loaded' || reach.olderCursor === null) return null;
  return (
    <div className="board-older">
      <Button size="small" isBusy={reach.isLoadingOlder} onClick={() => void loadOlder()}>
        Load older sidebars
      </Button>
    </div>
  );
};

/** The filter is part of the URL, so that it can be bookmarked and shared. */
const useFilter = (): readonly [BoardFilter, (change: Partial<BoardFilter>) => void] => {
  const [params, setParams] = useSearchParams();
  const text = params.get('q') ?? '';
  const status = statusIn(params.get('status') ?? '');
  const participant = params.get('who') ?? '';
  const taskType = params.get('type') ?? '';
  const priority = priorityIn(params.get('priority') ?? '');
  const forks = forksIn(params.get('forks') ?? '');
  const isMine = params.get('mine') === '1';
  const filter = useMemo(
    () => ({ text, status, participant, taskType, priority, forks, isMine }),
    [text, status, participant, taskType, priority, forks, isMine],
  );
  const change = useCallback(
    (part: Partial<BoardFilter>) => {
      const next = { ...filter, ...part };
      setParams(
        [
          ['q', next.text],
          ['status', next.status.toLowerCase()],
          ['who', next.participant],
          ['type', next.taskType],
          ['priority', next.priority.toLowerCase()],
          ['forks', next.forks],
          ['mine', next.isMine ? '1' : ''],
        ].filter(([, value]) => value !== ''),
        { replace: true },
      );
    },
    [filter, setParams],
  );
  return [filter, change];
};
