// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastProvider, useToast, type ToastNews } from '../../src/ui/toast.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const Teller = ({ news }: { readonly news: ToastNews }) => {
  const tell = useToast();
  return (
    <button type="button" onClick={() => tell(news)}>
      tell
    </button>
  );
};

const tell = (news: ToastNews, times = 1): void => {
  render(
    <ToastProvider>
      <Teller news={news} />
    </ToastProvider>,
  );
  for (let n = 0; n < times; n += 1) fireEvent.click(screen.getByRole('button', { name: 'tell' }));
};

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

test('[PAGE-196] a toast is read out, and leaves by itself', () => {
  tell({ tone: 'good', title: 'Link copied', text: 'Paste it anywhere.' });
  expect(screen.getByText('Link copied').closest('[aria-live=polite]')).not.toBeNull();
  expect(screen.getByText('Paste it anywhere.')).toBeDefined();
  pass(6000);
  expect(screen.queryByText('Link copied')).toBeNull();
});

test('[PAGE-196] bad news interrupt, and stay longer', () => {
  tell({ tone: 'bad', title: 'Couldn’t copy' });
  expect(screen.getByRole('alert').textContent).toContain('Couldn’t copy');
  pass(6000);
  expect(screen.getByRole('alert')).toBeDefined();
  pass(7000);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('[PAGE-196] it waits for whoever points at it, and for the focus', () => {
  tell({ tone: 'info', title: 'Draft saved' });
  const toast = screen.getByText('Draft saved').closest<HTMLElement>('.toast') ?? document.body;
  fireEvent.pointerEnter(toast);
  pass(20_000);
  fireEvent.pointerLeave(toast);
  pass(3000);
  act(() => screen.getByRole('button', { name: 'Dismiss' }).focus());
  pass(20_000);
  expect(screen.getByText('Draft saved')).toBeDefined();
  act(() => screen.getByRole('button', { name: 'Dismiss' }).blur());
  pass(6000);
  expect(screen.queryByText('Draft saved')).toBeNull();
});

test('[PAGE-196] it can be dismissed, and of many only the latest are shown', () => {
  tell({ tone: 'info', title: 'Draft saved' }, 6);
  expect(screen.getAllByText('Draft saved')).toHaveLength(4);
  for (const button of screen.getAllByRole('button', { name: 'Dismiss' })) fireEvent.click(button);
  expect(screen.queryByText('Draft saved')).toBeNull();
});
