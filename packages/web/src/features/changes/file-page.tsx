import { printableLine } from '@yarnboard/transcript';
import { FileQuestion, History, Waypoints } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure } from '../../ui/state.tsx';
import { tracePath } from '../../shared/trace-link.tsx';
import { EditList } from './edit-list.tsx';
import { useEdits } from './use-edits.ts';

/** PAGE-553: every edit to a file in all sessions, latest first. */
export const FilePage = () => {
  const [params] = useSearchParams();
  const path = params.get('path')?.trim() ?? '';
  if (path === '') {
    return (
      <Page title="File history">
        <Empty icon={FileQuestion} title="No file chosen">
          Open a session’s changes and choose the history of a file.
        </Empty>
      </Page>
    );
  }
  return <FileHistory key={path} path={path} />;
};

const FileHistory = ({ path }: { readonly path: string }) => {
  const edits = useEdits({ of: 'file', path });
  const shown = printableLine(path);
  const name = shown.slice(Math.max(shown.lastIndexOf('/'), shown.lastIndexOf('\\')) + 1);
  const { items, isLoading, error } = edits;
  return (
    <Page
      title={`History of ${name}`}
      intro="file"
      tabTitle={`History of ${name}`}
      subtitle={<span className="edit-path">{shown}</span>}
      actions={
        <Link href={tracePath(path)} className="button button-plain button-normal">
          <Waypoints aria-hidden />
          <span>Trace</span>
        </Link>
      }
      layout="wide"
    >
      {error !== null && items.length === 0 ? (
        'code' in error && error.code === 'not-found' ? (
          <Empty icon={FileQuestion} title="No history">
            {error.message}
          </Empty>
        ) : (
          <Failure title="Couldn’t load the history" error={error} onRetry={edits.refetch} />
        )
      ) : !isLoading && items.length === 0 ? (
        <Empty icon={History} title="Never edited">
          Sessions read this file, but none changed it with a file tool.
        </Empty>
      ) : (
        <EditList edits={edits} label={`Edits to ${shown}`} nameOf={() => null} isOfMany />
      )}
    </Page>
  );
};
