// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ClientState } from '@yarnboard/protocol';
import { useState, type ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { useLocation } from 'wouter';
import { LiveProvider } from '../../src/live/hooks.tsx';
import { createWatched } from '../../src/live/watched.ts';
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
    expect(await screen.findByText('Read-only')).toBeDefined();
  });

  test('[PAGE-31] whoever has one is told as whom the page acts', async () => {
    page.render(<ConnectionLight />);
    expect(await screen.findByText('Connected')).toBeDefined();
    await userEvent.hover(screen.getByRole('status'));
    expect((await screen.findAllByText(/Signed in as/u)).length).toBeGreaterThan(0);
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
    expect(screen.getByRole('alert').textContent).toContain('The server is offline or was updated.');
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

const Door = ({ children }: { readonly children: ReactNode }) => {
  const [isOpen, setIsOpen] = useState(false);
  return isOpen ? (
    children
  ) : (
    <button type="button" onClick={() => setIsOpen(true)}>
      go there
    </button>
  );
};

describe('what breaks while the server is gone', () => {
  /** A page of its own whose connection is lost and made again, and whose browser only notes that it is to load the page anew. */
  const breakWith = async (broken: () => Error | null, around: (view: ReactNode) => ReactNode) => {
    const lost = await openTestPage();
    const connection = createWatched<ClientState>(lost.live.connection.get());
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    const View = () => {
      const cause = broken();
      if (cause !== null) throw cause;
      return <p>shown</p>;
    };
    const hello = await waitFor(() => {
      const state = lost.live.connection.get();
      if (state.kind !== 'open') throw new Error('not open yet');
      return state;
    });
    connection.set(hello);
    lost.render(<LiveProvider live={{ ...lost.live, connection }}>{around(<View />)}</LiveProvider>);
    return {
      lose: () => act(() => connection.set({ kind: 'connecting' })),
      comeBack: () => act(() => connection.set(hello)),
      reloads: () => reload.mock.calls.length,
      end: async () => {
        reload.mockRestore();
        await lost.close();
      },
    };
  };

  test('[PAGE-189] a view that broke is shown again when the server is back', async () => {
    let cause: Error | null = new Error('cannot be shown');
    const page189 = await breakWith(
      () => cause,
      (view) => <Boundary>{view}</Boundary>,
    );
    page189.lose();
    expect(screen.getByRole('alert').textContent).toContain('cannot be shown');
    cause = null;
    page189.comeBack();
    expect(screen.getByText('shown')).toBeDefined();
    expect(page189.reloads()).toBe(0);
    await page189.end();
  });

  test('[PAGE-189] a view whose code could not be loaded is loaded with the page when the server is back, then or later; nothing else is', async () => {
    const missing = new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/assets/health-1.js');
    const view = await breakWith(
      () => missing,
      (broken) => <Boundary>{broken}</Boundary>,
    );
    expect(view.reloads()).toBe(0);
    view.lose();
    expect(view.reloads()).toBe(0);
    view.comeBack();
    expect(view.reloads()).toBe(1);
    await view.end();
    const later = await breakWith(
      () => missing,
      (broken) => (
        <Boundary>
          <Door>{broken}</Door>
        </Boundary>
      ),
    );
    later.lose();
    later.comeBack();
    expect(later.reloads()).toBe(0);
    await userEvent.click(screen.getByRole('button', { name: 'go there' }));
    expect(later.reloads()).toBe(1);
    await later.end();
    const beside = await breakWith(
      () => missing,
      (broken) => <QuietBoundary>{broken}</QuietBoundary>,
    );
    beside.lose();
    beside.comeBack();
    expect(beside.reloads()).toBe(0);
    await beside.end();
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
