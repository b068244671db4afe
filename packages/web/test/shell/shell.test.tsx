// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useLocation } from 'wouter';
import { Banners } from '../../src/shell/banners.tsx';
import { Boundary, DialogBoundary, QuietBoundary } from '../../src/shell/boundary.tsx';
import { ConnectionLight } from '../../src/shell/connection-light.tsx';
import { Frame } from '../../src/shell/frame.tsx';
import { ThemeProvider, useTheme } from '../../src/ui/theme.tsx';
import { openTestPage, type TestPage } from '../test-page.tsx';

let page: TestPage;
let reading: TestPage;
beforeAll(async () => {
  [page, reading] = await Promise.all([openTestPage(), openTestPage({ isOperator: false })]);
});
afterEach(cleanup);
afterAll(() => Promise.all([page.close(), reading.close()]));

describe('who is connected', () => {
  test('[PAGE-31] whoever has no token is told that the page only reads', async () => {
    reading.render(<ConnectionLight />);
    expect(await screen.findByText('Reading')).toBeDefined();
  });

  test('[PAGE-31] whoever has one is told as whom the page acts', async () => {
    page.render(<ConnectionLight />);
    expect(await screen.findByText('Live')).toBeDefined();
    await userEvent.hover(screen.getByRole('status'));
    expect((await screen.findAllByText(/Connected as/u)).length).toBeGreaterThan(0);
  });

  test('[PAGE-31] a link that did not let in is explained to whoever only reads', async () => {
    reading.render(<Banners entranceTrouble="this link was used" onLeave={() => {}} />);
    expect(await screen.findByText('this link was used')).toBeDefined();
  });
});

describe('getting around', () => {
  test('[PAGE-33] the view one went to has the focus, and its place is marked', async () => {
    page.render(
      <Frame banners={null}>
        <h1>view</h1>
      </Frame>,
      { path: '/' },
    );
    await userEvent.click(screen.getByRole('link', { name: 'Sidebars' }));
    await waitFor(() => expect(document.activeElement?.id).toBe('main'));
    expect(page.paths.at(-1)).toBe('/sidebars');
    expect(screen.getByRole('link', { name: 'Sidebars' }).getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBeNull();
  });
});

const Broken = ({ isBroken }: { readonly isBroken: () => boolean }) => {
  if (isBroken()) throw new Error('cannot be shown');
  return <p>shown</p>;
};

describe('what breaks', () => {
  test('[PAGE-34] a view that breaks says so and can be tried again; what stands around it stays', async () => {
    let isBroken = true;
    page.render(
      <>
        <p>around</p>
        <Boundary>
          <Broken isBroken={() => isBroken} />
        </Boundary>
      </>,
    );
    expect(screen.getByRole('alert').textContent).toContain('cannot be shown');
    expect(screen.getByText('around')).toBeDefined();
    isBroken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByText('shown')).toBeDefined();
  });
});

describe('what breaks, elsewhere', () => {
  test('[PAGE-34] whoever goes on from a view that broke sees the next one', async () => {
    const View = () => {
      const [path] = useLocation();
      return <Broken isBroken={() => path === '/gold'} />;
    };
    page.render(
      <Frame banners={null}>
        <Boundary>
          <View />
        </Boundary>
      </Frame>,
      { path: '/gold' },
    );
    expect(screen.getByRole('alert').textContent).toContain('cannot be shown');
    await userEvent.click(screen.getByRole('link', { name: 'Agents' }));
    expect(await screen.findByText('shown')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([
    'Failed to fetch dynamically imported module: http://127.0.0.1/assets/gold-page-1.js',
    'error loading dynamically imported module: http://127.0.0.1/assets/gold-page-1.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/gold-page-1.css',
  ])('[PAGE-34] a view whose file is gone says that the server may have another version: %s', (message) => {
    const Gone = () => {
      throw new TypeError(message);
    };
    page.render(
      <Boundary>
        <Gone />
      </Boundary>,
    );
    expect(screen.getByRole('alert').textContent).toContain('has another version now');
  });

  test('[PAGE-34] what breaks over or beside the views takes none of them along', () => {
    page.render(
      <>
        <p>around</p>
        <QuietBoundary>
          <Broken isBroken={() => true} />
        </QuietBoundary>
        <DialogBoundary title="Search" onClose={() => {}}>
          <Broken isBroken={() => true} />
        </DialogBoundary>
      </>,
    );
    expect(screen.getByText('around')).toBeDefined();
    expect(screen.getByRole('dialog', { name: 'Search' }).textContent).toContain('cannot be shown');
  });
});

const Chooser = () => {
  const { choose, theme, shown } = useTheme();
  return (
    <button type="button" onClick={() => choose('dark')}>
      {theme} {shown}
    </button>
  );
};

describe('light and dark', () => {
  test('[PAGE-35] what was chosen is shown, and kept for the next time', async () => {
    const kept = new Map<string, string>();
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
    const shown = render(
      <ThemeProvider storage={storage}>
        <Chooser />
      </ThemeProvider>,
    );
    expect(screen.getByRole('button').textContent).toBe('system light');
    await userEvent.click(screen.getByRole('button'));
    await act(async () => {});
    expect([screen.getByRole('button').textContent, document.documentElement.dataset['theme']]).toEqual(['dark dark', 'dark']);
    shown.unmount();
    render(
      <ThemeProvider storage={storage}>
        <Chooser />
      </ThemeProvider>,
    );
    expect(screen.getByRole('button').textContent).toBe('dark dark');
  });
});
