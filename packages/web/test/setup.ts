import { configure } from '@testing-library/react';
import { afterAll, vi } from 'vitest';
import { PATIENCE } from '../../../tests/patience.ts';

configure({ asyncUtilTimeout: PATIENCE });

// Several files share one window, one after the other: none is left what another has put in its place.
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
