import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { resumeCommand } from '@yarnboard/transcript';
import { describe, expect, test } from 'vitest';

const ID = 'a11c0de5-0000-4000-8000-000000000001';

/** What a shell makes of commands: the arguments of `cd` and of `claude`, nothing of which is done. */
const readBy = (commands: readonly string[]): readonly string[] => {
  const tell = (name: string): string => `${name}() { printf '%s\\0' ${name} "$@"; }`;
  const script = [tell('cd'), tell('claude'), ...commands].join('\n');
  // As bytes: a path need not be text that ends well.
  return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } })
    .split('\0')
    .slice(0, -1);
};

describe('the command that resumes a session', () => {
  test('[LAUNCH-18] goes to the folder first, and is plain where the folder is', () => {
    expect(resumeCommand(ID, '/home/dev/shop')).toBe(`cd /home/dev/shop && claude --resume ${ID}`);
    expect(resumeCommand(ID, '/home/dev/my shop')).toBe(`cd '/home/dev/my shop' && claude --resume ${ID}`);
    expect(resumeCommand(ID, "/home/dev/ada's")).toBe(`cd '/home/dev/ada'\\''s' && claude --resume ${ID}`);
    expect(resumeCommand(ID, 'C:\\Users\\ada')).toBe(`cd 'C:\\Users\\ada' && claude --resume ${ID}`);
    expect([resumeCommand(ID, null), resumeCommand(ID, '')]).toEqual([`claude --resume ${ID}`, `claude --resume ${ID}`]);
  });

  test('[LAUNCH-18] is two commands with one word each to a shell, whatever the folder and the session are called', () => {
    const sign = fc.oneof(
      fc.constantFrom(...` '"\\$\`!*?~#&;|<>(){}[]\n\r\t\u001b\u007f\u009b-.`.split(''), 'ü', '界', '😀'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    );
    const name = fc.array(sign, { minLength: 1, maxLength: 12 }).map((signs) => signs.join('').replaceAll('\0', ''));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 20 }), (named) => {
        const places = named.map(([folder, id]) => ({ folder: `/${folder}`, id: id === '' ? 'x' : id }));
        const commands = places.map(({ folder, id }) => resumeCommand(id, folder));
        expect(readBy(commands)).toEqual(places.flatMap(({ folder, id }) => ['cd', folder, 'claude', '--resume', id]));
        // What is pasted is one line, and presses no keys.
        for (const command of commands) expect(command).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 60 },
    );
  });

  test('[LAUNCH-18] a folder that looks like an option is none', () => {
    expect(readBy([resumeCommand(ID, '-'), resumeCommand(ID, '-P x')])).toEqual(
      [
        ['cd', '--', './-', 'claude', '--resume', ID],
        ['cd', '--', './-P x', 'claude', '--resume', ID],
      ].flat(),
    );
  });
});
