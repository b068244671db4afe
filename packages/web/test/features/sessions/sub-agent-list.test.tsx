import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { SubAgent } from '../../../src/features/sessions/flow-context.ts';
import { SubAgentList } from '../../../src/features/sessions/sub-agent-list.tsx';

afterEach(cleanup);

// Only what the list reads.
const agent = (agentId: string, toolUseIds: readonly string[]): SubAgent =>
  ({ agentId, toolUseIds, agent: 'weaver', task: null, description: null, prompt: null, state: 'done', responses: 0 }) as unknown as SubAgent;

test('[PAGE-619] what Claude Code started by itself is shown and hidden by the same item, which keeps the focus', async () => {
  const user = userEvent.setup();
  const agents = new Map([agent('a1', ['t']), agent('acompact-1', [])].map((one) => [one.agentId, one]));
  render(<SubAgentList count={2} agents={agents} openId={null} onOpen={() => {}} />);
  await user.click(screen.getByRole('button', { name: '1 sub-agent' }));
  await user.keyboard('{End}{Enter}');
  const item = screen.getByRole('menuitem', { name: /^Hide what Claude Code started by itself/u });
  expect([screen.getAllByRole('menuitem').length, document.activeElement]).toEqual([3, item]);
  await user.keyboard('{Enter}');
  expect([screen.getAllByRole('menuitem').length, document.activeElement]).toEqual([2, item]);
  expect(item.textContent).toContain('Show what Claude Code started by itself');
});
