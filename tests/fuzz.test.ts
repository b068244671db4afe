import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { encodeInspect, inspectDocument, type InspectDocument } from '@yarnboard/protocol';
import { combine, DEFAULT_PRICES, digestSession, reconstruct, renderHtml, renderMarkdown, renderText, type Session } from '@yarnboard/transcript';
import { describe, expect, test } from 'vitest';
import { sessionOf } from '../packages/transcript/test/reading.ts';
import { root } from './source-files.ts';

// Real sessions with about everything in them: inline and separate agents, nesting, forks, compactions, kills, branches.
const SCENARIOS = ['1.0.100/parsame', '2.0.76/killpar', '2.1.50/compact', '2.1.220/nestedfg', '2.1.325/compactchain', 'sdk-0.3.325/resumeat'];

type Lines = readonly { readonly agentId: string | null; readonly line: string }[];

const linesOf = (scenario: string): Lines => {
  const folder = join(root, 'fixtures', 'claude-code', scenario, 'projects');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ({ agentId: /agent-(.+)\.jsonl$/u.exec(name)?.[1] ?? null, line })),
    );
};

const real = SCENARIOS.map(linesOf);

const read = (lines: Lines): Session => {
  const agents = [...new Set(lines.map(({ agentId }) => agentId))].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1));
  return sessionOf(
    agents.map((agentId) => ({
      path: agentId === null ? 'main.jsonl' : `agent-${agentId}.jsonl`,
      ...(agentId === null ? {} : { agentId }),
      lines: lines.filter((one) => one.agentId === agentId).map(({ line }) => line),
    })),
  );
};

const report = (session: Session): InspectDocument => {
  const counts = { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 };
  return encodeInspect(combine([digestSession(session)], { files: 1, counts, quarantine: [], skipped: [] }, DEFAULT_PRICES));
};

const told = (session: Session): void => {
  const reconstruction = reconstruct(session);
  const source = { session, title: null, project: null, recordOf: () => ({ message: { content: 'words' } }), outputOf: () => null };
  for (const render of [renderText, renderMarkdown, renderHtml])
    for (const piece of render(source, reconstruction)) expect(typeof piece).toBe('string');
};

// By name, so that a counterexample fits on a page.
const anyScenario = fc.constantFrom(...SCENARIOS);
const realLines = (scenario: string): Lines => real[SCENARIOS.indexOf(scenario)] ?? [];

// A record with some of its fields, at any depth, replaced by anything.
const mutated = (line: string, seeds: readonly number[], values: readonly unknown[]): string => {
  const record: unknown = JSON.parse(line);
  seeds.forEach((seed, i) => {
    let at: unknown = record;
    for (let depth = 0; depth < 4 && typeof at === 'object' && at !== null; depth += 1) {
      const holder = at as Record<string, unknown>; // any object or list
      const keys = Object.keys(holder);
      const key = keys[Math.floor(seed / 7 ** depth) % Math.max(1, keys.length)];
      if (key === undefined) return;
      const inner = holder[key];
      if (depth === 3 || typeof inner !== 'object' || inner === null || seed % 5 === depth) {
        holder[key] = structuredClone(values[i % values.length]);
        return;
      }
      at = inner;
    }
  });
  return JSON.stringify(record);
};

describe('whatever becomes of a transcript', () => {
  test('[DAG-2] any order of lines gives the same nodes, tool pairs, responses and agents', () => {
    fc.assert(
      fc.property(anyScenario, fc.infiniteStream(fc.nat()), (scenario, numbers) => {
        const lines = realLines(scenario);
        const shuffled = lines
          .map((line) => ({ line, key: numbers.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ line }) => line);
        const [before] = report(read(lines)).sessions;
        const [after] = report(read(shuffled)).sessions;
        for (const key of ['messages', 'cycles', 'tools', 'usage', 'cost_usd', 'roots', 'orphans'] as const)
          expect(after?.[key]).toEqual(before?.[key]);
        const agents = (session: typeof before): unknown =>
          session?.sidechains
            .filter((one) => one.file !== 'main.jsonl')
            .map((one) => one.agent_id)
            .sort();
        expect(agents(after)).toEqual(agents(before));
      }),
    );
  });

  test('[PARSE-6] [ENTRY-1] any lines left out, repeated or cut give a valid report and a conversation', () => {
    fc.assert(
      fc.property(
        anyScenario,
        fc.array(fc.tuple(fc.nat(), fc.constantFrom('drop', 'repeat', 'cut', 'swap'), fc.nat()), { maxLength: 12 }),
        (scenario, edits) => {
          const lines = realLines(scenario);
          const edited = [...lines];
          for (const [where, edit, more] of edits) {
            const at = where % edited.length;
            const one = edited[at];
            if (one === undefined) continue;
            if (edit === 'drop' && edited.length > 1) edited.splice(at, 1);
            else if (edit === 'repeat') edited.splice(more % edited.length, 0, one);
            else if (edit === 'cut') edited[at] = { ...one, line: one.line.slice(0, more % one.line.length) };
            else edited[at] = { ...one, agentId: edited[more % edited.length]?.agentId ?? null };
          }
          const session = read(edited);
          expect(inspectDocument.safeParse(report(session)).error).toBeUndefined();
          told(session);
        },
      ),
    );
  });

  test('[PARSE-6] [ENTRY-1] any values in any fields give a valid report and a conversation', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(
        null,
        -1,
        1.5,
        1e308,
        '',
        '__proto__',
        'constructor',
        'toString',
        true,
        [],
        {},
        '<task-notification>',
        '2026-13-45T99:99:99Z',
      ),
    );
    fc.assert(
      fc.property(
        anyScenario,
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        fc.array(value, { minLength: 1, maxLength: 8 }),
        (scenario, seeds, values) => {
          const lines = realLines(scenario);
          const session = read(
            lines.map((one, i) => ({
              ...one,
              line: mutated(
                one.line,
                seeds.map((seed) => seed + i * 31),
                values,
              ),
            })),
          );
          expect(inspectDocument.safeParse(report(session)).error).toBeUndefined();
          told(session);
        },
      ),
    );
  });
});
