import * as fc from 'fast-check';
import { expect } from 'vitest';
import { beside, prompt, reply, result, use } from './reading.ts';

/** Records of a conversation that mostly goes on where it ended: parallel tools, attachments in the chain, now and then a rewind. */
export const lively = fc
  .array(
    fc.record({
      kind: fc.constantFrom('prompt', 'reply', 'words', 'tools', 'result', 'attachment', 'progress', 'last-prompt', 'stub'),
      back: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 8 }) }),
      id: fc.nat({ max: 2 }),
    }),
    { maxLength: 40 },
  )
  .map((rows) => {
    const uuids: string[] = [];
    const open: string[] = [];
    return rows.map(({ kind, back, id }, i) => {
      const parent = uuids.at(-1 - back) ?? null;
      if (kind === 'last-prompt') return { type: kind, leafUuid: parent ?? 'nobody' };
      const uuid = `n${i}`;
      uuids.push(uuid);
      const message = `m${Math.floor(i / (id + 1))}`;
      switch (kind) {
        case 'prompt':
          return prompt(uuid, parent, `words ${i}`);
        case 'reply':
        case 'words':
          return reply(uuid, parent, message);
        case 'tools':
          open.push(`t${i}`);
          return reply(uuid, parent, message, [use(`t${i}`)]);
        case 'result':
          return result(uuid, parent, open.splice(Math.max(0, open.length - 1 - id), 1)[0] ?? 'nobody');
        case 'stub':
          return result(uuid, parent, open.at(-1) ?? 'nobody', 'Async agent launched');
        case 'attachment':
        case 'progress':
          return beside(kind, uuid, parent);
        default:
          return expect.unreachable(`no such kind: ${String(kind satisfies never)}`);
      }
    });
  });
