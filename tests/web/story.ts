import type { OperationName, OutputOf } from '@yarnboard/protocol';
import type { AskWeb, Given } from './harness.ts';
import { STORY_SESSIONS } from './sessions.ts';

/** The sidebars of the story, by what they show. */
export type Story = {
  readonly agents: { readonly research: string; readonly review: string };
  readonly sidebars: Readonly<
    Record<
      'active' | 'child' | 'paused' | 'waiting' | 'reviewing' | 'consolidating' | 'merged' | 'archived' | 'fork' | 'test' | 'rival' | 'failed',
      string
    >
  >;
  /** A message of the session that the story begins in. */
  readonly message: string;
};

type Hand = (name: OperationName, given: Given) => Promise<readonly string[]>;
type Cast = { readonly me: Hand; readonly research: Hand; readonly review: Hand; readonly ask: AskWeb };

/** Works a while on a board that has the sessions of the story: sidebars in every state that lasts, findings of every kind, GOLD, two agents. */
export const tellStory = async (ask: AskWeb): Promise<Story> => {
  const register = (name: string, specialties: readonly string[]): Promise<OutputOf<'agent_register'>> =>
    ask('agent_register', { ['agent_id']: name, specialties });
  const [research, review] = [await register('research', ['debugging', 'logs']), await register('review', ['databases', 'concurrency'])];
  const hand =
    (token?: string): Hand =>
    async (name, given) => {
      const { refs } = (await ask(name, given, token)) as { readonly refs: readonly string[] }; // every command answers with them
      return refs;
    };
  const cast: Cast = { me: hand(), research: hand(research.token), review: hand(review.token), ask };
  const message = await messageWith(ask, STORY_SESSIONS.login, 'What happens at noon');
  // What was merged first is what the others know of.
  const merged = await tellMerged(cast, message);
  const { archived, fork } = await tellArchived(cast);
  const { active, child } = await tellActive(cast, message);
  const consolidating = await tellConsolidating(cast);
  const { paused, waiting, reviewing, failed } = await tellStill(cast);
  const { test, rival } = await tellTests(cast);
  await cast.research('agent_presence', { status: 'busy', ['current_context']: active });
  await cast.research('mention_route', {
    ['target_agents']: ['operator'],
    message: 'May I restart staging at six?',
    ['sidebar_id']: active,
    priority: 'high',
  });
  return {
    agents: { research: research.token, review: review.token },
    sidebars: { active, child, paused, waiting, reviewing, consolidating, merged, archived, fork, test, rival, failed },
    message,
  };
};

const spawned = async (by: Hand, given: Given): Promise<string> => sidebarIn(await by('sidebar_spawn', given));

const sidebarIn = (refs: readonly string[]): string => {
  const found = refs.findLast((ref) => ref.startsWith('SB-'));
  if (found === undefined) throw new Error(`no sidebar in ${refs.join(', ')}`);
  return found;
};

const messageWith = async (ask: AskWeb, session: string, words: string): Promise<string> => {
  const { messages } = await ask('messages', { id: session, operations: false, limit: 500 });
  const found = messages.find(({ content }) => content.includes(words))?.ref ?? null;
  if (found === null) throw new Error(`no message of ${session} says "${words}"`);
  return found;
};

