// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SaidNews } from '../../../src/features/sidebars/said-news.tsx';
import { SidebarPage } from '../../../src/features/sidebars/sidebar-page.tsx';
import type { Said } from '../../../src/features/sidebars/talk.ts';
import { actAs, openStage } from './stage.tsx';

const said = (seq: number, sender = 'AGENT-weaver', isOnItsWay = false): Said => ({
  key: String(seq),
  seq,
  ref: null,
  exchange: null,
  at: null,
  sender,
  senderType: 'agent',
  context: 'SB-1',
  text: `secret ${seq}`,
  citations: [],
  inReplyTo: null,
  isOnItsWay,
});

const told = (): string => screen.getByRole('status', { name: 'New messages' }).textContent;

describe('messages that come, for whoever hears the page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  const show = (): ((all: readonly Said[], isReady?: boolean) => string) => {
    const { rerender } = render(<SaidNews said={[]} isReady={false} actorId="OPERATOR" />);
    return (all, isReady = true) => {
      rerender(<SaidNews said={all} isReady={isReady} actorId="OPERATOR" />);
      return told();
    };
  };
  const pass = (ms: number): string => {
    act(() => void vi.advanceTimersByTime(ms));
    return told();
  };

  test('[PAGE-131] what was there before is not told, what comes is counted and not read out', () => {
    const now = show();
    const first = [said(1), said(2)];
    expect([now([], false), now(first), now([said(0), ...first]), now([said(0), ...first, said(3)])]).toEqual(['', '', '', '1 new message']);
  });

  test('[PAGE-131] what comes soon after is told together, after a pause', () => {
    const now = show();
    now([said(1)]);
    expect([now([said(1), said(2)]), now([said(1), said(2), said(3)]), now([1, 2, 3, 4, 5].map((seq) => said(seq)))]).toEqual([
      '1 new message',
      '1 new message',
      '1 new message',
    ]);
    expect([pass(4000), pass(1500), pass(60_000)]).toEqual(['1 new message', '3 new messages', '3 new messages']);
  });

  test('[PAGE-131] as many as before are told again', () => {
    const now = show();
    now([said(1)]);
    now([said(1), said(2)]);
    const before = screen.getByText('1 new message');
    pass(60_000);
    now([said(1), said(2), said(3)]);
    expect([before.isConnected, screen.getByText('1 new message') === before]).toEqual([false, false]);
  });

  test('[PAGE-131] nobody is told what they said themselves, nor what is on its way', () => {
    const now = show();
    now([said(1)]);
    expect([now([said(1), said(2, 'OPERATOR')]), now([said(1), said(2, 'OPERATOR'), said(Number.MAX_SAFE_INTEGER, 'AGENT-mia', true)])]).toEqual([
      '',
      '',
    ]);
  });
});

test('[PAGE-131] a conversation that is read tells that others have said something', async () => {
  const stage = await openStage();
  const weaver = await stage.enlist('weaver');
  await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Find the leak' });
  await stage.act('agent_recruited', { sidebarId: 'SB-1', agentId: 'weaver' });
  await stage.act('chat_message', { sidebarId: 'SB-1', content: 'Is it the pool?' });
  stage.render(<SidebarPage sidebarRef="SB-1" />);
  await screen.findByText('Is it the pool?');
  expect(told()).toBe('');
  await actAs(weaver, 'chat_message', { sidebarId: 'SB-1', content: 'It is.' });
  await waitFor(() => expect(told()).toBe('1 new message'));
  await stage.close();
});
