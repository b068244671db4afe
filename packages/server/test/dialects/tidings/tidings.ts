import type { Dialect, JsonObject, LinePlace } from '@yarnboard/transcript';

/**
 * A tool that nobody wrote: `~/.tidings/threads/<name>.tid`, a line for everything that is said or done, seconds for times, no ids but the numbers
 * of commands. All that Yarnboard knows of it stands in this file.
 */
export const tidings: Dialect = {
  name: 'tidings',
  roots: ({ home, exists }) => [`${home}/.tidings/threads`].filter(exists),
  transcriptsIn: (folder, names) => (folder === '.tidings' && names.includes('threads') ? ['threads'] : null),
  classify: (path) => {
    const name = /([^/\\]+)\.tid$/u.exec(path)?.[1];
    return name === undefined ? { role: 'foreign', reason: 'not a thread of tidings' } : { role: 'main', sessionId: name };
  },
  sniff: () => ({ sessionIds: new Map(), isStream: false }),
  lines: { kind: 'single', toRecord: (value, at) => ({ sessionId: at.sessionId, isSidechain: false, ...timeOf(value), ...saidIn(value, at) }) },
  readMeta: () => null,
  prices: { date: '2026-01-01', models: { 'tidings-1': { input: 1, output: 2, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 } } },
  resumeCommand: (sessionId) => `tidings ${sessionId}`,
};

const saidIn = (value: JsonObject, at: LinePlace): JsonObject => {
  const place = { uuid: nameOf(at, at.line), parentUuid: at.line <= 2 ? null : nameOf(at, at.line - 1) };
  if (typeof value['me'] === 'string') return { ...place, type: 'user', cwd: '/home/dev/pond', message: { role: 'user', content: value['me'] } };
  if (typeof value['it'] === 'string') return reply(at, place, [{ type: 'text', text: value['it'] }]);
  if (typeof value['runs'] === 'string') {
    return reply(at, place, [{ type: 'tool_use', id: callOf(at, value), name: 'Bash', input: { command: value['runs'] } }]);
  }
  if (typeof value['says'] === 'string') {
    const result = { type: 'tool_result', tool_use_id: callOf(at, value), content: value['says'], is_error: value['failed'] === true };
    return { ...place, type: 'user', message: { role: 'user', content: [result] } };
  }
  if (typeof value['about'] === 'string') return { type: 'custom-title', customTitle: value['about'] };
  return { type: 'tidings-note' };
};

const reply = (at: LinePlace, place: JsonObject, content: readonly JsonObject[]): JsonObject => ({
  ...place,
  type: 'assistant',
  message: { role: 'assistant', id: nameOf(at, at.line), model: 'tidings-1', content, usage: { input_tokens: 10, output_tokens: 5 } },
});

const nameOf = ({ sessionId }: LinePlace, line: number): string => `tidings/${sessionId}/${line}`;
const callOf = ({ sessionId }: LinePlace, value: JsonObject): string => `tidings/${sessionId}/call ${JSON.stringify(value['nth'])}`;
const timeOf = ({ at }: JsonObject): JsonObject => (typeof at === 'number' ? { timestamp: new Date(at * 1000).toISOString() } : {});
