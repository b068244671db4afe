import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlantedSession } from './planted.ts';
import { openFileSheet, type Sheet } from './sheet.ts';
import {
  openingBlocks,
  writeAttachment,
  writeProgress,
  writePrompt,
  writeRecord,
  writeReply,
  writeResult,
  writeState,
  writeStep,
  writeSystem,
  type OpenUse,
  type Thread,
  type Workshop,
} from './thread.ts';

/** A session while it is written. */
type Draft = {
  readonly id: string;
  /** Where its sub-agents' files go; null when it starts none. */
  readonly folder: string | null;
  readonly version: string;
  readonly cwd: string;
  readonly main: Thread;
  /** What a prompt of the current branch hangs on: where a rewind may go back to. Never across a compaction. */
  turns: string[];
  readonly branched: Set<string>;
  compactions: number;
  /** The size of the main file at which the next compaction comes. */
  compactAt: number;
  duplicates: number;
  sidechains: number;
  records: number;
  agentsLeft: number;
  readonly agentBytes: number;
};

export type SessionOrder = {
  readonly bytes: number;
  readonly agents: number;
  readonly folder: string;
  readonly cwd: string;
  readonly startsAt: number;
  /** Bytes of a fork's own; null when nobody forks this session. */
  readonly fork: number | null;
};

/** Writes a session with its sub-agents and, if ordered, a fork of it. Returns what it planted. */
export const writeSession = (shop: Workshop, order: SessionOrder): readonly PlantedSession[] => {
  const { random } = shop;
  const id = random.uuid();
  const version = random.pick(VERSIONS);
  const copy: string[] | null = order.fork === null ? null : [];
  const draft = createDraft(shop, openFileSheet(join(order.folder, `${id}.jsonl`)), { ...order, id, version, copy });
  openSession(shop, draft);
  const forkAt = random.between(40, 90) / 100;
  let point: ForkPoint | null = null;
  while (draft.main.sheet.size() < order.bytes * MAIN_SHARE || draft.turns.length === 0) {
    writeTurn(shop, draft);
    if (copy !== null && point === null && draft.main.sheet.size() > order.bytes * MAIN_SHARE * forkAt) point = pointOf(draft, copy);
  }
  const source = closeSession(shop, draft, null);
  return point === null || order.fork === null ? [source] : [source, writeFork(shop, order, draft, point, order.fork)];
};

/** Lines of one session of `records` records without sub-agents, for benches that need no files. */
export const writeLoneSession = (shop: Workshop, sheet: Sheet, records: number): void => {
  const order = { bytes: Number.POSITIVE_INFINITY, agents: 0, folder: '', cwd: '/home/dev/proj', startsAt: 1_760_000_000_000, fork: null };
  const draft = createDraft(shop, sheet, { ...order, id: shop.random.uuid(), version: VERSIONS[0], copy: null });
  openSession(shop, draft);
  while (sheet.lines() < records) writeTurn(shop, draft);
};

type ForkPoint = {
  readonly lines: readonly string[];
  readonly state: Pick<Draft, 'compactions' | 'duplicates'> & { readonly branchPoints: number };
} & Pick<Thread, 'tip' | 'leaf' | 'clock' | 'messages'>;

const pointOf = (draft: Draft, copy: readonly string[]): ForkPoint => {
  const { tip, leaf, clock, messages } = draft.main;
  return {
    lines: [...copy],
    tip,
    leaf,
    clock,
    messages,
    state: { compactions: draft.compactions, duplicates: draft.duplicates, branchPoints: draft.branched.size },
  };
};

// Uuids are kept. The copied records keep their session id too, or get the new one and say where they come from: versions differ.
const writeFork = (shop: Workshop, order: SessionOrder, source: Draft, point: ForkPoint, bytes: number): PlantedSession => {
  const id = shop.random.uuid();
  const draft = createDraft(shop, openFileSheet(join(order.folder, `${id}.jsonl`)), {
    ...order,
    agents: 1,
    id,
    version: source.version,
    copy: null,
    startsAt: point.clock,
  });
  const isRewritten = shop.random.chance(0.5);
  for (const line of point.lines) {
    if (isRewritten)
      draft.main.sheet.write(`{"forkedFrom":{"sessionId":"${source.id}","messageUuid":"${point.tip ?? ''}"},${line.slice(1).replace(source.id, id)}`);
    else draft.main.sheet.write(line);
  }
  const { tip, leaf, messages } = point;
  Object.assign(draft.main, { tip, leaf, clock: source.main.clock });
  Object.assign(draft, {
    compactions: point.state.compactions,
    duplicates: point.state.duplicates,
    compactAt: nextCompaction(shop, draft.main.sheet.size()),
  });
  const from = draft.main.sheet.size();
  while (draft.main.sheet.size() - from < bytes) writeTurn(shop, draft);
  const planted = closeSession(shop, draft, { sessionId: source.id, shared: messages });
  return { ...planted, branchPoints: planted.branchPoints + point.state.branchPoints };
};