const tellActive = async ({ me, research, review, ask }: Cast, message: string) => {
  const active = await spawned(me, {
    ['parent_id']: message,
    ['task_description']: 'Why do logins time out at noon?',
    ['success_criteria']: 'The cause is known, and a test shows it',
    ['task_type']: 'debugging',
    priority: 'high',
    participants: ['research', 'review'],
    ['curator_agent']: 'review',
    tags: ['gateway', 'incident'],
  });
  const sb = { ['sidebar_id']: active };
  const { items } = await ask('sidebar_memory', { ...sb, part: 'inherited' });
  const [first, second] = items.flatMap(({ exchange_id: exchange }) => exchange ?? []);
  await me('relevance_score', { ...sb, scores: { [first ?? '']: 'HIGH' } });
  await research('relevance_score', { ...sb, scores: { [first ?? '']: 'HIGH', [second ?? first ?? '']: 'MEDIUM' } });
  await me('chat_message', { ...sb, content: `@research the peak is at 12:00 sharp, see ${message}. Does the report run then?` });
  await research('chat_message', {
    ...sb,
    content:
      'It does, and it holds **one** connection for 38 s:\n\n```ts\nconst rows = await pool.take().then((c) => c.all(REPORT));\n```\n\nThat alone is not enough to exhaust five.',
    ['confidence_score']: 0.8,
  });
  await research('citation_created', {
    ...sb,
    path: 'src/jobs/report.ts',
    lines: '12-19',
    content: 'const rows = await pool.take()…',
    note: 'holds a connection',
  });
  await review('citation_created', { ...sb, url: 'https://example.org/pools', title: 'On the size of pools', ['relevance_score']: 0.7 });
  await research('media_uploaded', {
    ...sb,
    ['media_type']: 'code',
    ['file_path']: 'pool.ts',
    content: Buffer.from('export const size = 5;\n').toString('base64'),
  });
  await research('scratchpad_entry_submitted', {
    ...sb,
    content: 'The retry limit is 3.',
    ['source_refs']: [message],
    ['relevance_to_task']: 'it multiplies what a failure holds',
  });
  await research('scratchpad_entry_submitted', {
    ...sb,
    content: 'A retry holds its connection while it asks for another one.',
    ['source_refs']: [message, 'CITE-1'],
  });
  await research('scratchpad_entry_submitted', { ...sb, content: 'The load balancer drops connections at noon.' });
  await review('scratchpad_entry_validated', { ...sb, ['entry_id']: 'FINDING-1', status: 'confirmed', ['validation_notes']: 'seen in the settings' });
  await review('scratchpad_entry_validated', { ...sb, ['entry_id']: 'FINDING-2', status: 'confirmed' });
  await review('scratchpad_entry_validated', {
    ...sb,
    ['entry_id']: 'FINDING-3',
    status: 'rejected',
    ['validation_notes']: 'its log has no drop in the last week',
  });
  await me('scratchpad_annotate', { ...sb, ['entry_id']: 'FINDING-2', note: 'The same in the export job.' });
  await research('scratchpad_checkpoint', { ...sb, summary: 'Half of the cause is known: retries hold two connections.' });
  await review('checkpoint_annotate', { ...sb, ['checkpoint_id']: 'CHECKPOINT-1', note: 'Agreed; the report only makes it visible.' });
  await me('scratchpad_entry_submitted', { ...sb, content: 'The retry limit is 5.', ['relevance_to_task']: 'the settings of production say so' });
  await review('scratchpad_entry_submitted', { ...sb, content: 'Waiting for a connection has no limit of time.' });
  const child = sidebarIn(
    await me('sidebar_child_spawn', {
      ['parent_sidebar_id']: active,
      ['sub_task_description']: 'How long does the report hold its connection?',
      participants: ['research'],
    }),
  );
  await research('chat_message', { ['sidebar_id']: child, content: 'Measured three times: 38 s, 37 s, 41 s.' });
  return { active, child };
};

const tellMerged = async ({ me, research, review }: Cast, message: string): Promise<string> => {
  const merged = await spawned(me, {
    ['parent_id']: message,
    ['task_description']: 'Which log lines tell that the pool is exhausted?',
    participants: ['research', 'review'],
    ['curator_agent']: 'review',
  });
  const sb = { ['sidebar_id']: merged };
  await research('chat_message', { ...sb, content: 'Only one: `pool exhausted`. It comes in multiples of three.' });
  const [found = ''] = await research('scratchpad_entry_submitted', {
    ...sb,
    content: 'Exhaustion is logged as "pool exhausted", three times for each request.',
    ['source_refs']: [message],
  });
  await review('scratchpad_entry_validated', { ...sb, ['entry_id']: 'FINDING-1', status: 'confirmed' });
  await research('gold_created', {
    ...sb,
    ['source_refs']: [found],
    ['key_insight']: 'Timeouts in multiples of three are retries that hold on to what they retry with.',
    ['reuse_pattern']: 'Count failures for each request before looking at sizes; then look for what a retry still holds.',
    ['trigger_conditions']: ['Similar symptoms: login timeout + pool exhausted', 'errors come in multiples of three'],
    confidence: 0.9,
  });
  await review('gold_validated', { ['gold_id']: 'GOLD-1', status: 'confirmed', ['validation_notes']: 'held in two incidents' });
  await me('sidebar_consolidate', { ...sb, summary: 'One line of the log tells it all.', recommendations: 'Alert on "pool exhausted".' });
  await review('sidebar_check_merge', { ...sb, notes: 'complete' });
  await me('sidebar_merge', sb);
  return merged;
};

