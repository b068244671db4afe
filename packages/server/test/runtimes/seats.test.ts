import { describe, expect, test } from 'vitest';
import { tokenHashOf } from '../../src/home/token.ts';
import { makeBoard, walk } from '../operations/boards.ts';
import { equip, EXAMPLE, open, saidBy, seatWhere, spawn, until } from './seat-stage.ts';

describe('seats that act', () => {
  test('[RT-16] whoever has a runtime and joins acts: it is told what concerns it, says its last words once, and its commands are its own', async () => {
    const made = await open();
    await equip(made, 'echo');
    const sidebar = await spawn(made, 'Find out why the build is slow', ['echo']);
    const [first] = await saidBy(made, sidebar, 'AGENT-echo');
    expect(first?.content).toContain('1 heard');
    await made.command('chat_message', { sidebar_id: sidebar, content: '@echo please submit a finding about caches' });
    const pad = await until(made, async () => {
      const now = await made.get('scratchpad', { sidebar_id: sidebar });
      return now.pending_findings.length > 0 ? now : null;
    });
    expect(pad.pending_findings[0]).toMatchObject({ submitted_by: 'AGENT-echo' });
    expect(await saidBy(made, sidebar, 'AGENT-echo', 2)).toHaveLength(2);
    // What is said and not meant for it starts nothing.
    await made.command('chat_message', { sidebar_id: sidebar, content: 'just a remark' });
    const seat = await seatWhere(made, sidebar, 'echo', ({ state, turns }) => state === 'ready' && turns.used === 2);
    expect(seat).toMatchObject({ runtime: 'echo', reach: 'sidebar', responds_to: 'mentions', tokens: { used: 30 }, faults: {} });
    expect((await made.get('agent', { agent_id: 'echo' })).availability).toBe('available');
    // [RT-65] What it took is with its last words.
    const [, second] = await saidBy(made, sidebar, 'AGENT-echo', 2);
    const told = (await walk(made, 'log', { limit: 500 })).find(({ refs }) => refs.includes(second?.ref ?? ''));
    expect(told).toMatchObject({ token_count: 5, tools_invoked: ['scratchpad_entry_submitted'] });
    expect(told?.processing_time_ms).toBeGreaterThanOrEqual(0);
    expect(made.faults).toEqual([]);
    await made.close();
  });

  test('[RT-71] who is mentioned hears the whole message, however long it is', async () => {
    const made = await open();
    await equip(made, 'echo');
    const sidebar = await spawn(made, 'Read this', ['echo']);
    await saidBy(made, sidebar, 'AGENT-echo');
    const long = `@echo ${'thread by thread '.repeat(400)}and the last word`;
    await made.command('chat_message', { sidebar_id: sidebar, content: long });
    const [, answer] = await saidBy(made, sidebar, 'AGENT-echo', 2);
    expect(answer?.content).toContain('and the last word');
    await made.close();
  });

  test('[RT-22] what a seat was told and said is a session of its own, which names agent and sidebar', async () => {
    const made = await open();
    await equip(made, 'echo');
    const sidebar = await spawn(made, 'Find the slow test', ['echo']);
    await saidBy(made, sidebar, 'AGENT-echo');
    const { session_id: sessionId } = await seatWhere(made, sidebar, 'echo', ({ state }) => state === 'ready');
    await made.board.seats.settled();
    await made.close();
    const again = await makeBoard({ home: made.home, isImported: false });
    const session = await again.get('session', { id: sessionId ?? '' });
    expect(session.title).toBe(`AGENT-echo in ${sidebar}`);
    const { messages } = await again.get('messages', { id: sessionId ?? '' });
    expect(messages.map(({ content }) => content).join('\n')).toContain('> Find the slow test');
    expect(messages.map(({ content }) => content).join('\n')).toContain('1 heard');
    await again.close();
  });

  test('[RT-18] a seat is stopped and started anew by the operator or its coordinator, and by nobody else', async () => {
    const made = await open();
    await equip(made, 'echo');
    await made.command('agent_register', { agent_id: 'other' });
    const sidebar = await spawn(made, 'Look', ['echo', 'other']);
    await saidBy(made, sidebar, 'AGENT-echo');
    await made.command('seat_stop', { sidebar_id: sidebar, agent_id: 'echo' });
    await seatWhere(made, sidebar, 'echo', ({ state, reason }) => state === 'stopped' && reason === 'stopped by request');
    await made.command('chat_message', { sidebar_id: sidebar, content: '@echo are you there?' });
    await made.command('seat_restart', { sidebar_id: sidebar, agent_id: 'echo' });
    const said = await saidBy(made, sidebar, 'AGENT-echo', 2);
    expect(said.at(-1)?.content).toContain('are you there?');
    const refused = await made.board.engine.execute({
      command: { type: 'seat.call', sidebar, agent: 'AGENT-echo', wish: 'stop' },
      actor: { id: 'AGENT-other', type: 'agent' },
      messageId: 'm1',
    });
    expect(refused).toMatchObject({ kind: 'rejected', code: 'not-coordinator' });
    await made.close();
  });

  test('[RT-62] a program that never says that it is ready is told, ended and started again, and fails at last', async () => {
    const made = await open();
    await equip(made, 'mute', { runtime: 'silent' });
    const sidebar = await spawn(made, 'Say something', ['mute']);
    const first = await seatWhere(made, sidebar, 'mute', ({ reason }) => reason !== null);
    expect(first.reason).toContain('it was not ready within');
    const failed = await seatWhere(made, sidebar, 'mute', ({ state }) => state === 'failed');
    expect(failed.reason).toContain('it was not ready within');
    await until(made, async () => ((await made.get('agent', { agent_id: 'mute' })).availability === 'offline' ? true : null));
    await made.close();
  });

  test('[RT-17] resting holds, also across a restart; what came meanwhile is delivered when it ends', async () => {
    const made = await open();
    await equip(made, 'echo');
    const sidebar = await spawn(made, 'Look', ['echo']);
    await saidBy(made, sidebar, 'AGENT-echo');
    await made.command('agents_rest', {});
    await seatWhere(made, sidebar, 'echo', ({ state, resting }) => state === 'stopped' && resting);
    await made.command('chat_message', { sidebar_id: sidebar, content: '@echo a word while you rest' });
    await made.close();
    const again = await open({ home: made.home });
    expect(again.board.seats.view.count('echo')).toBe(0);
    await again.command('agents_rest', { resting: false });
    const said = await saidBy(again, sidebar, 'AGENT-echo', 2);
    expect(said.at(-1)?.content).toContain('a word while you rest');
    await again.close();
  });

  test('[RT-13] after the server ended in a turn none is open, and what it was about is told again', async () => {
    const made = await open();
    await equip(made, 'slow', { runtime: 'scripted' });
    const sidebar = await spawn(made, 'Look', ['slow']);
    await seatWhere(made, sidebar, 'slow', ({ state }) => state === 'working');
    // The server ends in the middle of the turn: nothing is closed by it.
    await made.close();
    const again = await open({ home: made.home });
    const seat = await seatWhere(again, sidebar, 'slow', ({ turns, state }) => turns.used === 2 && state === 'working');
    expect(seat.turn_id).toBe('turn-2');
    const { items } = await again.get('briefing', { sidebar_id: sidebar, agent_id: 'slow' });
    expect(items.map(({ turn_id: turn }) => turn)).toEqual(['turn-1', 'turn-2']);
    await again.close();
  });

  test('[RT-20] what a seat was given to read is kept with its turn, and is the same for the same board', async () => {
    const made = await open();
    await equip(made, 'slow', { runtime: 'scripted' });
    const sidebar = await spawn(made, 'Look', ['slow']);
    await seatWhere(made, sidebar, 'slow', ({ state }) => state === 'working');
    const first = await made.get('briefing', { sidebar_id: sidebar, agent_id: 'slow' });
    expect(first.items).toMatchObject([
      { turn_id: 'turn-1', status: 'begun', refs: [sidebar], size: first.text.length, hash: tokenHashOf(first.text) },
    ]);
    expect(await made.get('briefing', { sidebar_id: sidebar, agent_id: 'slow' })).toEqual(first);
    await made.close();
  });

  test('[RT-11] a budget that is used up rests the seat and tells the operator; more can be granted', async () => {
    const made = await open();
    await equip(made, 'echo', { runtime: 'small' });
    const sidebar = await spawn(made, 'Look', ['echo']);
    await saidBy(made, sidebar, 'AGENT-echo');
    await made.command('chat_message', { sidebar_id: sidebar, content: '@echo and now?' });
    await seatWhere(made, sidebar, 'echo', ({ state }) => state === 'resting');
    const { notices } = await made.command('inbox', {});
    expect(notices.map(({ text }) => text)).toContain(`AGENT-echo has used up its turns and rests in ${sidebar}`);
    await made.command('budget_grant', { sidebar_id: sidebar, agent_id: 'echo', turns: 5 });
    expect((await saidBy(made, sidebar, 'AGENT-echo', 2)).at(-1)?.content).toContain('and now?');
    await made.close();
  });

  test('[RT-7] a runtime that nobody defined is refused; what runs is shown to the operator only', async () => {
    const made = await open();
    await made.command('agent_register', { agent_id: 'a' });
    await expect(made.command('agent_runtime', { agent_id: 'a', runtime: 'magic' })).rejects.toThrow('there is no runtime');
    await expect(made.command('agent_runtime', { agent_id: 'operator', runtime: 'echo' })).rejects.toThrow('is a person');
    const { items } = await made.get('runtimes');
    expect(items.map(({ name, command, problem }) => [name, command, problem])).toEqual([
      ['echo', null, null],
      ['scripted', null, null],
      ['small', null, null],
      ['silent', null, null],
      ['broken', null, 'there is no program "/nowhere/agent" that can be run'],
    ]);
    expect((await made.command('runtimes')).items[0]?.command).toEqual([process.execPath, EXAMPLE]);
    await made.close();
  });
});

