// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Tooltip } from '../../src/ui/tooltip.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const show = (name?: string): HTMLElement => {
  render(
    <Tooltip text="Copies the reference">
      <button type="button" aria-label={name}>
        Copy
      </button>
    </Tooltip>,
  );
  return screen.getByRole('button');
};

const tip = (): HTMLElement | null => screen.queryByRole('tooltip');
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
const enter = (element: HTMLElement, pointerType = 'mouse'): void => void fireEvent.pointerEnter(element, { pointerType });

test('[PAGE-195] a tooltip opens after a moment of hovering and describes what it is put around', () => {
  const button = show();
  enter(button);
  expect(tip()).toBeNull();
  pass(500);
  expect(tip()?.textContent).toBe('Copies the reference');
  expect(button.getAttribute('aria-describedby')).toBe(tip()?.id);
  fireEvent.pointerLeave(button);
  pass(500);
  expect([tip(), button.getAttribute('aria-describedby')]).toEqual([null, null]);
});

test('[PAGE-195] a pointer that only passes by opens nothing, nor does a finger', () => {
  const button = show();
  enter(button);
  pass(200);
  fireEvent.pointerLeave(button);
  pass(1000);
  enter(button, 'touch');
  pass(1000);
  expect(tip()).toBeNull();
});

test('[PAGE-195] it stays while the pointer is on it', () => {
  const button = show();
  enter(button);
  pass(500);
  fireEvent.pointerLeave(button);
  enter(tip() ?? button);
  pass(1000);
  expect(tip()).not.toBeNull();
  fireEvent.pointerLeave(tip() ?? button);
  expect(tip()).toBeNull();
});

test.each([
  ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
  ['scrolling', () => fireEvent.scroll(document)],
  ['a press', () => fireEvent.pointerDown(screen.getByRole('button'))],
] as const)('[PAGE-195] %s closes it', (_, close) => {
  enter(show());
  pass(500);
  expect(tip()).not.toBeNull();
  close();
  expect(tip()).toBeNull();
});

test('[PAGE-195] it opens with the keyboard focus, and a name is not read out twice', () => {
  const button = show('Copies the reference');
  act(() => button.focus());
  expect(tip()).not.toBeNull();
  expect(button.getAttribute('aria-describedby')).toBeNull();
  act(() => button.blur());
  expect(tip()).toBeNull();
});
