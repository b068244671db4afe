import { spoolOf } from '@yarnboard/server/spool';
import type { Io } from '../io.ts';
import { readArguments } from '../launch/arguments.ts';
import { launch, runAlone } from '../launch/launcher.ts';
import { ownWords } from '../launch/own-command.ts';
import { findClaude } from '../launch/program.ts';

/** `yarnboard claude`: the user's own `claude`, as if Yarnboard weren't there; its sessions are followed. */
export const claude = async (args: readonly string[], io: Io): Promise<number> => {
  const own = process.argv[1] ?? '';
  const program = findClaude(io, own);
  const asked = readArguments(args);
  const cwd = process.cwd();
  if (asked.isChore) return runAlone({ program, args, cwd, env: io.env, now: io.now });
  const hookCommand = ownWords('hook');
  return launch({ program, args, asked, spool: spoolOf({ env: io.env, home: io.home }), cwd, hookCommand, io });
};