describe('what a seat may know', () => {
  test('[RT-21] three sidebars of one agent: nothing of one is put before another, nor can it be looked up', async () => {
    const made = await open();
    await equip(made, 'echo');
    const words = ['ALPACA', 'BARNACLE', 'CORMORANT'];
    const sidebars: string[] = [];
    for (const word of words) {
      const sidebar = await spawn(made, `Look into ${word}`, ['echo']);
      sidebars.push(sidebar);
      await made.command('chat_message', { sidebar_id: sidebar, content: `@echo tell me about ${word}, sk-ant-api03-${'a1B2'.repeat(20)}-AAAA` });
    }
    const parent = sidebars[0] ?? '';
    const child =
      (
        await made.command('sidebar_child_spawn', {
          parent_sidebar_id: parent,
          sub_task_description: 'Look into DUGONG',
          participants: ['echo'],
          wait: false,
        })
      ).ref ?? '';
    await made.command('chat_message', { sidebar_id: parent, content: 'EMU came later' });
    await saidBy(made, child, 'AGENT-echo');
    for (const [i, sidebar] of [...sidebars, child].entries()) {
      await saidBy(made, sidebar, 'AGENT-echo', 1);
      const { text } = await made.get('briefing', { sidebar_id: sidebar, agent_id: 'echo' });
      const own = i === 3 ? ['ALPACA', 'DUGONG'] : [words[i] ?? '', ...(i === 0 ? ['EMU'] : [])];
      expect([...words, 'DUGONG', 'EMU'].filter((word) => text.includes(word))).toEqual(expect.arrayContaining(own));
      expect([...words, 'DUGONG', 'EMU'].filter((word) => text.includes(word) && !own.includes(word))).toEqual([]);
      expect(text).not.toContain('a1B2a1B2');
      expect(text).toContain('> ');
    }
    await made.close();
  });

  test('[RT-21] secrets are masked in what a seat is briefed with, wherever they would be cut, and in what it is told later', async () => {
    const made = await open();
    await equip(made, 'scripted', { runtime: 'scripted' });
    const secret = ['ghp', 'Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY1234'].join('_');
    const parent = await spawn(made, 'Where it began', []);
    // The line of an inherited message ends in the middle of it.
    await made.command('chat_message', { sidebar_id: parent, content: `${'so '.repeat(48)}${secret}` });
    const { ref: child } = await made.command('sidebar_child_spawn', {
      parent_sidebar_id: parent,
      sub_task_description: `Look into ${secret}`,
      participants: ['scripted'],
    });
    const sidebar = child ?? '';
    await seatWhere(made, sidebar, 'scripted', ({ state }) => state === 'working');
    const { text } = await made.get('briefing', { sidebar_id: sidebar, agent_id: 'scripted' });
    expect(text).toContain('so so so');
    expect(text).not.toContain(secret.slice(0, 12));
    await made.command('chat_message', { sidebar_id: sidebar, content: `@scripted repeat ${secret}` });
    const [said] = await saidBy(made, sidebar, 'AGENT-scripted');
    const heard = Buffer.from(said?.content ?? '', 'hex').toString();
    expect([heard.startsWith('repeat '), heard.includes(secret.slice(0, 12))]).toEqual([true, false]);
    await made.close();
  });

  test('[LOAD-12] [RT-16] a program that declines tells whoever asked, with a reason, and is out of the sidebar', async () => {
    const made = await open();
    await equip(made, 'scripted', { runtime: 'scripted' });
    const sidebar = await spawn(made, 'Weave', []);
    await made.command('agent_recruited', { sidebar_id: sidebar, agent_id: 'scripted' });
    await seatWhere(made, sidebar, 'scripted', ({ state }) => state === 'working');
    await made.command('chat_message', { sidebar_id: sidebar, content: '@scripted decline' });
    await until(made, async () => {
      const { participants } = await made.get('sidebar', { sidebar_id: sidebar });
      return participants.includes('AGENT-scripted') ? null : participants;
    });
    const { items } = await made.get('recruitments', { sidebar_id: sidebar, agent_id: 'scripted' });
    expect(items).toMatchObject([{ state: 'declined', reason_code: 'outside_expertise', answer: 'I only know looms' }]);
    expect((await made.command('inbox')).notices).toContainEqual(
      expect.objectContaining({ kind: 'request', text: `AGENT-scripted declined to take part in ${sidebar} (outside expertise): I only know looms` }),
    );
    await made.close();
  });

  test('[RT-23] a seat acts in its own sidebar and looks no further than its pool, unless the operator lets it', async () => {
    const made = await open();
    await equip(made, 'spy', { runtime: 'scripted' });
    const own = await spawn(made, 'Mine', ['spy']);
    const other = (await made.command('sidebar_spawn', { parent_id: null, task_description: 'Not yours: CANARY' })).ref ?? '';
    await made.command('chat_message', { sidebar_id: other, content: 'CANARY in a message' });
    const asked: readonly (readonly [string, object])[] = [
      ['sidebar', { sidebar_id: own }],
      ['agents', {}],
      ['message', { ref: 'MSG-1' }],
      ['sidebar', { sidebar_id: other }],
      ['sidebar_memory', { sidebar_id: other, part: 'local' }],
      ['search', { q: 'CANARY' }],
      ['similar', { ref: 'MSG-1' }],
      ['log', {}],
      ['sessions', {}],
      ['sidebars', {}],
      ['inbox', {}],
      ['board', {}],
      ['chat_message', { sidebar_id: other, content: 'hello' }],
      ['agent_runtime', { agent_id: 'spy', reach: 'board' }],
      ['nothing', {}],
    ];
    await seatWhere(made, own, 'spy', ({ state }) => state === 'working');
    await made.command('chat_message', { sidebar_id: own, content: `@spy ask ${JSON.stringify(asked)}` });
    const [said] = await saidBy(made, own, 'AGENT-spy');
    expect(said?.content).toBe(
      [
        'sidebar ok',
        'agents ok',
        ...asked.slice(2, 13).map(([name]) => `${name} not-participant`),
        'agent_runtime operator-only',
        'nothing bad-request',
      ].join('\n'),
    );
    await made.command('agent_runtime', { agent_id: 'spy', reach: 'board' });
    await made.command('chat_message', { sidebar_id: own, content: `@spy ask ${JSON.stringify([asked[3], asked[12]])}` });
    expect((await saidBy(made, own, 'AGENT-spy', 2)).at(-1)?.content).toBe('sidebar ok\nchat_message not-participant');
    await made.close();
  });

  test('[RT-19] the token of a seat is that seat’s, and dead with it', async () => {
    const made = await open();
    await equip(made, 'spy', { runtime: 'scripted' });
    const own = await spawn(made, 'Mine', ['spy']);
    await seatWhere(made, own, 'spy', ({ state }) => state === 'working');
    await made.command('chat_message', { sidebar_id: own, content: '@spy token' });
    const [said] = await saidBy(made, own, 'AGENT-spy');
    const token = Buffer.from(said?.content ?? '', 'hex').toString('utf8');
    const headers = { authorization: `Bearer ${token}` };
    expect((await made.ask(`/api/v1/sidebars/${own}`, { headers })).status).toBe(200);
    expect((await made.problem('/api/v1/search?q=x', { headers })).code).toBe('not-participant');
    expect((await made.problem('/metrics', { headers })).code).toBe('not-participant');
    expect(JSON.stringify([...made.board.engine.board().tokens.entries()])).not.toContain(tokenHashOf(token));
    await made.command('agent_left', { sidebar_id: own, agent_id: 'spy' });
    expect((await made.problem(`/api/v1/sidebars/${own}`, { headers })).code).toBe('bad-token');
    await made.close();
  });
});
