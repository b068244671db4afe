import { watch, type FSWatcher } from 'node:fs';
import { readControl, type ControlCommand } from '@yarnboard/server/spool';

/** Tells, each once, what the server asks of a launch. */
export const followControl = (folder: string, launchId: string, onCommand: (command: ControlCommand) => void): (() => void) => {
  let last: string | null = null;
  const look = (): void => {
    let command: ControlCommand | null = null;
    try {
      command = readControl(folder, launchId);
    } catch {
      // It cannot be read now: whoever asks hears that nobody answers.
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
    watcher.on('error', () => watcher?.close()); // then there is the timer
  } catch {
    // The system's limit of watchers: the timer sees it, too.
  }
  const timer = setInterval(look, EVERY);
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
};

const EVERY = 500;
