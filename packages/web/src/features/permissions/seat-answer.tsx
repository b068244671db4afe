import { printable } from '@yarnboard/transcript';
import { Check, ChevronDown, X } from 'lucide-react';
import { useImperativeHandle, useState, type Ref } from 'react';
import { useAskAgain, useCommand } from '../../live/hooks.tsx';
import { fieldsOf, type Fields } from '../../shared/operation-parts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Form } from '../../ui/form.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { EditForm } from './edit-form.tsx';
import { askerOf, type Permission } from './permissions.ts';
import { QuestionForm } from './question-form.tsx';
import { questionsIn } from './questions.ts';
import type { AnswerKeys } from './run-answer.tsx';

type SeatAnswerProps = { readonly request: Permission; readonly keys: Ref<AnswerKeys> };

type Given =
  | { readonly decision: 'allow'; readonly scope?: 'seat' | 'agent'; readonly breadth?: 'exact' | 'alike'; readonly updatedInput?: Fields }
  | { readonly decision: 'deny'; readonly message?: string };

/** PAGE-311: allow once, for this seat or for this agent, exactly this or anything like it; allow with changes; deny, with an optional message. */
export const SeatAnswer = ({ request, keys }: SeatAnswerProps) => {
  const { send, isSending, refusal } = useCommand('permission_answer');
  const askAgain = useAskAgain();
  const [form, setForm] = useState<'none' | 'edit' | 'deny'>('none');
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<Given['decision'] | null>(null);
  const { requestId, alike, sidebarId, tool } = request;
  const input = fieldsOf(request.input);
  const questions = questionsIn(tool, input);

  const answer = async (given: Given): Promise<void> => {
    if (isSending) return;
    setChosen(given.decision);
    await send({ requestId, ...given });
    askAgain('permissions');
  };
  const deny = (): void => {
    const message = words.trim();
    void answer({ decision: 'deny', ...(message === '' ? {} : { message }) });
  };
  useImperativeHandle(keys, () => ({
    allow: () => {
      if (questions === null && form === 'none') void answer({ decision: 'allow' });
    },
    edit: () => {
      if (questions === null) setForm('edit');
    },
    deny: () => setForm('deny'),
  }));
  const always = (scope: 'seat' | 'agent', where: string): readonly MenuItem[] => [
    { label: `Exactly this, ${where}`, icon: Check, onSelect: () => void answer({ decision: 'allow', scope, breadth: 'exact' }) },
    ...(alike === null
      ? []
      : [
          {
            label: `${alike === '*' ? `Any use of ${tool}` : alike}, ${where}`,
            icon: Check,
            onSelect: () => void answer({ decision: 'allow', scope, breadth: 'alike' }),
          },
        ]),
  ];

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
        <Form ref={focusFirst} aria-label="Deny" className="permission-deny" onSubmit={deny}>
          <TextField
            label="What should it do instead?"
            hint="The agent reads this. Leave it empty to just deny."
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          <FormActions submit="Deny" isDangerous isBusy={isSending} onCancel={() => setForm('none')} />
        </Form>
      ) : questions === null ? (
        <div className="permission-buttons">
          <Button variant="quiet" aria-keyshortcuts="d" onClick={() => setForm('deny')}>
            Deny with a reason…
          </Button>
          <Button icon={X} isBusy={isSending && chosen === 'deny'} onClick={deny}>
            Deny
          </Button>
          <Button aria-keyshortcuts="e" onClick={() => setForm('edit')}>
            Allow with changes…
          </Button>
          <Menu
            items={[
              ...always('seat', `in ${sidebarId ?? 'this sidebar'}`),
              { kind: 'line' },
              ...always('agent', `for ${askerOf(request)} everywhere`),
            ]}
          >
            <Button icon={ChevronDown}>Always allow</Button>
          </Menu>
          <Button
            icon={Check}
            variant="primary"
            isBusy={isSending && chosen === 'allow'}
            aria-keyshortcuts="a"
            onClick={() => void answer({ decision: 'allow' })}
          >
            Allow once
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
