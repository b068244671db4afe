// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nextPlace, placesOf } from '../../../src/features/home/next-thing.tsx';
import { Notifier } from '../../../src/features/home/notifier.tsx';
import { askedOf } from '../permissions/asked.ts';
import { openStage, type Stage } from '../scratchpad/stage.tsx';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

test('[PAGE-622] the most urgent comes first, each place once', () => {
  const permissions = [
    askedOf({ sessionId: 'one' }),
    askedOf({ requestId: 'q2', sessionId: 'one' }),
    askedOf({ requestId: 'q3', sidebarId: 'SB-2' }),
  ];
  const needs = { permissions, inbox: [], activity: undefined };
  expect(placesOf({ ...needs, standing: { kind: 'recovery' } })).toEqual(['/recovery', '/sessions/one', '/sidebars/SB-2']);
  // An outage is for waiting, not for doing.
  expect(placesOf({ ...needs, standing: { kind: 'emergency' } })).toEqual(['/sessions/one', '/sidebars/SB-2']);
  expect(placesOf({ permissions: [askedOf({ decision: 'allow' })], inbox: [], activity: undefined, standing: null })).toEqual([]);
});

test('[PAGE-622] going on leads to every place, and round again', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 }), (places) => {
      let here = '';
      const seen = places.map(() => (here = nextPlace(places, here) ?? ''));
      expect(seen).toEqual(places);
      expect(nextPlace(places, here)).toBe(places[0]);
    }),
  );
  expect(nextPlace([], '/')).toBeNull();
});

test('[PAGE-622] the key goes there from anywhere, and is typed where somebody types', async () => {
  const user = userEvent.setup();
  await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'The loom is cold.' });
  stage.render(
    <>
      <Notifier />
      <input aria-label="Words" />
    </>,
    { path: '/health' },
  );
  await waitFor(() => expect(JSON.stringify(stage.live.queries.getQueryData(['inbox', {}]))).toContain('The loom is cold.'));
  await user.type(screen.getByRole('textbox', { name: 'Words' }), 'a.b');
  expect(stage.paths.at(-1)).toBe('/health');
  screen.getByRole('textbox', { name: 'Words' }).blur();
  await user.keyboard('.');
  expect(stage.paths.at(-1)).toBe('/sidebars/SB-1?tab=scratchpad');
  await user.keyboard('.');
  expect(stage.paths.at(-1)).toBe('/sidebars/SB-1?tab=scratchpad');
  await screen.findByText('This is the only thing that needs you');
});
