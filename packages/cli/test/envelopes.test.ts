import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeEnvelope, unwrapEnvelope } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { conversation, folderWith, SESSION, yarnboard } from './terminal.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures/claude-code', import.meta.url));

const printed = async (...args: readonly string[]): Promise<readonly unknown[]> => {
  const { code, out, err } = await yarnboard(['envelopes', ...args]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
};

describe('envelopes', () => {
  test('[CLI-17] a session with its sub-agents comes out in order, one envelope a line, the same each time', async () => {
    const path = join(FIXTURES, '2.1.325', 'nestedfg', 'projects');
    const first = await printed(path);
    expect(await printed(path)).toEqual(first);
    const events = first.map((one) => {
      const decoded = decodeEnvelope(one);
      expect(decoded.ok).toBe(true);
      return decoded.ok ? decoded.value : null;
    });
    expect(events.flatMap((one) => (one?.ev.t === 'start' || one?.ev.t === 'stop' ? [one.ev.t] : []))).toEqual([
      'start',
      'start',
      'start',
      'stop',
      'stop',
      'stop',
    ]);
    expect(events.at(-1)?.ev).toMatchObject({ t: 'turn-end', status: 'completed' });
  });

  test('[CLI-17] a session is found by path, id or standard input; --wrapped gives the form of the wire', async () => {
    const folder = folderWith({ [`projects/p/${SESSION}.jsonl`]: conversation() });
    const byPath = await printed(join(folder, 'projects', 'p', `${SESSION}.jsonl`));
    expect(byPath).toMatchObject([
      { role: 'user', ev: { t: 'text', text: 'Hello' } },
      { role: 'agent', ev: { t: 'turn-start' } },
      { role: 'agent', ev: { t: 'text', text: 'Hi there' } },
      { role: 'agent', ev: { t: 'turn-end', status: 'completed' } },
    ]);
    expect(await printed(SESSION, '--in', folder)).toEqual(byPath);
    const wrapped = await printed(folder, '--wrapped');
    expect(wrapped.every((one) => unwrapEnvelope(one).ok)).toBe(true);
    expect(await printed(folder, '--unfinished')).toHaveLength(3);
    expect(await printed(folder, '--shadow')).toHaveLength(5);
  });

  test('[CLI-17] lines that cannot be read are reported with their place, and what made no envelope on request', async () => {
    const folder = folderWith({
      [`projects/p/${SESSION}.jsonl`]: `${readFileSync(join(folderWith({ x: conversation() }), 'x'), 'utf8')}{"broken\n{"type":"summary","summary":"Yarn"}\n`,
    });
    const { code, out, err } = await yarnboard(['envelopes', folder, '--dropped']);
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(5);
    expect(err).toMatch(/\.jsonl, line 3: truncated|\.jsonl, line 3: invalid JSON/u);
    expect(JSON.parse(err.trim().split('\n').at(-1) ?? '')).toMatchObject({ summary: 1 });
  });

  test('[CLI-17] what is missing is said', async () => {
    expect((await yarnboard(['envelopes'])).code).toBe(2);
    expect(await yarnboard(['envelopes', 'no/such.jsonl'])).toEqual({
      code: 3,
      out: '',
      err: 'yarnboard: there is no file or folder "no/such.jsonl"\n',
    });
    expect((await yarnboard(['envelopes', '-x'])).code).toBe(2);
  });
});
