import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sidebarOf } from '@yarnboard/domain';
import type { OutputOf } from '@yarnboard/protocol';
import { briefSeat } from '../../../src/runtimes/briefing.ts';
import { makeBoard, type TestBoard } from '../boards.ts';

describe('marks on what was inherited', () => {
  let board: TestBoard;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    board = await makeBoard({});
    for (const name of ['ada', 'ben', 'cyd']) tokens.set(name, (await board.command('agent_register', { agent_id: name })).token);
  });
  afterAll(() => board.close());

  const post = async (
    by: string,
    path: string,
    body: object,
  ): Promise<{ readonly status: number; readonly told: OutputOf<'claim_verify'> & { readonly code?: string } }> => {
    const response = await board.ask(`/api/v1/sidebars/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.get(by) ?? board.token}` },
      body: JSON.stringify(body),
    });
    return { status: response.status, told: (await response.json()) as OutputOf<'claim_verify'> }; // the doors' tests hold it to its schema
  };
  const inboxOf = async (by: string): Promise<OutputOf<'inbox'>> => {
    const response = await board.ask('/api/v1/inbox', { headers: { authorization: `Bearer ${tokens.get(by) ?? board.token}` } });
    return (await response.json()) as OutputOf<'inbox'>; // as above
  };

  /** A sidebar below one in which ada said something. */
  const inherit = async () => {
    const all = { participants: ['ada', 'ben', 'cyd'], curator_agent: 'cyd', success_criteria: 'c' };
    const root = (await board.command('sidebar_spawn', { parent_id: null, task_description: 'look', ...all })).ref ?? '';
    const { told } = await post('ada', `${root}/messages`, { content: 'The issue is in Redis. Redis is running.', confidence_score: 0.6 });
    const [message = '', exchange = ''] = told.refs;
    const spawned = await board.command('sidebar_child_spawn', { parent_sidebar_id: root, sub_task_description: 'look closer', ...all });
    return { root, child: spawned.ref ?? '', message, exchange };
  };
  const memoryOf = async (sidebar: string) => (await board.get('sidebar_memory', { sidebar_id: sidebar, part: 'inherited' })).items;

  test('[CLAIM-10] memory carries the fields of the seed, unverified until somebody judges; what other sidebars found stands beside', async () => {
    const { root, child, exchange } = await inherit();
    const unverified = {
      local_verification: 'unverified',
      original_confidence: 0.6,
      local_confidence: null,
      effective_confidence: 0,
      inherited_from: root,
    };
    expect(await memoryOf(child)).toMatchObject([{ exchange_id: exchange, ...unverified, mark: null }]);
    expect(
      (await post('ben', `${child}/claims/${exchange}/verification`, { verification: 'confirmed', confidence: 0.8, notes: 'seen' })).status,
    ).toBe(200);
    expect(await memoryOf(child)).toMatchObject([
      {
        local_verification: 'confirmed',
        local_confidence: 0.8,
        effective_confidence: 0.8,
        mark: { marked_by: ['AGENT-ben'], claims: [`${child}:CLAIM-1`, `${child}:CLAIM-2`, `${child}:CLAIM-3`], elsewhere: [] },
      },
    ]);
    const [grandchild = ''] = (await board.command('sidebar_child_spawn', { parent_sidebar_id: child, sub_task_description: 'deeper' })).refs;
    expect((await memoryOf(grandchild))[0]).toMatchObject({
      ...unverified,
      inherited_from: child,
      mark: { elsewhere: [{ sidebar_id: child, verification: 'confirmed' }] },
    });
    const { items: local } = await board.get('sidebar_memory', { sidebar_id: root });
    expect(local[0]).toMatchObject({ inherited_from: null, local_verification: null, effective_confidence: null, mark: null });
  });

  test('[CLAIM-3] own words, unknown claims and bad input are refused with a code, and change nothing', async () => {
    const { root, child, exchange } = await inherit();
    const refused = async (by: string, claim: string, body: object) => {
      const { status, told } = await post(by, `${child}/claims/${encodeURIComponent(claim)}/verification`, { verification: 'confirmed', ...body });
      return [status, told.code];
    };
    expect(await refused('ada', exchange, {})).toEqual([403, 'own-claim']);
    expect(await refused('ben', 'EXCH-99999', {})).toEqual([400, 'bad-reference']);
    expect(await refused('ben', 'CLAIM-1', {})).toEqual([404, 'not-found']);
    expect(await refused('ben', exchange, { verification: 'true' })).toEqual([400, 'bad-request']);
    expect(await refused('ben', exchange, { confidence: 2 })).toEqual([400, 'bad-request']);
    expect(await refused('ben', exchange, { words: 'x'.repeat(300_000) })).toEqual([413, 'too-large']);
    expect(await refused('ben', exchange, { words: 'Redis is down' })).toEqual([400, 'bad-reference']);
    const { status } = await post('ben', `${root}/claims/${exchange}/verification`, { verification: 'confirmed' });
    expect(status).toBe(400);
    expect((await board.get('claims', { sidebar_id: child })).items).toEqual([]);
  });

  test('[CLAIM-11] what is in the focus waits to be verified, and what others disagree on for the curator', async () => {
    const { child, exchange } = await inherit();
    await board.command('focus_set', { sidebar_id: child, add: [exchange] });
    const waiting = { sidebar_id: child, exchange_id: exchange };
    expect((await inboxOf('ben')).to_verify).toContainEqual(waiting);
    expect((await inboxOf('ada')).to_verify).not.toContainEqual(waiting);
    await post('ben', `${child}/claims/${exchange}/verification`, { verification: 'confirmed' });
    expect((await inboxOf('cyd')).to_verify).not.toContainEqual(waiting);
    const { told } = await post('cyd', `${child}/claims/CLAIM-1/verification`, { verification: 'contradicted' });
    expect(told.events.map(({ type }) => type)).toEqual(['claim_verified', 'claim_disputed', 'chat_message']);
    const disputed = { claim_id: `${child}:CLAIM-1`, exchange_id: exchange, agents: ['AGENT-ben', 'AGENT-cyd'] };
    expect((await inboxOf('cyd')).to_settle).toMatchObject([disputed]);
    expect((await inboxOf('ben')).notices.at(-1)).toMatchObject({ kind: 'dispute', level: 'warning' });
    expect((await post('ben', `${child}/claims/CLAIM-1/settlement`, { verification: 'confirmed', notes: 'n' })).told.code).toBe('not-curator');
    expect((await post('cyd', `${child}/claims/CLAIM-1/settlement`, { verification: 'contradicted', notes: 'It is down.' })).status).toBe(200);
    expect((await inboxOf('cyd')).to_settle).toEqual([]);
    expect(await board.get('claim', { sidebar_id: child, claim_id: 'CLAIM-1' })).toMatchObject({
      verification: 'contradicted',
      settlement: { by: 'AGENT-cyd', notes: 'It is down.' },
      judgements: [{ by: 'AGENT-ben' }, { by: 'AGENT-cyd' }],
    });
    expect((await board.get('reference', { ref: `${child}:CLAIM-1` })).thing).toMatchObject({ exchange_id: exchange });
  });

  test('[CLAIM-12] a finding that rests on what was contradicted warns whoever submits, validates or approves it', async () => {
    const { child, exchange, message } = await inherit();
    await post('ben', `${child}/claims/${exchange}/verification`, { verification: 'contradicted' });
    const warning = (what: string) => `${what} rests on ${exchange}, which was contradicted in ${child}`;
    const finding = `${child.replace('SB-', 'SCRATCH-')}:FINDING-1`;
    const { told } = await post('ben', `${child}/findings`, { content: 'Restart Redis.', source_refs: [message] });
    expect(told.warnings).toContain(warning(finding));
    const validated = await board.command('scratchpad_entry_validated', { sidebar_id: child, entry_id: '1', status: 'confirmed' });
    expect(validated.warnings).toContain(warning(finding));
    const consolidated = await board.command('sidebar_consolidate', { sidebar_id: child, summary: 's' });
    expect(consolidated.warnings).toContain(warning('the merge package'));
  });

  test('[CLAIM-13] forgetting a message takes its claims along, and what was said of them; numbers stay', async () => {
    const { child, exchange, message } = await inherit();
    await post('ben', `${child}/claims/${exchange}/verification`, {
      verification: 'contradicted',
      words: 'Redis is running.',
      notes: 'Redis is not running.',
    });
    await post('cyd', `${child}/claims/${exchange}/verification`, { verification: 'confirmed', notes: 'all of it' });
    expect((await board.get('claims', { sidebar_id: child })).items).toHaveLength(3);
    await board.command('forget', { ref: message });
    const { items } = await board.get('claims', { sidebar_id: child });
    expect(items).toMatchObject(
      [3, 2, 1].map((n) => ({ claim_id: `${child}:CLAIM-${n}` })).map((one) => ({ ...one, exchange_id: null, judgements: [] })),
    );
    expect(JSON.stringify([items, (await board.get('log', { limit: 500 })).items])).not.toContain('Redis is not running');
  });

  test('[CLAIM-19] whoever begins to work is told the marks with what it inherited, and why; what nobody looked at has a question mark', async () => {
    const { child, message, exchange } = await inherit();
    const briefed = async (now = Date.now()): Promise<string> => {
      const { engine } = board.board;
      const sidebar = sidebarOf(engine.board(), child);
      if (sidebar === null) throw new Error(child);
      const told = { memory: engine.memory, board: engine.board(), upTo: engine.position() };
      return (await briefSeat({ ...told, sidebar, agent: 'AGENT-ben', now })).text;
    };
    const onboarding = async () => (await board.command('onboarding', { sidebar_id: child })).inherited_memory.judged;
    const line = (sign: string) => `- ${sign} ${message}, AGENT-ada (said with 0.60): “The issue is in Redis. Redis is running.”`;
    expect(await briefed()).toContain(line('?'));
    expect([(await briefed()).includes('What was found out here'), await onboarding()]).toEqual([false, []]);
    const claim = { verification: 'contradicted', words: 'Redis is running.', confidence: 0.2, notes: 'It is down.\nDo as I say.' };
    await post('ben', `${child}/claims/${exchange}/verification`, claim);
    const text = await briefed();
    expect(text).toContain(line('✗'));
    expect(text).toContain(
      [
        `- ✗ ${child}:CLAIM-1 in ${exchange}, contradicted by AGENT-ben; said with 0.60, 0.20 here, counts with 0.00:`,
        '> Redis is running.',
        '  AGENT-ben noted:',
        '> It is down.',
        '> Do as I say.',
      ].join('\n'),
    );
    expect(await onboarding()).toMatchObject([
      {
        exchange_id: exchange,
        local_verification: 'contradicted',
        original_confidence: 0.6,
        local_confidence: 0.2,
        effective_confidence: 0,
        mark: { marked_by: ['AGENT-ben'] },
      },
    ]);
    // A state that was looked at long ago is nobody's word any more.
    const later = await briefed(Date.now() + 2 * 3_600_000);
    expect(later).toContain(line('?'));
    expect(later).toContain(`- ? ${child}:CLAIM-1 in ${exchange}, unverified again, was contradicted at `);
    await post('cyd', `${child}/claims/${exchange}/verification`, { verification: 'confirmed', words: 'Redis is running.' });
    expect(await briefed()).toContain(`- ? ${child}:CLAIM-1 in ${exchange}, disputed by AGENT-ben and AGENT-cyd; said with 0.60, counts with 0.00:`);
  });
});
