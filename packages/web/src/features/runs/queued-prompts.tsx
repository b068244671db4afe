import { printable } from '@yarnboard/transcript';
import { Clock, CloudUpload, Image, Pencil, Undo2 } from 'lucide-react';
import { useCommand, useLive } from '../../live/hooks.tsx';
import { waitingPrompts, type Outgoing, type Run, type WaitingPrompt } from '../../live/run-news.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { Badge } from '../../ui/badge.tsx';
import { counted } from '../../ui/wording.ts';
import { IconButton } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Form } from '../../ui/form.tsx';
import type { Change, Changes } from './changes.ts';

/** PAGE-402: what a run will read after its turn, in order. Until it has read a prompt, you can edit it or take it back. */
export const QueuedPrompts = ({
  run,
  outgoing,
  changes,
  mayAct,
}: {
  readonly run: Run;
  readonly outgoing: readonly Outgoing[];
  readonly changes: Changes;
  readonly mayAct: boolean;
}) => {
  const waiting = waitingPrompts(run, outgoing);
  if (waiting.length === 0) return null;
  return (
    <ol className="composer-queue" aria-label="Queued prompts">
      {waiting.map((prompt, n) => (
        <li key={prompt.uuid} className="composer-queued">
          <Badge icon={prompt.isSent ? Clock : CloudUpload}>{prompt.isSent ? `queued ${n + 1}` : 'sending'}</Badge>
          <Queued run={run} prompt={prompt} changes={changes} mayAct={mayAct && prompt.isSent} />
        </li>
      ))}
    </ol>
  );
};

const Queued = ({
  run: { runId },
  prompt: { uuid, text, images },
  changes,
  mayAct,
}: {
  readonly run: Run;
  readonly prompt: WaitingPrompt;
  readonly changes: Changes;
  readonly mayAct: boolean;
}) => {
  const { runNews } = useLive();
  const unsend = useCommand('unsend_message');
  const change = useCommand('change_message');
  const begun: Change | undefined = changes.all.find((one) => one.uuid === uuid);
  const takeBack = async (): Promise<void> => {
    const outcome = await unsend.send({ id: runId, uuid });
    if (outcome.kind === 'done') runNews.take(outcome.result);
  };
  const submit = async (): Promise<void> => {
    const said = begun?.words.trim() ?? '';
    if (said === '') return;
    const outcome = await change.send({ id: runId, uuid, text: said });
    if (outcome.kind !== 'done') return;
    runNews.take(outcome.result);
    changes.drop(uuid);
  };
  if (begun !== undefined && mayAct) {
    return (
      <Form ref={focusFirst} className="composer-change" aria-label="Edit queued prompt" onSubmit={() => void submit()}>
        <TextArea
          label="Edit queued prompt"
          isLabelHidden
          required
          value={begun.words}
          onChange={({ target }) => changes.write({ ...begun, words: target.value })}
        />
        <FormActions submit="Save" isBusy={change.isSending} isDisabled={begun.words.trim() === ''} onCancel={() => changes.drop(uuid)} />
        <Refusal text={change.refusal} />
      </Form>
    );
  }
  return (
    <>
      <span className="composer-queued-text">{printable(text)}</span>
      {images === 0 ? null : <Badge icon={Image}>{counted(images, 'image')}</Badge>}
      {mayAct ? (
        <>
          <IconButton icon={Pencil} size="small" label="Edit this prompt" onClick={() => changes.write({ uuid, before: text, words: text })} />
          <IconButton icon={Undo2} size="small" label="Take this prompt back" disabled={unsend.isSending} onClick={() => void takeBack()} />
        </>
      ) : null}
      <Refusal text={unsend.refusal} />
    </>
  );
};
