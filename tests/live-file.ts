import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sleep } from './live-stage.ts';

/** A session that somebody has in a terminal: its files grow, and now and then a line is only half written. */
export type GrowingSession = {
  readonly sessionId: string;
  /** Turns that were begun. */
  readonly turns: () => number;
  /** Ends the turn it is in, and stops. */
  readonly stop: () => Promise<void>;
};

export const growSession = (project: string, random: () => number): GrowingSession => {
  const sessionId = randomUUID();
  const main: Thread = { path: join(project, `${sessionId}.jsonl`), agentId: null, tip: null };
  let isStopped = false;
  let turns = 0;

  const write = async (thread: Thread, record: object): Promise<void> => {
    const uuid = randomUUID();
    const head = { parentUuid: thread.tip, isSidechain: thread.agentId !== null, ...(thread.agentId === null ? {} : { agentId: thread.agentId }) };
    const line = `${JSON.stringify({ ...head, sessionId, cwd: '/w', version: '2.1.325', ...record, uuid, timestamp: new Date().toISOString() })}\n`;
    thread.tip = uuid;
    const cut = Math.floor(random() * line.length);
    appendFileSync(thread.path, line.slice(0, cut));
    await sleep(random() * 12);
    appendFileSync(thread.path, line.slice(cut));
    await sleep(random() * 12);
  };
  const said = (thread: Thread, id: string, block: object, stop: string): Promise<void> =>
    write(thread, {
      type: 'assistant',
      message: { role: 'assistant', id, model: 'claude-opus-5-5', content: [block], stop_reason: stop, usage: { input_tokens: 5, output_tokens: 5 } },
    });
  const asked = (thread: Thread, content: unknown, more: object = {}): Promise<void> =>
    write(thread, { type: 'user', message: { role: 'user', content }, ...more });
  const useTool = async (thread: Thread): Promise<void> => {
    const [id, call] = [`msg_${randomUUID()}`, `toolu_${randomUUID()}`];
    await said(thread, id, { type: 'text', text: `Doing ${call}` }, 'tool_use');
    await said(thread, id, { type: 'tool_use', id: call, name: 'Bash', input: { command: 'ls' } }, 'tool_use');
    await asked(thread, [{ type: 'tool_result', tool_use_id: call, content: `done ${call}` }], { toolUseResult: { stdout: 'done' } });
  };
  const useAgent = async (): Promise<void> => {
    const [call, agentId, prompt] = [`toolu_${randomUUID()}`, `a${randomUUID().replaceAll('-', '').slice(0, 16)}`, `Look ${turns}`];
    await said(
      main,
      `msg_${randomUUID()}`,
      { type: 'tool_use', id: call, name: 'Agent', input: { description: 'Look', prompt, subagent_type: 'x' } },
      'tool_use',
    );
    const path = join(project, sessionId, 'subagents', `agent-${agentId}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path.replace('.jsonl', '.meta.json'), JSON.stringify({ agentType: 'x', description: 'Look', toolUseId: call }));
    const aside: Thread = { path, agentId, tip: null };
    await asked(aside, prompt);
    await useTool(aside);
    await said(aside, `msg_${randomUUID()}`, { type: 'text', text: `Found ${agentId}` }, 'end_turn');
    const content = [{ type: 'text', text: 'Found' }];
    await asked(main, [{ type: 'tool_result', tool_use_id: call, content }], { toolUseResult: { status: 'completed', agentId, content } });
  };

  const grow = async (): Promise<void> => {
    while (!isStopped) {
      turns += 1;
      await asked(main, `Prompt ${turns}`);
      await useTool(main);
      if (random() < 0.5) await useAgent();
      await said(main, `msg_${randomUUID()}`, { type: 'text', text: `Answer ${turns}` }, 'end_turn');
    }
  };
  const growing = grow();
  return {
    sessionId,
    turns: () => turns,
    stop: () => {
      isStopped = true;
      return growing;
    },
  };
};

type Thread = { readonly path: string; readonly agentId: string | null; tip: string | null };

/** A turn in lines of a transcript: with a call that nothing has answered yet, or with the model's last word. */
export const linesOf = (sessionId: string, name: string, { at, isOver }: { readonly at: number; readonly isOver: boolean }): string => {
  const message = { role: 'assistant', id: `${sessionId}-${name}`, model: 'claude-opus-5-5', stop_reason: isOver ? 'end_turn' : 'tool_use' };
  const call = { type: 'tool_use', id: `${sessionId}-${name}-call`, name: 'Bash', input: { command: 'sleep 600' } };
  return [
    { type: 'user', uuid: `${sessionId}-${name}-u`, parentUuid: null, message: { role: 'user', content: `${name}?` } },
    {
      type: 'assistant',
      uuid: `${sessionId}-${name}-a`,
      parentUuid: `${sessionId}-${name}-u`,
      message: { ...message, content: [{ type: 'text', text: `${name}!` }] },
    },
    ...(isOver
      ? []
      : [{ type: 'assistant', uuid: `${sessionId}-${name}-c`, parentUuid: `${sessionId}-${name}-a`, message: { ...message, content: [call] } }]),
  ]
    .map(
      (record, i) =>
        `${JSON.stringify({ ...record, isSidechain: false, sessionId, cwd: '/w', version: '2.1.325', timestamp: new Date(at + i).toISOString() })}\n`,
    )
    .join('');
};