const tellArchived = async ({ me, research }: Cast) => {
  const archived = await spawned(me, {
    ['parent_id']: STORY_SESSIONS.branched,
    ['task_description']: 'Can rivers be drawn in one pass?',
    participants: ['research'],
  });
  const sb = { ['sidebar_id']: archived };
  await research('scratchpad_entry_submitted', { ...sb, content: 'One pass draws rivers over bridges.' });
  await me('scratchpad_entry_validated', { ...sb, ['entry_id']: 'FINDING-1', status: 'confirmed' });
  await me('sidebar_archive', { ...sb, note: 'bridges matter more than speed', tags: ['map'] });
  const fork = sidebarIn(await me('sidebar_fork', { ['original_sidebar_id']: archived, ['fork_reason']: 'Bridges are a layer of their own now.' }));
  await me('chat_message', { ['sidebar_id']: fork, content: 'With bridges on top, one pass should do.' });
  return { archived, fork };
};

const tellConsolidating = async ({ me, research, review }: Cast): Promise<string> => {
  const made = await spawned(me, {
    ['parent_id']: STORY_SESSIONS.login,
    ['task_description']: 'What should an error say when the pool is full?',
    ['success_criteria']: 'One sentence, and whom to tell',
    participants: ['research', 'review'],
    ['curator_agent']: 'review',
    ['task_type']: 'wording',
  });
  const sb = { ['sidebar_id']: made };
  const [found = ''] = await research('scratchpad_entry_submitted', { ...sb, content: 'The error names the pool and how long was waited.' });
  await research('scratchpad_entry_submitted', { ...sb, content: 'Users are asked to try again after ten seconds.' });
  for (const entry of ['FINDING-1', 'FINDING-2']) await review('scratchpad_entry_validated', { ...sb, ['entry_id']: entry, status: 'confirmed' });
  await research('gold_created', {
    ...sb,
    ['source_refs']: [found],
    ['key_insight']: 'An error that says how long was waited is reported in half the time.',
    ['reuse_pattern']: 'Put the measured wait into the message.',
    ['trigger_conditions']: ['vague timeout errors + slow reports'],
    confidence: 0.6,
  });
  await me('sidebar_consolidate', { ...sb, summary: 'The sentence is found.', recommendations: 'Use it in the gateway first.' });
  await review('sidebar_check_merge', { ...sb, notes: 'fits what the gateway can know' });
  return made;
};

const tellStill = async ({ me, research, review }: Cast) => {
  const paused = await spawned(me, {
    ['parent_id']: STORY_SESSIONS.login,
    ['task_description']: 'Would a queue in front of the pool help?',
    priority: 'low',
  });
  await me('sidebar_pause', { ['sidebar_id']: paused, reason: 'after the release', ['resume_condition']: 'version 4 is out' });
  const waiting = await spawned(research, {
    ['parent_id']: null,
    ['task_description']: 'Move carts to the new store',
    participants: ['review'],
    priority: 'critical',
  });
  await research('sidebar_waiting_update', {
    ['sidebar_id']: waiting,
    ['waiting_for']: 'human',
    description: 'Which of the two databases is the new store?',
  });
  await research('sidebar_escalate', { ['sidebar_id']: waiting, reason: 'Both are called store-2, and I may not see the invoices of either.' });
  const reviewing = await spawned(review, {
    ['parent_id']: STORY_SESSIONS.branched,
    ['task_description']: 'Are tiles cached by their style, too?',
    participants: ['research'],
  });
  await review('scratchpad_entry_submitted', {
    ['sidebar_id']: reviewing,
    content: 'Tiles are cached by place only: a change of style shows old ones.',
  });
  await review('sidebar_status_update', { ['sidebar_id']: reviewing, ['new_status']: 'REVIEWING' });
  const failed = await spawned(me, { ['parent_id']: STORY_SESSIONS.branched, ['task_description']: 'Draw the labels on the server' });
  await me('sidebar_status_update', { ['sidebar_id']: failed, ['new_status']: 'FAILED', reason: 'fonts differ between machines' });
  return { paused, waiting, reviewing, failed };
};

const tellTests = async ({ me, research, review }: Cast) => {
  const group = { testing: true, ['test_group']: 'pool-size', participants: ['research', 'review'] };
  const test = await spawned(me, { ['parent_id']: STORY_SESSIONS.login, ['task_description']: 'Ten connections instead of five', ...group });
  const rival = await spawned(me, {
    ['parent_id']: STORY_SESSIONS.login,
    ['task_description']: 'Five connections, and patience of two seconds',
    ...group,
  });
  await research('sidebar_test_result', {
    ['sidebar_id']: test,
    ['test_description']: 'noon, replayed',
    result: '2 of 400 requests failed',
    findings: ['It only moves the limit.'],
  });
  await review('sidebar_test_result', { ['sidebar_id']: rival, ['test_description']: 'noon, replayed', result: 'none of 400 failed' });
  return { test, rival };
};
