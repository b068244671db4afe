import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, type Input, type TestBoard } from '../boards.ts';

describe('recruiting over HTTP', () => {
  let board: TestBoard;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    board = await makeBoard({});
    for (const name of ['dora', 'eve', 'finn']) {
      const { token } = await board.command('agent_register', { agent_id: name, specialties: name === 'finn' ? ['css'] : ['databases'] });
      tokens.set(name, token);
      await as(name, 'presence', { status: 'available' });
    }
    await board.command('agent_limits', { agent_id: 'dora', max_concurrent_per_instance: 1 });
  });
  afterAll(() => board.close());

  const as = (name: string, path: string, body?: Input): Promise<Response> =>
    board.ask(`/api/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${tokens.get(name) ?? ''}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const spawn = async (more: Input = {}): Promise<string> =>
    (await board.command('sidebar_spawn', { parent_id: null, task_description: 'look', success_criteria: 'c', ...more })).ref ?? '';

  test('[LOAD-11] [LOAD-15] a plan tells what would happen and does nothing; the answer tells what did', async () => {
    const first = await spawn();
    const wish = { sidebar_id: first, capability: 'databases' };
    const joins = { agent_id: 'AGENT-dora', status: 'joined', queue_position: null, why: 'good at databases', instance_id: 'AGENT-dora#1' };
    expect(await board.command('agent_recruited', { ...wish, dry_run: true })).toMatchObject({
      planned: true,
      events: [],
      recruitments: [{ ...joins, request_id: null }],
    });
    expect((await board.get('load', { agent_id: 'dora' })).items).toMatchObject([{ current_load: 0, capacity: 1, instances: [] }]);
    const { recruitments = [] } = await board.command('agent_recruited', wish);
    expect(recruitments).toMatchObject([joins]);
    const team = await board.command('sidebar_spawn', { parent_id: null, task_description: 'look', participants: ['dora', 'eve'] });
    expect(team.recruitments).toMatchObject([
      { agent_id: 'AGENT-eve', status: 'joined' },
      { agent_id: 'AGENT-dora', status: 'queued', queue_position: 1, message: 'AGENT-dora is full: place 1 in its queue' },
    ]);
    expect((await board.get('load', { agent_id: 'dora' })).items).toMatchObject([
      {
        current_load: 1,
        instances: [{ instance_id: 'AGENT-dora#1', seats: [{ sidebar_id: first }] }],
        queue: [{ sidebar_id: team.ref, queue_position: 1 }],
        queued: 1,
      },
    ]);
    expect((await board.get('recruitments', { agent_id: 'dora', open: true })).items).toMatchObject([
      { sidebar_id: team.ref, requested_by: 'AGENT-operator', state: 'queued', queue_position: 1 },
    ]);
    expect((await board.get('agent', { agent_id: 'dora' })).current_load).toBe(1);
    expect((await board.get('sidebar', { sidebar_id: first })).agent_capabilities).toMatchObject({
      'AGENT-dora': { agent_id: 'AGENT-dora', specialties: ['databases'], availability: 'available', current_load: 1, preferred_collaborators: [] },
    });
  });

  test('[LOAD-12] whoever is asked answers, by the sidebar or by the request', async () => {
    await as('finn', 'agents/finn/update', { accepts: 'ask' });
    const [first, second] = [await spawn(), await spawn()];
    const asked = await board.command('agent_recruited', { sidebar_id: first, agent_id: 'finn', note: 'the layout' });
    expect(asked.recruitments).toMatchObject([{ agent_id: 'AGENT-finn', status: 'asked' }]);
    expect((await as('finn', `recruitments/${first}/answer`, { answer: 'accept' })).status).toBe(200);
    const { recruitments: [other] = [] } = await board.command('agent_recruited', { sidebar_id: second, agent_id: 'finn' });
    const declined = await as('finn', `recruitments/${other?.request_id ?? ''}/answer`, { answer: 'decline', reason_code: 'outside_expertise' });
    expect(declined.status).toBe(200);
    expect((await board.get('recruitments', { sidebar_id: second })).items).toMatchObject([{ state: 'declined', reason_code: 'outside_expertise' }]);
    const again = await as('finn', `recruitments/${other?.request_id ?? ''}/answer`, { answer: 'accept' });
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([409, 'already-there']);
  });

  test('[LOAD-14] [LOAD-16] suggestions say which words fit, candidates why; and nobody fits what nobody does', async () => {
    const sidebar = await spawn({ task_description: 'The query needs an index' });
    const found = (await board.get('suggestions', { sidebar_id: sidebar })).items;
    expect(found).toMatchObject([
      { agent_id: 'AGENT-eve', words: ['query', 'index'] },
      { agent_id: 'AGENT-dora', availability: 'busy' },
    ]);
    const styles = (await board.get('suggestions', { sidebar_id: sidebar, capability: 'css' })).items;
    expect(styles).toMatchObject([{ agent_id: 'AGENT-finn', availability: 'available' }]);
    const problem = await board.problem(`/api/v1/sidebars/${sidebar}/participants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${board.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ capability: 'gardening' }),
    });
    expect(problem).toMatchObject({ status: 404, code: 'no-match', detail: expect.stringContaining('css, databases') as string });
  });

  test('[LOAD-17] onboarding is for those who take part and those who are asked, and has references instead of memory', async () => {
    const parent = await spawn({ participants: ['eve'] });
    await board.command('chat_message', { sidebar_id: parent, content: 'The pool has five connections.' });
    const child = await spawn({ parent_id: parent, participants: ['eve'] });
    const given = await as('eve', `sidebars/${child}/onboarding`);
    expect(await given.json()).toMatchObject({
      sidebar_id: child,
      task_description: 'look',
      inherited_memory: { segments: [{ context_id: parent }], read_with: 'sidebar_memory' },
      active_focus: [],
      scratchpad: { pending: 0, confirmed: 0, open_conflicts: 0 },
      first_act: 'Score how relevant what was inherited is to the task.',
    });
    expect((await as('finn', `sidebars/${child}/onboarding`)).status).toBe(403);
    await board.command('agent_recruited', { sidebar_id: child, agent_id: 'finn' });
    expect((await as('finn', `sidebars/${child}/onboarding`)).status).toBe(200);
  });
});
