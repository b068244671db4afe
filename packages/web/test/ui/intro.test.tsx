// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { InPanelProvider } from '../../src/ui/in-panel.ts';
import { Page } from '../../src/ui/page.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const INTRO = /^Find anything that was said/u;
const show = (name: 'search' | 'usage' = 'search'): void => {
  cleanup();
  render(
    <Page title="A view" intro={name}>
      something
    </Page>,
  );
};

test('[PAGE-630] a view says on the first visit what it is for, and not on the next', () => {
  show();
  expect(screen.getByText(INTRO)).toBeTruthy();
  show();
  expect(screen.queryByText(INTRO)).toBeNull();
  // Each view by itself.
  show('usage');
  expect(screen.getByText(/^See which tokens were used/u)).toBeTruthy();
});

test('[PAGE-630] it is dismissed by its button; a view in the panel says nothing', async () => {
  show();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Got it' }));
  expect(screen.queryByText(INTRO)).toBeNull();
  cleanup();
  localStorage.clear();
  render(
    <InPanelProvider value>
      <Page title="A view" intro="search">
        something
      </Page>
    </InPanelProvider>,
  );
  expect(screen.queryByText(INTRO)).toBeNull();
});
