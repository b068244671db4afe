import { expect, test } from 'vitest';
import { commandLine } from '../../../src/features/runs/command-line.ts';
import { NO_OPTIONS, runInput, turnsIn } from '../../../src/features/runs/run-input.ts';

test('[PAGE-413] the command for a terminal does what was wished for, whatever the prompt and the folder are called', () => {
  const wish = {
    directory: "/home/ada/it's here",
    resume: null,
    prompt: 'Why $HOME; `rm`?',
    options: { ...NO_OPTIONS, model: 'opus', mode: 'plan' },
  };
  expect(commandLine(wish)).toBe(
    String.raw`cd '/home/ada/it'\''s here' && yarnboard claude --model opus --permission-mode plan 'Why $HOME; ` + "`rm`?'",
  );
  expect(commandLine({ directory: '/w', resume: 'abc', prompt: '-x', options: NO_OPTIONS })).toBe("cd /w && yarnboard claude --resume abc ' -x'");
});

test('[PAGE-412] nothing is given to the server that is as it always is', () => {
  expect(runInput({ ...NO_OPTIONS, model: '  ' })).toEqual({});
  expect(runInput({ model: ' opus ', mode: 'acceptEdits', turns: ' 7 ' })).toEqual({ model: 'opus', permissionMode: 'acceptEdits', maxTurns: 7 });
  expect(['0', '-1', '1.5', 'x', '12345678'].map(turnsIn)).toEqual([null, null, null, null, null]);
});
