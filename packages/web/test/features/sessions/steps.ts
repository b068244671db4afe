import type { FlowOperation, Step, Told } from '../../../src/features/sessions/flow-pages.ts';

/** Steps as the server tells them, made up. */
export const stepOf = (index: number, change: Partial<Step> = {}): Step => ({
  index,
  kind: 'reply',
  uuid: `u${index}`,
  uuids: [`u${index}`],
  ref: `MSG-${index + 1}`,
  exchange: null,
  parentUuid: null,
  role: 'reply',
  speaker: 'Claude',
  timestamp: '2026-01-01T00:00:00.000Z',
  model: 'claude-opus-5-5',
  text: `step ${index}`,
  textLength: `step ${index}`.length,
  thinking: '',
  thinkingLength: 0,
  images: 0,
  usage: null,
  costUsd: null,
  isError: false,
  isCopy: false,
  isForgotten: false,
  operations: [],
  operationsTotal: 0,
  branch: null,
  note: null,
  ...change,
});

export const operationOf = (n: number, change: Partial<FlowOperation> = {}): FlowOperation => ({
  uuid: `u_tool_${n}`,
  ref: `MSG-1#${n + 1}`,
  toolUseId: `toolu_${n}`,
  name: 'Bash',
  summary: `💻 Running step ${n}`,
  startedAt: null,
  durationMs: 1200,
  state: 'done',
  resultUuid: null,
  agentId: null,
  ...change,
});

/** An answer that tells the steps from one index to another (without it); negative ones are those of a quick answer. */
export const toldOf = (from: number, to: number, total: number | null, change: (index: number) => Partial<Step> = () => ({})): Told => ({
  sessionId: 's',
  thread: 'main',
  seq: 1,
  leafUuid: 'leaf',
  isActive: true,
  total,
  at: null,
  items: Array.from({ length: Math.max(0, to - from) }, (_, n) => stepOf(from + n, change(from + n))),
});
