import type { TestBoard } from '../boards.ts';

/** What the operations that show one thing are asked for, on a board that was furnished. */
export const FURNITURE = {
  sidebar_id: 'SB-1',
  citation_id: 'CITE-1',
  media_id: 'MEDIA-1',
  gold_id: 'GOLD-1',
  claim_id: 'EXCH-1',
  agent_id: 'AGENT-research',
  text: 'the login times out while the pool is exhausted',
} as const;

/** What needs more than furniture: a run that was started, something inherited that was judged, a process of an agent. They have tests of their own. */
export const UNFURNISHED: ReadonlySet<string> = new Set(['run', 'claim', 'seat', 'briefing', 'recovery_cache']);

/** An archived sidebar with everything in it, one at work beside it, and an agent, whose token is given back. */
export const furnish = async ({ command }: Pick<TestBoard, 'command'>): Promise<{ readonly token: string }> => {
  const { token } = await command('agent_register', { agent_id: 'research', specialties: ['debugging'] });
  await command('sidebar_spawn', {
    parent_id: null,
    task_description: 'Why do logins time out?',
    success_criteria: 'The cause is known',
    participants: ['research'],
  });
  const said = await command('chat_message', { sidebar_id: 'SB-1', content: 'The pool is exhausted at noon, @research.' });
  const [message = ''] = said.refs;
  await command('citation_created', { sidebar_id: 'SB-1', source: message, note: 'where it began' });
  await command('media_uploaded', {
    sidebar_id: 'SB-1',
    media_type: 'code',
    file_path: 'pool.ts',
    content: Buffer.from('export const size = 5;\n').toString('base64'),
  });
  await command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'The retry limit is 3.', source_refs: [message, 'CITE-1'] });
  await command('scratchpad_entry_validated', { sidebar_id: 'SB-1', entry_id: 'FINDING-1', status: 'confirmed' });
  await command('scratchpad_checkpoint', { sidebar_id: 'SB-1', summary: 'one thing is known' });
  await command('gold_created', {
    sidebar_id: 'SB-1',
    source_refs: ['SCRATCH-1:FINDING-1'],
    key_insight: 'Retries exhaust the pool',
    reuse_pattern: 'Count retries against the pool size',
    trigger_conditions: ['Similar symptoms: login timeout + pool exhausted'],
  });
  await command('sidebar_archive', { sidebar_id: 'SB-1' });
  await command('sidebar_spawn', { parent_id: null, task_description: 'What else is slow?' });
  return { token };
};
