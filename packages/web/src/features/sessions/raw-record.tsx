import { useAsk } from '../../live/hooks.tsx';
import { Json } from '../../shared/operation-input.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Scroller } from '../../ui/scroller.tsx';
import { Failure, Skeleton } from '../../ui/state.tsx';

/** PAGE-617: a record as it is in its transcript, with secrets masked. */
export const RawRecord = ({ sessionId, uuid, onClose }: { readonly sessionId: string; readonly uuid: string; readonly onClose: () => void }) => {
  const { data, error, refetch } = useAsk('message', { ref: uuid, session: sessionId }, { staleMs: Infinity });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Raw record"
      size="wide"
      description="As the transcript has it. Known secrets are masked."
      {...(data === undefined ? {} : { actions: <CopyButton text={JSON.stringify(data.messageData, null, 2)} label="Copy record" /> })}
    >
      {error !== null ? <Failure title="Couldn’t load the record" error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={8} label="Loading record" />
        ) : null
      ) : (
        <Scroller className="raw-record" label="Record">
          <Json value={data.messageData} />
        </Scroller>
      )}
    </Dialog>
  );
};
