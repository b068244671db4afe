import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { alikeIn } from '../../../src/features/permissions/alike-requests.tsx';
import { PermissionRequests } from '../../../src/features/permissions/permission-requests.tsx';
import { connectAs } from '../home/connection.ts';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { askedOf } from './asked.ts';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage();
});
afterEach(cleanup);
afterAll(() => page.close());

const ofRun = (requestId: string, more: Parameters<typeof askedOf>[0] = {}) => askedOf({ requestId, runId: 'run-1', ...more });

test('[PAGE-426] alike are open requests of one run for one tool; questions and plans are not', () => {
  const requests = [
    ofRun('a'),
    ofRun('b'),
    ofRun('c', { tool: 'Edit' }),
    ofRun('d', { runId: 'run-2' }),
    ofRun('e', { runId: null }),
    ofRun('f', { decision: 'allow' }),
    ofRun('g', { tool: 'AskUserQuestion' }),
    ofRun('h', { tool: 'AskUserQuestion' }),
    ofRun('i'),
  ];
  expect(alikeIn(requests)).toEqual([{ runId: 'run-1', tool: 'Bash', requestIds: ['a', 'b', 'i'] }]);
});

test('[PAGE-426] they are answered together while each stays listed, and those that could not be are shown', async () => {
  const user = userEvent.setup();
  page.render(<PermissionRequests requests={[ofRun('a'), ofRun('b')]} />);
  const group = await screen.findByRole('group', { name: '2 requests for Bash' });
  expect(within(screen.getByRole('list', { name: 'Permission requests' })).getAllByRole('article')).toHaveLength(2);
  // No such run is there: the server refuses each of them.
  await user.click(within(group).getByRole('button', { name: 'Deny all' }));
  await waitFor(() => expect(within(group).getByRole('alert').textContent).toBe('2 of them were already answered or couldn’t be.'));
});

test('[PAGE-426] whoever only reads is not offered it', async () => {
  const reader = connectAs(page.server.url, null);
  page.render(<PermissionRequests requests={[ofRun('a'), ofRun('b')]} />, { as: reader });
  await screen.findByRole('list', { name: 'Permission requests' });
  expect(screen.queryByRole('button', { name: 'Allow all' })).toBeNull();
  reader.close();
});
