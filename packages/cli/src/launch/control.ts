import { watch, type FSWatcher } from 'node:fs';
import { readControl, type ControlCommand } from '@yarnboard/server/spool';

/** Reports each request of the server to a launch once. */
export const followControl = (folder: string, launchId: string, onCommand: (command: ControlCommand) => void): (() => void) => {
  let last: string | null = null;
  const look = (): void => {
    let command: ControlCommand | null = null;
    try {
      command = readControl(folder, launchId);
    } catch {
      // It can't be read now: the server learns that nobody answers.
    }
    if (command === null || command.nonce === last) return;
    last = command.nonce;
    onCommand(command);
  };
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, (_, name) => {
      if (name?.startsWith(launchId) === true) look();
    });
    watcher.on('error', () => watcher?.close()); // the timer takes over
  } catch {
    // The system's limit of watchers: the timer does the job, too.
  }
  const timer = setInterval(look, EVERY);
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
};

const EVERY = 500;
