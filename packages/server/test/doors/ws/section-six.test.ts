import { EVENT_NAMES } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { AGENT, say, spawn } from '../../engine/bench.ts';
import { addAgent, OPERATOR_TOKEN, serveEngine, typesOf, type EngineStage } from './engine-stage.ts';
import { line, SESSIONS, type Frame } from './sockets.ts';
import { prompt } from '../../operations/records.ts';

const [SESSION] = SESSIONS;
const BASE = ['type', 'seq', 'timestamp', 'sender_agent_id', 'context_id', 'uuid', 'refs'];

/** The key fields that the tables of section 6 of the seed give to each type of message. */
const SEED: Readonly<Record<string, readonly string[]>> = {
  sidebar_spawn: ['parent_id', 'participants', 'task_description', 'priority'],
  sidebar_pause: ['sidebar_id', 'reason', 'resume_condition'],
  sidebar_resumed: ['sidebar_id', 'reason', 'paused_duration', 'paused_reason', 'what_happened_while_paused'],
  sidebar_fork: ['original_sidebar_id', 'new_sidebar_id', 'fork_reason'],
  sidebar_child_spawn: ['parent_sidebar_id', 'child_sidebar_id', 'sub_task_description'],
  sidebar_merge: ['sidebar_id', 'parent_id', 'consolidated_findings', 'success'],
  sidebar_archive: ['sidebar_id', 'archive_reason', 'final_status'],
  sidebar_status_update: ['sidebar_id', 'old_status', 'new_status', 'reason'],
  sidebar_waiting_update: ['sidebar_id', 'waiting_for', 'description', 'dependency_refs'],
  sidebar_test_result: ['sidebar_id', 'test_description', 'result', 'findings'],
  memory_update: ['exchange', 'context_id', 'priority'],
  memory_archived: ['exchange_id', 'archive_reason'],
  gold_created: ['gold_id', 'source_refs', 'key_insight', 'trigger_conditions'],
  agent_presence: ['agent_id', 'status', 'current_context', 'active_sidebars'],
  mention_route: ['target_agents', 'message', 'context_refs', 'priority'],
  agent_recruited: ['agent_id', 'sidebar_id', 'recruited_by'],
  agent_left: ['agent_id', 'sidebar_id', 'reason'],
  chat_message: ['role', 'content', 'citations', 'confidence_score'],
  citation_created: ['citation_id', 'source', 'content', 'relevance_score'],
  media_uploaded: [
    'media_id',
    'media_type',
    'file_path',
    'file_size',
    'processing_status',
    'uploaded_during',
    'in_response_to',
    'uploaded_by',
    'uploaded_at',
  ],
  media_processed: ['media_id', 'processing_status'],
  media_error: ['media_id', 'processing_status'],
  scratchpad_created: ['scratchpad_id', 'sidebar_id', 'task_definition'],
  scratchpad_entry_submitted: ['entry_id', 'content', 'source_refs', 'relevance_to_task'],
  scratchpad_entry_validated: ['entry_id', 'status', 'validation_notes'],
  scratchpad_checkpoint: ['checkpoint_id', 'summary', 'findings_at_checkpoint'],
  scratchpad_conflict: ['entry_ids', 'conflict_description'],
};

