import { printable } from '@yarnboard/transcript';
import { Check, ChevronDown, FolderCheck, X } from 'lucide-react';
import { useState, type Ref, useImperativeHandle } from 'react';
import { useAskAgain, useCommand, useLive } from '../../live/hooks.tsx';
import { fieldsOf } from '../../shared/operation-parts.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Form } from '../../ui/form.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EditForm } from './edit-form.tsx';
import { alwaysText, type Scope } from './grant-words.ts';
import type { Permission } from './permissions.ts';
import { QuestionForm } from './question-form.tsx';
import { questionsIn } from './questions.ts';

export type AnswerKeys = { readonly allow: () => void; readonly edit: () => void; readonly deny: () => void };

type RunAnswerProps = { readonly request: Permission; readonly runId: string; readonly keys: Ref<AnswerKeys> };

/**
 * PAGE-422, PAGE-427: answers a run's request: allow, always allow, allow with changes, deny, deny with a message for Claude, or deny and stop the
 * turn.
 */
export const RunAnswer = ({ request, runId, keys }: RunAnswerProps) => {
  const { send, isSending, refusal } = useCommand('answer_permission');
  const { runNews } = useLive();
  const askAgain = useAskAgain();
  const [form, setForm] = useState<'none' | 'edit' | 'deny'>('none');
  const [words, setWords] = useState('');
  const input = fieldsOf(request.input);
  const questions = questionsIn(request.tool, input);
  const { always } = request;

  const answer = async (given: Given): Promise<void> => {
    const outcome = await send({ id: runId, requestId: request.requestId, ...given });
    if (outcome.kind === 'done') runNews.take(outcome.result);
    askAgain('permissions', 'activity', 'holder');
  };
  const allow = (): void => {
    if (questions === null && form === 'none' && !isSending) void answer({ decision: 'allow' });
  };
  const deny = (isStopping = false): void => {
    const message = words.trim();
    if (!isSending) void answer({ decision: 'deny', ...(message === '' ? {} : { message }), ...(isStopping ? { interrupt: true } : {}) });
  };
  useImperativeHandle(keys, () => ({
    allow,
    edit: () => {
      if (questions === null) setForm('edit');
    },
    deny: () => setForm('deny'),
  }));

  return (
    <div className="permission-answer">
      {form === 'edit' ? (
        <EditForm
          input={input}
          isSending={isSending}
          onAllow={(updatedInput) => void answer({ decision: 'allow', updatedInput })}
          onCancel={() => setForm('none')}
        />
      ) : form === 'deny' ? (
        <Form ref={focusFirst} aria-label="Deny" className="permission-deny" onSubmit={() => deny()}>
          <TextArea
            label="What should Claude do instead?"
            hint="Claude reads this. Leave it empty to just deny."
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          <FormActions submit="Deny" isDangerous isBusy={isSending} onCancel={() => setForm('none')} />
        </Form>
      ) : questions === null ? (
        <div className="permission-buttons">
          <Menu
            items={[
              { label: 'Deny with a message…', hint: 'd', icon: X, onSelect: () => setForm('deny') },
              { label: 'Deny and stop the turn', icon: X, isDangerous: true, onSelect: () => deny(true) },
            ]}
          >
            <Button icon={ChevronDown}>More</Button>
          </Menu>
          <Button icon={X} onClick={() => deny()}>
            Deny
          </Button>
          <Button aria-keyshortcuts="e" onClick={() => setForm('edit')}>
            Allow with changes…
          </Button>
          {always === null ? null : (
            <Menu
              items={always.scopes.map((scope) => ({
                label: alwaysText(always, scope),
                icon: scope === 'session' ? Check : FolderCheck,
                ...(scope === 'project' ? { hint: 'kept in its settings' } : {}),
                onSelect: () => void answer({ decision: 'allow', always: scope }),
              }))}
            >
              <Button icon={ChevronDown}>Always allow</Button>
            </Menu>
          )}
          <Button icon={Check} variant="primary" isBusy={isSending} aria-keyshortcuts="a" onClick={allow}>
            {always === null ? 'Allow' : 'Allow once'}
          </Button>
        </div>
      ) : (
        <QuestionForm
          questions={questions}
          input={input}
          isSending={isSending}
          onAnswer={(updatedInput) => void answer({ decision: 'allow', updatedInput })}
          onDecline={() => setForm('deny')}
        />
      )}
      {refusal === null ? null : (
        <p className="permission-refusal" role="alert">
          {printable(refusal)}
        </p>
      )}
    </div>
  );
};

type Given =
  | { readonly decision: 'allow'; readonly updatedInput?: Readonly<Record<string, unknown>>; readonly always?: Scope }
  | { readonly decision: 'deny'; readonly message?: string; readonly interrupt?: boolean };
