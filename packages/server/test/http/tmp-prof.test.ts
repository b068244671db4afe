import { test } from 'vitest';
import { makeBoard, walk, walkMessages } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';
test('x', async () => {
  const many = Array.from({ length: 530 }, (_, i) => use(`t${i}`, 'Read', { ['file_path']: `/f${i}` }));
  const b = await makeBoard({ files: { 'p/11111111-0000-4000-8000-000000000001.jsonl': [prompt('c1', null, 0, 'read everything'), reply('c2', 'c1', 1, [{ type: 'text', text: 'I will' }, ...many]), ...many.map((_, i) => result(`r${i}`, 'c2', 2, `t${i}`, `content ${i}`)), reply('c3', 'c2', 3, 'done')] } });
  const id = '11111111-0000-4000-8000-000000000001';
  for (const [n, f] of Object.entries({ ops500: () => walk(b, 'operations', { id, limit: 500 }), ops7: () => walk(b, 'operations', { id, limit: 7 }), m500: () => walkMessages(b, id, { limit: 500 }), m7: () => walkMessages(b, id, { limit: 7 }), m100: () => walkMessages(b, id, { limit: 100 }) })) { const t = performance.now(); await f(); console.log(n, Math.round(performance.now() - t)); }
}, 100000);
