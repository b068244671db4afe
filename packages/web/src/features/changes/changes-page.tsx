import type { InsideOutput } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { FileDiff } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useAsk, useAskAgain, useSessionNews } from '../../live/hooks.tsx';
import { TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { counted, countOf } from '../../ui/wording.ts';
import { sessionPath } from '../sessions/session-address.ts';
import { SessionCrumbs, titleOf, type SessionDetail } from '../sessions/session-head.tsx';
import { useSubAgents } from '../sessions/sub-agents.ts';
import './changes.css';
import { Changed } from './edit-card.tsx';
import { EditList } from './edit-list.tsx';
import { GitList } from './git-list.tsx';
import { useEdits } from './use-edits.ts';

type Files = InsideOutput<'changed_files'>;
type File = Files['items'][number];

/** PAGE-550: what a session changed: its files, beside every edit to them. */
export const ChangesPage = ({ sessionId }: { readonly sessionId: string }) => {
  const { data: session, error: sessionError } = useAsk('session', { id: sessionId });
  const wholeId = session?.sessionId ?? sessionId;
  const files = useAsk('changed_files', { id: sessionId, limit: MOST_FILES });
  const askAgain = useAskAgain();
  useSessionNews(session?.sessionId ?? null, () => askAgain('changed_files', 'changes', 'session_git'), NEWS_MS);
  const title = titleOf(session, sessionId);
  const crumbs = (
    <SessionCrumbs session={session}>
      <Link href={sessionPath({ sessionId: wholeId, at: null, thread: null, through: null })}>{printableLine(title)}</Link>
      <span aria-current="page">Changes</span>
    </SessionCrumbs>
  );
  const error = files.error ?? (files.data === undefined ? sessionError : null);
  return (
    <Page
      title="Changes"
      intro="changes"
      tabTitle={`Changes in ${title}`}
      above={crumbs}
      subtitle={files.data === undefined ? null : <Totals files={files.data} />}
      layout="wide"
    >
      {files.data !== undefined ? (
        <>
          <GitList sessionId={wholeId} />
          <Changes sessionId={wholeId} files={files.data} session={session} />
        </>
      ) : error !== null ? (
        <Failure title="Couldn’t load the changes" error={error} onRetry={() => void files.refetch()} />
      ) : (
        <Skeleton lines={8} label="Loading changes" />
      )}
    </Page>
  );
};

const Totals = ({ files: { files, edits, failed, added, removed, unknownCalls, copied } }: { readonly files: Files }) => (
  <span className="changes-totals numbers">
    <span>
      {counted(edits, 'edit')} in {counted(files, 'file')}
    </span>
    <Changed added={added} removed={removed} />
    {failed === 0 ? null : <span>{countOf(failed)} failed or rejected</span>}
    {copied === 0 ? null : <span>{counted(copied, 'edit')} copied from the session it continues, not listed</span>}
    {unknownCalls === 0 ? null : (
      <span title="Yarnboard can’t tell which files a shell command changes.">{counted(unknownCalls, 'shell command')} may have changed more</span>
    )}
  </span>
);

const Changes = ({
  sessionId,
  files,
  session,
}: {
  readonly sessionId: string;
  readonly files: Files;
  readonly session: SessionDetail | undefined;
}) => {
  const [params] = useSearchParams();
  const file = params.get('file');
  const edits = useEdits({ of: 'session', sessionId, file });
  const agents = useSubAgents(sessionId, session !== undefined && session.sidechains > 0);
  if (files.files === 0) {
    return (
      <Empty icon={FileDiff} title="No edits">
        Edits that Claude or a sub-agent makes with its file tools show up here.
        {files.unknownCalls === 0 ? null : ' Shell commands aren’t listed: Yarnboard can’t tell what they change.'}
      </Empty>
    );
  }
  return (
    <div className="changes">
      <FileNav
        files={files}
        file={file}
        pathOf={(path) => {
          const next = new URLSearchParams(params);
          if (path === null) next.delete('file');
          else next.set('file', path);
          const query = next.toString();
          return `/sessions/${encodeURIComponent(sessionId)}/changes${query === '' ? '' : `?${query}`}`;
        }}
      />
      <EditList
        edits={edits}
        label={file === null ? 'Edits' : printableLine(`Edits to ${file}`)}
        nameOf={(agentId) => agents.get(agentId)?.agent ?? null}
        isOfMany={false}
      />
    </div>
  );
};

type FileNavProps = {
  readonly files: Files;
  readonly file: string | null;
  readonly pathOf: (path: string | null) => string;
};

/** The files of a session; choosing one shows only its edits. */
const FileNav = ({ files: { items, files }, file, pathOf }: FileNavProps) => {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const shown = wanted === '' ? items : items.filter(({ path }) => path.toLowerCase().includes(wanted));
  return (
    <nav className="changes-files" aria-label="Changed files">
      {items.length > FEW ? (
        <TextField
          label="Filter files"
          isLabelHidden
          placeholder="Filter files"
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      ) : null}
      <ul>
        <li>
          <Link href={pathOf(null)} className="changes-file" aria-current={file === null ? 'true' : undefined}>
            <span className="changes-name">All files</span>
            <span className="small soft numbers">{countOf(files)}</span>
          </Link>
        </li>
        {shown.map((one) => (
          <li key={one.path}>
            <FileLink one={one} href={pathOf(one.path)} isCurrent={one.path === file} />
          </li>
        ))}
      </ul>
      {shown.length === 0 ? <p className="small soft">No matching files</p> : null}
      {items.length < files ? (
        <p className="small soft">
          The {countOf(items.length)} latest of {countOf(files)} files are listed.
        </p>
      ) : null}
    </nav>
  );
};

const FileLink = ({
  one: { path, added, removed, failed, edits, isPartial },
  href,
  isCurrent,
}: {
  readonly one: File;
  readonly href: string;
  readonly isCurrent: boolean;
}) => {
  const shown = printableLine(path);
  const at = Math.max(shown.lastIndexOf('/'), shown.lastIndexOf('\\'));
  return (
    <Link href={href} className="changes-file" aria-current={isCurrent ? 'true' : undefined} title={shown}>
      <span className="changes-name">
        <span className="one-line">{shown.slice(at + 1)}</span>
        <span className="one-line small faint">{shown.slice(0, Math.max(0, at))}</span>
      </span>
      {edits === 0 && failed > 0 ? (
        <span className="small changes-failed">failed</span>
      ) : (
        <Changed added={added} removed={removed} isPartial={isPartial} />
      )}
    </Link>
  );
};

const MOST_FILES = 500;
const FEW = 8;
const NEWS_MS = 3000;
