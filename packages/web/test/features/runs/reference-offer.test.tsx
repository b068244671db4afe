// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { useState } from 'react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PromptBox } from '../../../src/features/runs/prompt-box.tsx';
import { SidebarPage } from '../../../src/features/sidebars/sidebar-page.tsx';
import { referenceBegun, withReference } from '../../../src/shared/reference-begun.ts';
import { openStage, type Stage } from '../scratchpad/stage.tsx';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.act('chat_message', { sidebarId: 'SB-1', content: 'Is it the pool?' });
  await stage.act('chat_message', { sidebarId: 'SB-1', content: 'It is the *proxy*.' });
  await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'The pool is too small.' });
});
afterEach(cleanup);
afterAll(() => stage.close());

const Box = ({ onSend }: { readonly onSend: (text: string) => void }) => {
  const [text, setText] = useState('');
  return <PromptBox label="Prompt" value={text} onChange={setText} onEnter={() => onSend(text)} hint="" />;
};
const options = (): readonly string[] => {
  const list = screen.queryByRole('listbox', { name: 'References' });
  return list === null
    ? []
    : within(list)
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
};

test('[PAGE-641] a prompt offers references with their words; the keys choose and take one where the cursor is', async () => {
  const user = userEvent.setup();
  const sent: string[] = [];
  stage.render(<Box onSend={(text) => sent.push(text)} />);
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  await user.type(box, 'Mend  now');
  box.setSelectionRange(5, 5);
  await user.type(box, 'SCRATCH-1:pool', { initialSelectionStart: 5, initialSelectionEnd: 5 });
  await waitFor(() => expect(options()).toEqual(['SCRATCH-1:FINDING-1The pool is too small.']));
  expect(box.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
  await user.keyboard('{Enter}');
  expect(box.value).toBe('Mend SCRATCH-1:FINDING-1 now');
  await waitFor(() => expect([box.selectionStart, options()]).toEqual([25, []]));
  expect(sent).toEqual([]);
});

test('[PAGE-641] Escape closes the list, the arrow keys choose, and a reference that is typed out is sent', async () => {
  const user = userEvent.setup();
  const sent: string[] = [];
  stage.render(<Box onSend={(text) => sent.push(text)} />);
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  await user.type(box, 'see MSG-1');
  await waitFor(() => expect(options()).toEqual(['MSG-1Is it the pool?']));
  await user.keyboard('{Enter}');
  expect(sent).toEqual(['see MSG-1']);
  await user.keyboard('{Escape}');
  expect(options()).toEqual([]);
  // Passing one by is not typing it: the arrow keys go on moving the cursor.
  await user.keyboard(' at once{ArrowLeft>8/}');
  expect([box.value.slice(0, box.selectionStart), options()]).toEqual(['see MSG-1', []]);
  await user.clear(box);
  await user.type(box, 'SB-');
  await waitFor(() => expect(options()).toEqual(['SB-1Why does the login fail?']));
  await user.keyboard('{ArrowDown}{Tab}');
  expect(box.value).toBe('SB-1 ');
});

test('[PAGE-641] a message in a sidebar offers what was said there, and a click takes it', async () => {
  const user = userEvent.setup();
  stage.render(<SidebarPage sidebarRef="SB-1" />);
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message SB-1' });
  await user.type(box, 'as in MSG-');
  await waitFor(() => expect(options()).toEqual(['MSG-2It is the *proxy*.', 'MSG-1Is it the pool?']));
  await user.keyboard('{ArrowDown}');
  expect(box.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
  await user.pointer({ keys: '[MouseLeft]', target: screen.getByRole('option', { name: /pool/u }) });
  await waitFor(() => expect(box.value).toBe('as in MSG-1 '));
  expect(options()).toEqual([]);
});

test('[PAGE-641] only a reference is one, and taking it changes nothing else', () => {
  const typedIn = (text: string): string | null => referenceBegun(text, text.length)?.typed ?? null;
  expect(['MSG-', 'see gold-1', '(SB-4', 'SCRATCH-4:FINDING-', 'GOLD-lost lease'].map(typedIn)).toEqual([
    'MSG-',
    'gold-1',
    'SB-4',
    'SCRATCH-4:FINDING-',
    null,
  ]);
  expect(['gold-standard', 'XMSG-1', 'a/SB-1', 'MSG', '@MSG-1', 'CITE-1'].map(typedIn)).toEqual([null, null, null, null, null, null]);
  fc.assert(
    fc.property(fc.string(), fc.nat(9999), fc.string(), (before, n, after) => {
      const text = `${before} MSG-${n}${after}`;
      const begun = referenceBegun(text, before.length + ` MSG-${n}`.length);
      expect(begun).toEqual({ from: before.length + 1, typed: `MSG-${n}` });
      if (begun === null) return;
      const next = withReference(text, begun, 'MSG-77');
      expect(next.text).toBe(`${before} MSG-77 ${after.replace(/^ /u, '')}`);
      expect(next.text.slice(0, next.cursor)).toBe(`${before} MSG-77 `);
    }),
  );
});
