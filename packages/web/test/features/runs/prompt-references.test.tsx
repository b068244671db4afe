// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { useState } from 'react';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PromptBox } from '../../../src/features/runs/prompt-box.tsx';
import { unquotedIn, withWords } from '../../../src/features/runs/prompt-references.tsx';
import { openStage, type Stage } from '../scratchpad/stage.tsx';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'The pool is too small.\nIt has five.' });
});
afterAll(() => stage.close());

const Box = () => {
  const [text, setText] = useState('');
  return <PromptBox label="Prompt" value={text} onChange={setText} onEnter={() => undefined} hint="" />;
};

test('[PAGE-416] a reference in a prompt says what it stands for, and its words are added by a click', async () => {
  const user = userEvent.setup();
  stage.render(<Box />);
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  await user.type(box, 'Mend SCRATCH-1:FINDING-1 and MSG-999 please');
  const list = within(await screen.findByRole('list', { name: 'References in this prompt' }));
  await list.findByText(/The pool is too small\./u);
  // What stands for nothing says so, and has nothing to add.
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(2));
  expect(list.getAllByRole('button')).toHaveLength(1);
  await user.click(list.getByRole('button', { name: 'Add its words' }));
  expect(box.value).toBe('Mend SCRATCH-1:FINDING-1 and MSG-999 please\n\nSCRATCH-1:FINDING-1:\n> The pool is too small.\n> It has five.\n');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Add its words' })).toBeNull());
});

test('[PAGE-416] words that were added are offered no more, whatever they are', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 9999 }), fc.string({ minLength: 1, maxLength: 200 }), (before, n, words) => {
      const ref = `GOLD-${n}`;
      const text = `${before} ${ref} `;
      expect(unquotedIn(withWords(text, ref, words))).not.toContain(ref);
      expect(withWords(text, ref, words).startsWith(text.trimEnd())).toBe(true);
    }),
  );
  expect(unquotedIn('see MSG-1, MSG-1 and GOLD-2')).toEqual(['MSG-1', 'GOLD-2']);
});
