import { printableLine } from '@yarnboard/transcript';
import { CircleHelp, ExternalLink, History } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { TraceLink } from '../../shared/trace-link.tsx';
import { Reference } from '../../ui/reference.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { EDITOR_KEY, editorLink } from './editor-link.ts';
import { useFlowDeeds } from './flow-context.ts';
import type { FlowOperation } from './flow-pages.ts';
import { CHANGING, OperationInput } from '../../shared/operation-input.tsx';
import { OperationResult } from './operation-result.tsx';
import { fileIn, inputIn, patchIn, resultIn } from '../../shared/operation-parts.ts';

/** The input and the result of an operation, loaded when it is opened. */
export const OperationDetail = ({ operation }: { readonly operation: FlowOperation }) => {
  const { sessionId } = useFlowDeeds();
  const { uuid, resultUuid, name, state } = operation;
  const given = useAsk('message', { ref: uuid, session: sessionId }, { staleMs: Infinity });
  const returned = useAsk('message', { ref: resultUuid ?? uuid, session: sessionId }, { isWanted: resultUuid !== null, staleMs: Infinity });
  // The record of the answer holds what a tool changed, outside the block that contains the shown answer.
  const answerRef = CHANGING.has(name) ? (returned.data?.ref?.split('#')[0] ?? null) : null;
  const answer = useAsk('message', { ref: answerRef ?? uuid, session: sessionId }, { isWanted: answerRef !== null, staleMs: Infinity });
  const record = answerRef === null ? undefined : answer.data?.messageData;
  const patch = useMemo(() => patchIn(record), [record]);
  const input = given.data === undefined ? null : inputIn(given.data.messageData);
  const file = input === null ? null : fileIn(input);
  return (
    <div className="operation-detail">
      <div className="operation-about">
        <span className="operation-tool">{printableLine(name)}</span>
        {operation.ref === null ? null : (
          <>
            <Reference to={operation.ref} />
            <TraceLink to={operation.ref} />
          </>
        )}
        {file === null ? null : <FileLink path={file} />}
      </div>
      {given.error === null ? null : <Trouble error={given.error} />}
      {input === null ? (
        given.error === null ? (
          <Skeleton lines={2} label="Loading input" />
        ) : null
      ) : (
        <OperationInput name={name} input={input} patch={patch} />
      )}
      {resultUuid === null ? (
        <p className="operation-none">
          <CircleHelp aria-hidden />
          {state === 'running' ? 'No result yet.' : 'No result.'}
        </p>
      ) : returned.error !== null ? (
        <Trouble error={returned.error} />
      ) : returned.data === undefined ? (
        <Skeleton lines={3} label="Loading result" />
      ) : (
        <OperationResult name={name} file={file} result={resultIn(returned.data.messageData, returned.data.content)} isError={state === 'failed'} />
      )}
    </div>
  );
};

const Trouble = ({ error }: { readonly error: Error }) => <p className="step-refusal">{error.message}</p>;

const FileLink = ({ path }: { readonly path: string }) => {
  const link = editorLink(path, localStorage.getItem(EDITOR_KEY));
  return (
    <span className="operation-file">
      <span className="operation-path">{printableLine(path)}</span>
      <TraceLink to={path} name="this file" />
      <Link className="operation-open" href={`/files?${new URLSearchParams({ path }).toString()}`}>
        <History aria-hidden />
        History
      </Link>
      {link === null ? null : (
        <a className="operation-open" href={link}>
          <ExternalLink aria-hidden />
          Open in editor
        </a>
      )}
    </span>
  );
};
