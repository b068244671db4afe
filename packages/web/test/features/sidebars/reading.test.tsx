// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SidebarBoard } from '../../../src/features/sidebars/sidebar-board.tsx';
import { SidebarPage } from '../../../src/features/sidebars/sidebar-page.tsx';
import { openStage } from './stage.tsx';

test('[PAGE-97] whoever only reads sees everything and is offered nothing that acts', async () => {
  const stage = await openStage({ isOperator: false });
  await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Find the leak' });
  await stage.act('chat_message', { sidebarId: 'SB-1', content: 'said' });
  const { unmount } = stage.render(<SidebarPage sidebarRef="SB-1" />);
  await screen.findByText('said');
  expect(screen.queryByRole('group', { name: 'Actions for SB-1' })).toBeNull();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button', { name: /^(?:Reply|Cite)/u })).toBeNull();
  expect(screen.getByText(/^Read-only/u)).toBeDefined();
  unmount();
  stage.render(<SidebarBoard />);
  await screen.findByRole('link', { name: 'SB-1: Find the leak' });
  expect(screen.queryByRole('switch', { name: 'Mine' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'New sidebar' })).toBeNull();
  await stage.close();
});

test('[PAGE-201] whoever only reads is told of a test and is not asked for results', async () => {
  const stage = await openStage({ isOperator: false });
  await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Try it', testing: true });
  stage.render(<SidebarPage sidebarRef="SB-1" />);
  expect((await screen.findByText('Testing', { selector: 'strong' })).parentElement?.textContent).toBe('Testing: results are in the details.');
  expect(screen.queryByRole('button', { name: 'Report result' })).toBeNull();
  await stage.close();
});
