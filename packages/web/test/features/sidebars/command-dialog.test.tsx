// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CommandDialog } from '../../../src/shared/command-dialog.tsx';

afterEach(cleanup);

test('[PAGE-84] a dialog sends once, however often it is submitted meanwhile, and says why it is refused', () => {
  const sent: string[] = [];
  const dialog = (isSending: boolean, refusal: string | null) => (
    <CommandDialog
      title="Pause SB-1"
      confirm="Pause"
      refusal={refusal}
      isSending={isSending}
      onSubmit={async () => void sent.push('paused')}
      onClose={() => void sent.push('closed')}
    >
      <input aria-label="Why?" />
    </CommandDialog>
  );
  const { rerender } = render(dialog(false, null));
  const submit = (): boolean => fireEvent.submit(screen.getByRole('textbox').closest('form') ?? document.body);
  submit();
  rerender(dialog(true, null));
  submit();
  rerender(dialog(false, 'It is archived.'));
  expect({
    sent,
    refusal: screen.getByRole('alert').textContent,
    buttons: screen.getAllByRole('button').map(({ textContent }) => textContent),
  }).toEqual({
    sent: ['paused'],
    refusal: 'It is archived.',
    buttons: ['', 'Cancel', 'Pause'],
  });
});
