import * as fc from 'fast-check';
import { expect } from 'vitest';
import { at, prompt, record, reply, result, text, use } from './reading.ts';

const kinds = [
  'prompt',
  'prompt',
  'reply',
  'reply',
  'reply',
  'result',
  'result',
  'attachment',
  'progress',
  'system',
  'boundary',
  'summary',
  'synthetic',
  'command',
  'new-kind',
  'fresh',
] as const;
const rows = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    parent: fc.integer({ min: -2, max: 30 }),
    near: fc.integer({ min: 0, max: 3 }),
    id: fc.nat({ max: 3 }),
    tool: fc.nat({ max: 3 }),
    side: fc.nat({ max: 9 }),
    twin: fc.boolean(),
  }),
  { maxLength: 30 },
);

/** Records of every kind that share few message ids, tool ids, words and instants, and hang on each other in any order. */
export const anyRecords = rows.map((all) =>
  all.map(({ kind, parent, near, id, tool, side, twin }, i) => {
    const above = parent === -1 ? null : parent === -2 ? 'gone' : parent > 8 ? `n${Math.max(0, i - 1 - near)}` : `n${parent}`;
    const more = {
      ...(side === 2 ? { teamName: 'team' } : {}),
      isSidechain: side === 0,
      uuid: twin && side === 1 ? 'n0' : `n${i}`,
      parentUuid: i === 0 && parent >= 0 ? null : above,
    };
    switch (kind) {
      case 'prompt':
        return prompt('', null, `words ${id}`, { ...more, ...at(tool) });
      case 'reply':
        return reply(
          '',
          null,
          `m${id}`,
          twin ? [use(`t${tool}`)] : [text('x')],
          id === 3 ? { ...more, message: { content: [use(`t${tool}`)] } } : more,
        );
      case 'result':
        return result('', null, tool === 3 ? `t${id}` : `t${tool}`, twin ? 'done' : 'Async agent launched', more);
      case 'boundary':
        return record({ type: 'system', subtype: 'compact_boundary', logicalParentUuid: `n${tool * 5}`, ...more, parentUuid: null });
      case 'summary':
        return prompt('', null, 'x', { isCompactSummary: true, ...more });
      case 'synthetic':
        return reply('', null, `m${id}`, [], { isApiErrorMessage: true, ...more });
      case 'command':
        return prompt('', null, '<command-name>/model</command-name>', more);
      case 'fresh':
        return record({
          type: 'progress',
          data: { hookEvent: 'SessionStart', hookName: 'SessionStart:clear' },
          ...more,
          parentUuid: null,
          ...at(tool),
        });
      case 'attachment':
      case 'progress':
      case 'system':
      case 'new-kind':
        return record({ type: kind, ...more });
      default:
        return expect.unreachable(`no such kind: ${String(kind satisfies never)}`);
    }
  }),
);