const createDraft = (
  shop: Workshop,
  sheet: Sheet,
  order: SessionOrder & { readonly id: string; readonly version: string; readonly copy: string[] | null },
): Draft => ({
  id: order.id,
  folder: order.folder === '' ? null : join(order.folder, order.id, 'subagents'),
  version: order.version,
  cwd: order.cwd,
  main: {
    sheet,
    frame: frameOf(order, null),
    sessionId: order.id,
    isAgent: false,
    model: shop.random.pick(MODELS),
    tip: null,
    leaf: null,
    clock: order.startsAt,
    messages: 0,
    lastLine: '',
    copy: order.copy,
  },
  turns: [],
  branched: new Set(),
  compactions: 0,
  compactAt: nextCompaction(shop, 0),
  duplicates: 0,
  sidechains: 0,
  records: 0,
  agentsLeft: order.agents,
  agentBytes: order.agents === 0 ? 0 : Math.max(6000, (order.bytes * (1 - MAIN_SHARE)) / order.agents),
});

const frameOf = (order: { readonly id: string; readonly version: string; readonly cwd: string }, agentId: string | null): string =>
  `"isSidechain":${agentId !== null},"userType":"external","cwd":"${order.cwd}","sessionId":"${order.id}","version":"${order.version}","gitBranch":"main",${agentId === null ? '' : `"agentId":"${agentId}",`}`;

const openSession = (shop: Workshop, draft: Draft): void => {
  writeState(shop, draft.main, 'permission-mode', '"permissionMode":"default"');
  writeSnapshot(shop, draft.main);
};

const closeSession = (shop: Workshop, draft: Draft, continues: PlantedSession['continues']): PlantedSession => {
  const { main } = draft;
  const { random, prose, tally } = shop;
  // Killed while a tool was running: a use that nobody answers.
  if (random.chance(0.05)) writeReply(shop, main, [{ kind: 'use', name: 'Bash', input: `{"command":"sleep 600","description":"${prose.line()}"}` }]);
  if (random.chance(0.5)) writeState(shop, main, 'last-prompt', `"lastPrompt":"${prose.line()}","leafUuid":"${main.leaf ?? ''}"`);
  if (random.chance(0.5)) writeState(shop, main, 'summary', `"summary":"${prose.line()}","leafUuid":"${main.leaf ?? ''}"`);
  if (random.chance(0.3)) writeState(shop, main, 'ai-title', `"aiTitle":"${prose.line()}"`);
  draft.records += main.sheet.lines();
  tally.bytes += main.sheet.close();
  tally.files += 1;
  tally.records += draft.records;
  return {
    id: draft.id,
    records: draft.records,
    leafUuid: main.leaf,
    branchPoints: draft.branched.size,
    compactions: draft.compactions,
    duplicates: draft.duplicates,
    sidechains: draft.sidechains,
    continues,
    endedAt: main.clock,
  };
};

const writeTurn = (shop: Workshop, draft: Draft): void => {
  const { random, prose } = shop;
  const { main } = draft;
  if (draft.turns.length > 1 && random.chance(0.07)) rewind(shop, draft);
  else if (main.sheet.size() > draft.compactAt) compact(shop, draft);
  // The first turn has no parent: a second prompt beside it would be a second root, not a branch.
  if (main.tip !== null) draft.turns.push(main.tip);
  writePrompt(shop, main, prose.body(random.spread(180, 1.1, 12_000)));
  if (random.chance(0.35)) writeAttachment(shop, main);
  const steps = random.between(1, 9);
  for (let i = 0; i < steps; i += 1) {
    if (draft.agentsLeft > 0 && random.chance(0.25)) delegate(shop, draft);
    else writeStep(shop, main);
    if (random.chance(0.004))
      writeSystem(shop, main, 'api_error', '"level":"error","error":{"status":529},"retryInMs":553.4,"retryAttempt":1,"maxRetries":10,');
  }
  writeReply(shop, main, [{ kind: 'text', text: prose.body(random.spread(320, 1, 12_000)) }]);
  if (random.chance(0.2))
    writeSystem(shop, main, 'stop_hook_summary', '"hookCount":1,"hookInfos":[{"command":"callback"}],"hookErrors":[],"preventedContinuation":false,');
  if (random.chance(0.6)) writeSystem(shop, main, 'turn_duration', `"durationMs":${random.between(900, 900_000)},`);
  if (random.chance(0.5)) writeSnapshot(shop, main);
  if (random.chance(0.2)) writeState(shop, main, 'last-prompt', `"lastPrompt":"${prose.line()}","leafUuid":"${main.leaf ?? ''}"`);
};

