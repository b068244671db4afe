import { assertNever } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import { Ban, CircleDashed, CircleX, CornerDownRight, ExternalLink, FilePlus2, History } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DiffTable } from '../../ui/diff.tsx';
import { patchRows } from '../../ui/line-diff.ts';
import { Moment } from '../../ui/moment.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { counted, countOf } from '../../ui/wording.ts';
import { TraceLink } from '../../shared/trace-link.tsx';
import { sessionTitle } from '../../shared/titles.ts';
import { EDITOR_KEY, editorLink } from '../sessions/editor-link.ts';
import { sessionPath } from '../sessions/session-address.ts';
import { useMoreLines, type EditItem } from './use-edits.ts';
import './changes.css';

export type EditCardProps = {
  readonly edit: EditItem;
  /** The name of the sub-agent that made the edit. */
  readonly agent: string | null;
  /** Whether to name its session: where edits from several are listed. */
  readonly isOfMany: boolean;
};

/** PAGE-551: one edit: its file, its author, its outcome, and what it changed. */
export const EditCard = ({ edit, agent, isOfMany }: EditCardProps) => {
  const id = useId();
  const { path, tool, kind, outcome, at, ref, uuid, sessionId, agentId, everywhere, added, removed, basis, hunks } = edit;
  const line = hunks[0]?.newStart ?? 1;
  const editor = editorLink(path, localStorage.getItem(EDITOR_KEY), basis === 'patch' ? Math.max(1, line) : 1);
  return (
    <article className={`edit-card edit-${outcome}`} aria-labelledby={id}>
      <header className="edit-head">
        <h2 id={id} className="edit-title">
          {isOfMany ? (
            <Link href={sessionPath({ sessionId, at: null, thread: null, through: null })}>{sessionTitle(edit.sessionTitle)}</Link>
          ) : (
            <span className="edit-path">{printableLine(path)}</span>
          )}
        </h2>
        <p className="edit-facts">
          <EditMark outcome={outcome} />
          {kind === 'created' ? (
            <Badge tone="good" icon={FilePlus2}>
              new file
            </Badge>
          ) : null}
          {kind === 'deleted' ? <Badge tone="bad">deleted</Badge> : null}
          <Changed added={added} removed={removed} isPartial={basis === 'after'} />
          <span>{printableLine(tool)}</span>
          {agentId === null ? null : <span>{printableLine(agent ?? 'sub-agent')}</span>}
          <Moment at={at} />
        </p>
        <p className="edit-actions">
          <Tooltip text="Go to message">
            <Link
              href={sessionPath({ sessionId, at: ref ?? uuid, thread: agentId, through: null })}
              className="button button-quiet button-small"
              aria-label={`Go to message ${ref ?? ''}`.trim()}
            >
              <CornerDownRight aria-hidden />
              <span>{ref ?? 'Message'}</span>
            </Link>
          </Tooltip>
          {isOfMany ? null : (
            <Tooltip text="File history">
              <Link
                href={fileHistoryPath(path)}
                className="button button-quiet button-small button-icon"
                aria-label={printableLine(`History of ${path}`)}
              >
                <History aria-hidden />
              </Link>
            </Tooltip>
          )}
          <TraceLink to={isOfMany ? sessionId : path} name={isOfMany ? 'this session' : path} />
          {editor === null ? null : (
            <Tooltip text="Open in editor">
              <a href={editor} className="button button-quiet button-small button-icon" aria-label={printableLine(`Open ${path} in editor`)}>
                <ExternalLink aria-hidden />
              </a>
            </Tooltip>
          )}
        </p>
      </header>
      {everywhere ? <p className="edit-note">Replaced everywhere in the file. One occurrence is shown.</p> : null}
      {basis === 'after' && kind !== 'created' ? <p className="edit-note">The text before this edit is not on record.</p> : null}
      <EditLines edit={edit} />
    </article>
  );
};

/** PAGE-552: the first lines of an edit, and more on request. */
const EditLines = ({ edit }: { readonly edit: EditItem }) => {
  const [isMore, setIsMore] = useState(false);
  const { hunks, left, isLoading, error, more } = useMoreLines(edit, isMore);
  const rows = useMemo(() => patchRows(hunks), [hunks]);
  if (rows.length === 0) {
    return <p className="edit-none">{edit.basis === 'none' ? 'The record does not say what changed.' : 'No lines changed.'}</p>;
  }
  return (
    <>
      <DiffTable rows={rows} hasNumbers={edit.basis === 'patch'} />
      {error === null ? null : (
        <p className="step-refusal" role="alert">
          {error.message}
        </p>
      )}
      {left > 0 ? (
        <div className="diff-more">
          <Button size="small" variant="quiet" isBusy={isLoading} onClick={() => (isMore ? more() : setIsMore(true))}>
            Show {left > 1000 ? '1,000 more' : counted(left, 'more', 'more')} of {counted(edit.linesTotal, 'line')}
          </Button>
        </div>
      ) : null}
    </>
  );
};

/** Lines added and removed, as numbers and in words. */
export const Changed = ({
  added,
  removed,
  isPartial = false,
}: {
  readonly added: number;
  readonly removed: number;
  readonly isPartial?: boolean;
}) => (
  <span className="edit-changed numbers">
    <span className="diff-count-added" aria-hidden>
      +{countOf(added)}
    </span>{' '}
    <span className="diff-count-removed" aria-hidden title={isPartial ? 'What was there before is not on record for some edits.' : undefined}>
      −{isPartial && removed === 0 ? '' : countOf(removed)}
      {isPartial ? '?' : ''}
    </span>
    <span className="visually-hidden">
      {counted(added, 'line')} added, {isPartial ? 'at least ' : ''}
      {countOf(removed)} removed
    </span>
  </span>
);

const EditMark = ({ outcome }: { readonly outcome: EditItem['outcome'] }) => {
  switch (outcome) {
    case 'done':
      return null;
    case 'failed':
      return (
        <Badge tone="bad" icon={CircleX} title="The file was not changed.">
          failed
        </Badge>
      );
    case 'rejected':
      return (
        <Badge tone="warn" icon={Ban} title="The file was not changed.">
          rejected
        </Badge>
      );
    case 'open':
      return (
        <Badge icon={CircleDashed} title="No result recorded for this edit.">
          no result
        </Badge>
      );
    default:
      return assertNever(outcome);
  }
};

const fileHistoryPath = (path: string): string => `/files?${new URLSearchParams({ path }).toString()}`;
