import type { Permission } from '../../../src/features/permissions/permissions.ts';

/** Something that is asked for: a command, unless said otherwise. */
export const askedOf = (more: Partial<Permission> = {}): Permission => ({
  requestId: 'q1',
  runId: null,
  agentId: null,
  sidebarId: null,
  sessionId: null,
  tool: 'Bash',
  title: null,
  summary: '💻 Running ls',
  input: { command: 'ls' },
  directory: '/loom',
  askedAt: '2026-01-01T00:00:00.000Z',
  remindedAt: null,
  alike: 'ls *',
  decision: null,
  means: null,
  answeredBy: null,
  answeredAt: null,
  message: null,
  isChanged: false,
  always: null,
  scope: null,
  ...more,
});