const rewind = (shop: Workshop, draft: Draft): void => {
  const back = shop.random.between(Math.max(0, draft.turns.length - 6), draft.turns.length - 1);
  const parent = draft.turns[back];
  if (parent === undefined) return;
  draft.turns.length = back;
  draft.main.tip = parent;
  if (draft.branched.has(parent)) return;
  draft.branched.add(parent);
  shop.tally.branchPoints += 1;
};

const compact = (shop: Workshop, draft: Draft): void => {
  const { main } = draft;
  const { random, prose } = shop;
  const last = main.lastLine;
  const logical = main.tip ?? '';
  main.tip = null;
  writeSystem(
    shop,
    main,
    'compact_boundary',
    `"logicalParentUuid":"${logical}","content":"Conversation compacted","level":"info","compactMetadata":{"trigger":"${random.pick(['auto', 'manual'])}","preTokens":${random.between(90_000, 190_000)}},`,
  );
  const summary = random.uuid();
  writeRecord(
    main,
    `{"parentUuid":"${main.tip ?? ''}",${main.frame}"type":"user","message":{"role":"user","content":"This session is being continued from a previous conversation that ran out of context.\\n${prose.body(random.spread(4000, 0.5, 20_000))}"},"isVisibleInTranscriptOnly":true,"isCompactSummary":true,"uuid":"${summary}","timestamp":"${new Date((main.clock += 1)).toISOString()}"}`,
  );
  main.messages += 1;
  shop.tally.messages += 1;
  main.tip = summary;
  // A second compaction repeats a record that is there already.
  if (draft.compactions > 0) {
    writeRecord(main, last);
    draft.duplicates += 1;
  }
  draft.compactions += 1;
  shop.tally.compactions += 1;
  draft.compactAt = nextCompaction(shop, main.sheet.size());
  draft.turns = [];
};

const nextCompaction = (shop: Workshop, size: number): number => size + shop.random.spread(450_000, 0.7, 2_000_000);

const writeSnapshot = (shop: Workshop, thread: Thread): void => {
  const at = new Date(thread.clock).toISOString();
  thread.sheet.write(
    `{"type":"file-history-snapshot","messageId":"${shop.random.uuid()}","snapshot":{"messageId":"${shop.random.uuid()}","trackedFileBackups":{"${shop.prose.path()}":{"backupFileName":"${shop.random.agentId()}@v2","version":2,"backupTime":"${at}"}},"timestamp":"${at}"},"isSnapshotUpdate":false}`,
  );
};

/** One to three sub-agents, called in parallel by one response of the main thread. */
const delegate = (shop: Workshop, draft: Draft): void => {
  const { random, prose } = shop;
  const { main } = draft;
  const count = Math.min(draft.agentsLeft, random.chance(0.3) ? random.between(2, 3) : 1);
  draft.agentsLeft -= count;
  const jobs = Array.from({ length: count }, () => createJob(shop));
  const uses = writeReply(shop, main, [
    ...openingBlocks(shop),
    ...jobs.map((job) => ({ kind: 'use', name: toolName(draft), input: inputOf(job) }) as const),
  ]);
  uses.forEach((use, i) => {
    const job = jobs[i];
    if (job === undefined) return;
    const isAsync = random.chance(0.15);
    const answer = writeAgent(shop, draft, job, use, null);
    if (isAsync) {
      const stub = `{"isAsync":true,"status":"async_launched","agentId":"${job.agentId}","description":"${job.description}","prompt":"${job.prompt}"}`;
      writeResult(shop, main, use.uuid, use, '[{"type":"text","text":"Async agent launched successfully."}]', stub);
      const notice = `<task-notification>\\n<task-id>${job.agentId}</task-id>\\n<tool-use-id>${use.toolUseId}</tool-use-id>\\n<status>completed</status>\\n<result>${answer}</result>\\n</task-notification>`;
      writeState(shop, main, 'queue-operation', `"operation":"enqueue","content":"${notice}"`);
      return;
    }
    if (random.chance(0.5)) {
      const data = `{"type":"agent_progress","message":{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"${prose.body(300)}"}]}},"agentId":"${job.agentId}","prompt":""}`;
      writeProgress(shop, main, use.uuid, use.toolUseId, data);
    }
    const tail = `{"type":"text","text":"agentId: ${job.agentId} (for resuming to continue this agent's work if needed)"}`;
    const report = `{"status":"completed","prompt":"${job.prompt}","agentId":"${job.agentId}","content":[{"type":"text","text":"${answer}"}],"totalDurationMs":1861,"totalTokens":11370,"totalToolUseCount":${random.between(1, 40)}}`;
    writeResult(shop, main, use.uuid, use, `[{"type":"text","text":"${answer}"},${tail}]`, report);
  });
};

