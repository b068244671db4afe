import { expect, test } from 'vitest';
import { addFile, append, copilot, createSession, recordsIn, type JsonObject, type Session } from '../src/index.ts';
import { responsesIn } from '../src/usage.ts';

const SESSION = '01a1e1ae-f59a-70fd-8edd-ede91fe91ba0';

const recordsOf = (values: readonly JsonObject[]): readonly JsonObject[] => {
  const read = recordsIn(copilot.lines, { sessionId: SESSION, agentId: null });
  return values.map((value, i) => read(value, { line: i + 1, part: 0 }));
};

const sessionOf = (records: readonly JsonObject[]): Session => {
  const session = createSession(SESSION);
  const file = addFile(session, { path: 'f', agentId: null });
  for (const record of records) append(session, file, record, { line: 1, part: 0, offset: 0, length: 0 });
  return session;
};

test('[COPI-5] [COPI-6] an older Copilot tells exit codes in the output, and the input of a run when it ends', () => {
  const event = (id: string, type: string, data: JsonObject): JsonObject => ({ id, type, data, timestamp: '2026-11-16T00:00:00.000Z' });
  const run = (no: number, model: string): readonly JsonObject[] => [
    event(`${no}a`, no === 1 ? 'session.start' : 'session.resume', { context: { cwd: '/p' }, copilotVersion: '1.0.57' }),
    event(`${no}b`, 'user.message', { content: 'Go' }),
    event(`${no}c`, 'assistant.message', {
      model,
      content: '',
      outputTokens: 46,
      toolRequests: [{ toolCallId: `s${no}`, name: 'bash', arguments: {} }],
    }),
    event(`${no}d`, 'tool.execution_start', { toolCallId: `s${no}`, toolName: 'bash' }),
    event(`${no}e`, 'tool.execution_complete', { toolCallId: `s${no}`, success: true, result: { content: 'bad\n<exited with exit code 3>' } }),
    event(`${no}f`, 'tool.execution_start', { toolCallId: `v${no}`, toolName: 'view' }),
    event(`${no}g`, 'tool.execution_complete', { toolCallId: `v${no}`, success: true, result: { content: 'log\n<exited with exit code 3>' } }),
    event(`${no}h`, 'assistant.message', { model, content: 'Done.', outputTokens: 47 }),
  ];
  const ended = (id: string, metrics: JsonObject): JsonObject => event(id, 'session.shutdown', { modelMetrics: metrics });
  const usage = (input: number, cached: number): JsonObject => ({ usage: { inputTokens: input, outputTokens: 93, cacheReadTokens: cached } });
  const session = sessionOf(
    recordsOf([
      ...run(1, 'm'),
      ended('1z', { m: usage(2120, 1013), small: usage(300, 0) }),
      ...run(2, 'm'), // killed
      ...run(3, 'm'),
      ended('3z', { m: usage(2000, 1000) }),
      ended('3y', {}),
    ]),
  );
  const failed = [...session.results.values()].map(({ result }) => result.isError);
  expect(failed).toEqual([true, false, true, false, true, false]);
  const sums = responsesIn(session.responses).map(({ usage: { input, cacheRead, output } }) => [input, cacheRead, output]);
  expect(sums).toEqual([
    [0, 0, 46],
    [1407, 1013, 47],
    [0, 0, 46],
    [0, 0, 47],
    [0, 0, 46],
    [1000, 1000, 47],
  ]);
});

test('[COPI-9] what a sub-agent was asked is told once, whether only its call says so or its own events do again', () => {
  const event = (id: string, type: string, data: JsonObject, agentId?: string): JsonObject => ({
    id,
    type,
    data,
    timestamp: '2026-11-16T00:00:00.000Z',
    ...(agentId === undefined ? {} : { agentId }),
  });
  const promptsOf = (agentId: string, again: readonly string[]): readonly unknown[] => {
    const records = recordsOf([
      event('a', 'tool.execution_start', { toolCallId: 'call', toolName: 'task', arguments: { prompt: 'Count them.' } }),
      event('b', 'subagent.started', { toolCallId: 'call', agentName: 'general-purpose' }, agentId),
      ...again.map((content, i) => event(`c${i}`, 'user.message', { content, source: 'agent-call' }, agentId)),
      event('d', 'assistant.message', { content: 'Two.', outputTokens: 1 }, agentId),
    ]);
    const told = records.filter(({ type, uuid }) => (type === 'user' || type === 'assistant') && uuid !== undefined);
    expect(told.map(({ parentUuid }) => parentUuid)).toEqual([null, ...told.slice(0, -1).map(({ uuid }) => uuid)]);
    return told.filter(({ type }) => type === 'user').map(({ message }) => (message as { readonly content: string }).content);
  };
  expect(promptsOf('call', [])).toEqual(['Count them.']);
  expect(promptsOf('call', ['Count them.'])).toEqual(['Count them.']);
  expect(promptsOf('call', ['Count them.', 'And the rest?'])).toEqual(['Count them.', 'And the rest?']);
  expect(promptsOf('its own id', ['Count them.'])).toEqual(['Count them.']);
});

test('[COPI-6] where no response tells its tokens, those of the run are counted with the last; never beside those that were told one by one', () => {
  const event = (id: string, type: string, data: JsonObject): JsonObject => ({ id, type, data, timestamp: '2026-11-16T00:00:00.000Z' });
  const run = (no: number): readonly JsonObject[] => [
    event(`${no}a`, no === 1 ? 'session.start' : 'session.resume', { context: { cwd: '/p' } }),
    event(`${no}b`, 'user.message', { content: 'Go' }),
    event(`${no}c`, 'assistant.message', { model: 'm', content: 'One.' }),
    event(`${no}d`, 'assistant.message', { model: 'm', content: 'Two.' }),
  ];
  const metrics = { modelMetrics: { m: { usage: { inputTokens: 2050, outputTokens: 85, cacheReadTokens: 1005, cacheWriteTokens: 60 } } } };
  const sumsOf = (events: readonly JsonObject[]): readonly (readonly number[])[] =>
    responsesIn(sessionOf(recordsOf(events)).responses).map(({ usage: { input, cacheRead, output } }) => [input, cacheRead, output]);
  expect(sumsOf([...run(1), event('z', 'session.shutdown', metrics), ...run(2), event('y', 'session.shutdown', metrics)])).toEqual([
    [985, 1005, 85],
    [985, 1005, 85],
  ]);
  const told = event('u', 'session.usage_record', { usage: { model: 'm', inputTokens: 100, outputTokens: 5 } });
  expect(sumsOf([...run(1).slice(0, 2), told, ...run(1).slice(2), event('z', 'session.shutdown', metrics)])).toEqual([[100, 0, 5]]);
});
