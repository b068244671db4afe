import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { author } from '../../../../../tests/web/transcripts.ts';

export const SESSION = '5e551011-0000-4000-8000-000000000001';
export const LONG = 'A sentence that is said again and again. '.repeat(200);

/** A session that has one of everything. */
export const writeSession = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-session-'));
  const session = author({ folder, sessionId: SESSION, cwd: '/home/dev/loom', startsAt: Date.parse('2026-01-01T10:00:00Z'), pace: 1000 });
  const { main } = session;
  main.asks('Weave a basket; see MSG-1.');
  main.says('I **begin** with the rim.', { thinking: 'Willow or reed?' });
  main.uses('Read', { ['file_path']: '/home/dev/loom/rim.ts' }, { text: '     1\tconst rim = 1;\n     2\tconst reed = 2;' });
  main.uses('Edit', { ['file_path']: '/home/dev/loom/rim.ts', ['old_string']: 'rim = 1', ['new_string']: 'rim = 2' }, { text: 'updated' });
  main.uses('Bash', { command: 'npm test', description: 'Tests it' }, { text: '\u001B[31mbroken\u001B[39m', isError: true });
  main.uses('mcp__loom__turn', { by: 3 }, { text: '{"turned":true}' });
  const weaver = session.agent('a0123456789abcdef', { agentType: 'Explore', description: 'Find reed', toolUseId: main.nextUse() });
  main.uses(
    'Task',
    { description: 'Find reed', prompt: 'Where is reed?', ['subagent_type']: 'Explore' },
    { text: 'In the shed.', more: { status: 'completed', agentId: 'a0123456789abcdef' } },
  );
  weaver.asks('Where is reed?');
  weaver.says('In the shed.');
  main.says(LONG);
  main.compacts('The rim is woven.');
  const fork = main.says('What next?');
  main.asks('A lid.', { after: fork });
  main.says('A lid it is.');
  main.asks('A handle.', { after: fork });
  for (let n = 1; n <= 9; n += 1) main.uses('Bash', { command: `bend ${n}` }, { text: `bent ${n}`, ...(n === 8 ? { isError: true } : {}) });
  main.says('Done.');
  session.write();
  return folder;
};

/** A session in which nobody said anything. */
export const SILENT = '5e551011-0000-4000-8000-000000000002';