type Job = { readonly agentId: string; readonly agent: string; readonly prompt: string; readonly description: string };

const createJob = ({ random, prose }: Workshop): Job => ({
  agentId: random.agentId(),
  agent: random.pick(['general-purpose', 'Explore', 'Plan', 'bug-hunter', 'zen-architect']),
  prompt: prose.body(random.spread(450, 0.8, 6000)),
  description: prose.line(),
});

const inputOf = (job: Job): string => `{"description":"${job.description}","prompt":"${job.prompt}","subagent_type":"${job.agent}"}`;

/** Writes a sub-agent's file, and now and then one of an agent that it calls itself. Returns its answer. */
const writeAgent = (shop: Workshop, draft: Draft, job: Job, call: OpenUse, parentAgentId: string | null): string => {
  const { random, prose, tally } = shop;
  const folder = draft.folder ?? '';
  mkdirSync(folder, { recursive: true });
  const sheet = openFileSheet(join(folder, `agent-${job.agentId}.jsonl`));
  const frame = frameOf(draft, job.agentId);
  const model = random.pick(MODELS);
  const { id: sessionId, main } = draft;
  const thread: Thread = {
    sheet,
    frame,
    sessionId,
    isAgent: true,
    model,
    tip: null,
    leaf: null,
    clock: main.clock,
    messages: 0,
    lastLine: '',
    copy: null,
  };
  writePrompt(shop, thread, job.prompt);
  const bytes = parentAgentId === null ? random.spread(draft.agentBytes * 0.7, 0.8, draft.agentBytes * 4) : 8000;
  if (parentAgentId === null && random.chance(0.08)) {
    const inner = createJob(shop);
    const [use] = writeReply(shop, thread, [{ kind: 'use', name: toolName(draft), input: inputOf(inner) }]);
    if (use !== undefined) {
      const answer = writeAgent(shop, draft, inner, use, job.agentId);
      writeResult(shop, thread, use.uuid, use, `[{"type":"text","text":"${answer}"},{"type":"text","text":"agentId: ${inner.agentId}"}]`, '{}');
      tally.nested += 1;
    }
  }
  do writeStep(shop, thread);
  while (sheet.size() < bytes);
  const answer = prose.body(random.spread(700, 0.8, 8000));
  writeReply(shop, thread, [{ kind: 'text', text: answer }]);
  if (hasMeta(draft)) {
    const parent = parentAgentId === null ? '' : `,"parentAgentId":"${parentAgentId}"`;
    const meta = `{"agentType":"${job.agent}","description":"${job.description}","toolUseId":"${call.toolUseId}","spawnDepth":${parentAgentId === null ? 1 : 2}${parent}}`;
    writeFileSync(join(folder, `agent-${job.agentId}.meta.json`), meta);
  }
  main.clock = Math.max(main.clock, thread.clock);
  draft.records += sheet.lines();
  draft.sidechains += 1;
  tally.sidechains += 1;
  tally.files += 1;
  tally.bytes += sheet.close();
  return answer;
};

const hasMeta = (draft: Draft): boolean => draft.version !== '2.1.50';
const toolName = (draft: Draft): string => (hasMeta(draft) ? 'Agent' : 'Task');

const VERSIONS = ['2.1.325', '2.1.220', '2.1.50'] as const;
const MODELS = ['claude-sonnet-4-5-20250929', 'claude-opus-4-6', 'claude-haiku-4-5-20251001', 'claude-sonnet-5'] as const;
const MAIN_SHARE = 0.62;