/** Work in a few sidebars, from spawning to forking, so that everything there is has happened. */
const work = async (stage: EngineStage): Promise<void> => {
  const { bench, pass } = stage;
  const { run } = bench;
  await bench.store.log.append({ items: [line(SESSION, prompt('p1', null, 1, 'why is login slow?'))], files: [] });
  await addAgent(stage, 'scout');
  await run({ type: 'agent.presence', agent: AGENT.id, status: 'available' }, { actor: AGENT });
  await run(
    spawn('find out why login is slow', { origin: { kind: 'session', sessionId: SESSION, leafUuid: null, upTo: null }, participants: ['scout'] }),
  );
  await run(say('SB-1', 'it takes three seconds, @scout'));
  await run({
    type: 'citation.create',
    sidebar: 'SB-1',
    source: { kind: 'external', url: 'https://example.org', title: null },
    content: 'words',
    relevance: 0.5,
  });
  const media = { type: 'media.upload', sidebar: 'SB-1', mediaType: 'image', filePath: 'a.png', content: 'QUJDREVGR0g=' } as const;
  await run({ ...media, inResponseTo: 'MSG-2', found: { size: 8, mime: 'image/png', sha256: 'ab' } });
  await run({ ...media, found: { why: 'no picture' } });
  await run({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'hold that thought', resumeCondition: 'tomorrow' });
  pass(60_000);
  await run({ type: 'sidebar.resume', sidebar: 'SB-1', reason: 'tomorrow came' });
  await run({ type: 'sidebar.wait', sidebar: 'SB-1', waitingFor: 'human', description: 'which database?' });
  await run({ type: 'sidebar.move', sidebar: 'SB-1', to: 'ACTIVE', reason: 'the new one' });
  await run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'measure the queries' });
  await run({ type: 'agent.recruit', sidebar: 'SB-2', agent: 'scout' });
  await run({ type: 'agent.leave', sidebar: 'SB-2', agent: 'scout', reason: 'done here' });
  await run({ type: 'sidebar.archive', sidebar: 'SB-2' });
  await run(spawn('try a larger pool', { isTesting: true }));
  await run({ type: 'sidebar.test-result', sidebar: 'SB-3', description: 'pool of 20', result: 'passed' });
  const finding = (content: string) =>
    ({ type: 'finding.submit', sidebar: 'SB-1', content, sourceRefs: ['MSG-2'], relevanceToTask: 'explains it' }) as const;
  await run(finding('The connection pool size is 10'), { actor: AGENT });
  await run({ type: 'finding.validate', sidebar: 'SB-1', finding: 'FINDING-1', status: 'confirmed', notes: 'seen' });
  await run(finding('The connection pool size is 20'), { actor: AGENT });
  await run({ type: 'checkpoint.create', sidebar: 'SB-1', summary: 'the pool is small' });
  const waypoint = { keyInsight: 'small pools make logins slow', reusePattern: 'look at the pool first', triggerConditions: ['login is slow'] };
  await run({ type: 'gold.create', sidebar: 'SB-1', sourceRefs: ['MSG-2'], ...waypoint });
  await run({ type: 'finding.validate', sidebar: 'SB-1', finding: 'FINDING-2', status: 'rejected', notes: 'it was before' });
  const conflict = bench.sidebar('SB-1').scratchpad.conflicts[0]?.id ?? '';
  await bench.ask({ type: 'conflict.resolve', sidebar: 'SB-1', conflict, notes: 'ten it is' });
  await run({ type: 'sidebar.consolidate', sidebar: 'SB-1', summary: 'a larger pool is needed' });
  await run({ type: 'merge.check', sidebar: 'SB-1', isFit: true });
  await run({ type: 'sidebar.merge', sidebar: 'SB-1' });
  await run({ type: 'sidebar.archive', sidebar: 'SB-1' });
  await run({ type: 'sidebar.fork', sidebar: 'SB-1', reason: 'it is slow again' });
};

test('[WIRE-22] every message of the seed is heard on a socket, with its key fields, its seq and the references of the board', async () => {
  const stage = await serveEngine();
  const all = await stage.join();
  await work(stage);
  const end = (await stage.bench.store.log.head()).count;
  await all.heard(end);
  const told = all.told();
  expect(told.map(({ seq }) => seq)).toEqual(Array.from({ length: end }, (_, i) => i + 1));
  for (const [type, fields] of Object.entries(SEED)) {
    const frame = told.find((one) => one['type'] === type) ?? {};
    expect(Object.keys(frame), `for ${type}`).toEqual(expect.arrayContaining([...BASE, ...fields]));
    expect(
      fields.filter((field) => frame[field] === undefined),
      `for ${type}`,
    ).toEqual([]);
  }
  expect(typesOf(told.slice(1)).filter((type) => !EVENT_NAMES.some((name) => name === type))).toEqual([]);
  const of = (type: string): Frame => told.find((one) => one['type'] === type) ?? {};
  expect(of('sidebar_spawn')).toMatchObject({
    sidebar_id: 'SB-1',
    context_id: 'SB-1',
    parent_id: SESSION,
    refs: ['SB-1'],
    sender_agent_id: 'AGENT-operator',
  });
  expect(of('sidebar_child_spawn')).toMatchObject({ parent_sidebar_id: 'SB-1', child_sidebar_id: 'SB-2', context_id: 'SB-2' });
  expect(of('scratchpad_conflict')).toMatchObject({ entry_ids: ['SCRATCH-1:FINDING-1', 'SCRATCH-1:FINDING-2'] });
  expect(of('memory_update')).toMatchObject({ sidebar_id: 'SB-1', context_id: SESSION });
  expect(of('sidebar_resumed')).toMatchObject({ paused_duration: 60, paused_reason: 'hold that thought' });
  expect(of('sidebar_fork')).toMatchObject({ original_sidebar_id: 'SB-1', new_sidebar_id: 'SB-4' });
  expect(all.texts.join('\n')).not.toContain('QUJDREVGR0g=');
  // The same from the log as it was live, masked or not.
  const later = await stage.join({ since_seq: 0 });
  const revealed = await stage.join({ since_seq: 0, token: OPERATOR_TOKEN, reveal: true });
  await later.heard(end);
  await revealed.heard(end);
  const still = (frames: readonly Frame[]): readonly Frame[] => frames.filter(({ type }) => type !== 'agent_presence');
  expect(still(later.told())).toEqual(still(told));
  expect(still(revealed.told())).toEqual(still(told));
  expect(stage.faults).toEqual([]);
  await stage.close();
});
