import { useState } from 'react';
import { useAskAgain, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useToast } from '../../ui/toast.tsx';

type Place = { readonly sidebarId: string; readonly agentId: string; readonly name: string; readonly sidebarRef: string };

/** PAGE-534: raises the budget of a seat, of its agent today, or of all agents today; fields left empty stay as they are. */
export const GrantForm = ({ sidebarId, agentId, name, sidebarRef }: Place) => {
  const [isOpen, setIsOpen] = useState(false);
  const [values, setValues] = useState<Values>(NONE);
  const { send, isSending, refusal } = useCommand('budget_grant');
  const askAgain = useAskAgain();
  const tell = useToast();
  const wrong = (Object.keys(FIELDS) as readonly Field[]).find((field) => !isAmount(values[field], FIELDS[field].isWhole)); // its own keys
  const isEmpty = Object.values(values).every((value) => value.trim() === '');
  const grant = async (): Promise<void> => {
    const outcome = await send({
      sidebarId,
      agentId,
      ...given('turns', values),
      ...given('tokens', values),
      ...given('usd', values),
      ...given('usdToday', values),
      ...given('boardUsdToday', values),
    });
    if (outcome.kind !== 'done') return;
    tell({ tone: 'good', title: 'Budget granted', text: `${name} resumes if it was waiting for it.` });
    setValues(NONE);
    setIsOpen(false);
    askAgain('seat', 'seats', 'load');
  };
  if (!isOpen)
    return (
      <p>
        <Button size="small" onClick={() => setIsOpen(true)}>
          Grant more…
        </Button>
      </p>
    );
  return (
    <Form className="grant-form" aria-label={`Grant more to ${name}`} onSubmit={() => void grant()}>
      {(Object.keys(FIELDS) as readonly Field[]).map((field) => (
        <TextField
          key={field}
          label={FIELDS[field].label.replace('{sidebar}', sidebarRef).replace('{agent}', name)}
          inputMode={FIELDS[field].isWhole ? 'numeric' : 'decimal'}
          autoComplete="off"
          placeholder="0"
          value={values[field]}
          onChange={({ target }) => setValues({ ...values, [field]: target.value })}
          error={wrong === field ? FIELDS[field].wrong : undefined}
        />
      ))}
      {refusal === null ? null : (
        <p className="field-error" role="alert">
          {refusal}
        </p>
      )}
      <p className="request-buttons">
        <Button size="small" onClick={() => setIsOpen(false)}>
          Cancel
        </Button>
        <Button size="small" variant="primary" type="submit" isBusy={isSending} disabled={isEmpty || wrong !== undefined}>
          Grant
        </Button>
      </p>
    </Form>
  );
};

const WHOLE = 'Use a whole number above 0.';
const MONEY = 'Use an amount above 0, such as 2.50.';
const FIELDS = {
  turns: { label: 'More turns in {sidebar}', isWhole: true, wrong: WHOLE },
  tokens: { label: 'More tokens in {sidebar}', isWhole: true, wrong: WHOLE },
  usd: { label: 'More US dollars in {sidebar}', isWhole: false, wrong: MONEY },
  usdToday: { label: 'More US dollars today for {agent}', isWhole: false, wrong: MONEY },
  boardUsdToday: { label: 'More US dollars today for all agents', isWhole: false, wrong: MONEY },
} as const;
type Field = keyof typeof FIELDS;
type Values = Readonly<Record<Field, string>>;
const NONE: Values = { turns: '', tokens: '', usd: '', usdToday: '', boardUsdToday: '' };

/** An empty field counts as no amount, and is valid. */
const isAmount = (text: string, isWhole: boolean): boolean => {
  const value = text.trim();
  return value === '' || ((isWhole ? /^\d{1,12}$/u : /^\d{1,9}([.]\d{1,6})?$/u).test(value) && Number(value) > 0);
};

const given = <F extends Field>(field: F, values: Values): { readonly [K in F]?: number } =>
  values[field].trim() === '' ? {} : ({ [field]: Number(values[field]) } as { readonly [K in F]: number }); // only this field
