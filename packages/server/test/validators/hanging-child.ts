import { serveJob } from '../../src/validators/child-process.ts';
import { createPrograms } from '../../src/validators/programs.ts';

// A process that checks, whose only method asks a program of the folder that it is given.
const [, , folder = ''] = process.argv;
const FOR_EVER = 3_600_000;
serveJob(async (_, tell) => {
  const programs = createPrograms([folder], (pid, isOver) => tell({ kind: 'group', pid, isOver }));
  await programs.run('systemctl', [], { signal: new AbortController().signal, timeout: FOR_EVER });
});
