import { readdirSync, statSync, watch, type FSWatcher, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { identityOf } from './bytes.ts';
import { reasonOf } from '../home/reason.ts';

export type WatchOptions = {
  /** A path was written, created, renamed or removed. Only a hint. */
  readonly onChange: (path: string) => void;
  readonly onTrouble: (path: string, why: string) => void;
  /** How the system watches a folder. */
  readonly watch?: typeof watch;
};

/** Watches whole trees. The next sweep finds what it misses: it only affects speed. */
export class TreeWatcher {
  readonly #options: WatchOptions;
  readonly #watchers = new Map<string, { readonly identity: string; readonly watcher: FSWatcher }>();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Watches a folder and all folders in it; one that is watched already, or doesn't exist, is ignored. */
  add(folder: string): void {
    const found = statOf(folder);
    if (found === null || !found.isDirectory()) return;
    // If the system can watch trees, one watcher is enough; on Linux, Node would create one per file.
    if (RECURSIVE) this.#watch(folder, found, true);
    else this.#addTree(folder, found);
  }

  /** Watches a folder without its subfolders. */
  addFolder(folder: string): void {
    const found = statOf(folder);
    if (found?.isDirectory() === true) this.#watch(folder, found, false);
  }

  get size(): number {
    return this.#watchers.size;
  }

  close(): void {
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #addTree(folder: string, found: Stats): void {
    if (!this.#watch(folder, found, false)) return;
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const below = entry.isDirectory() ? statOf(join(folder, entry.name)) : null;
        if (below !== null) this.#addTree(join(folder, entry.name), below);
      }
    } catch (cause) {
      this.#options.onTrouble(folder, reasonOf(cause));
    }
  }

  #watch(folder: string, found: Stats, recursive: boolean): boolean {
    const identity = identityOf(found);
    const known = this.#watchers.get(folder);
    if (known?.identity === identity) return true;
    this.#drop(folder); // recreated under the same name: the old watcher is deaf
    try {
      const watcher = (this.#options.watch ?? watch)(folder, { recursive, persistent: true }, (_, name) => {
        if (name === basename(folder)) this.#renew(folder, recursive);
        if (name !== null) this.#changed(join(folder, name), recursive);
      });
      watcher.on('error', (cause) => {
        this.#drop(folder);
        this.#options.onTrouble(folder, reasonOf(cause));
      });
      this.#watchers.set(folder, { identity, watcher });
      return true;
    } catch (cause) {
      // Most likely the system's limit of watched folders: the sweep still covers it.
      this.#options.onTrouble(folder, reasonOf(cause));
      return false;
    }
  }

  // A watcher's last event has the folder's own name: the folder is gone. A new one with that name may exist, even with the same inode.
  #renew(folder: string, recursive: boolean): void {
    this.#drop(folder);
    if (recursive) this.add(folder);
    else this.#changed(folder, false);
  }

  #changed(path: string, recursive: boolean): void {
    const found = statOf(path);
    if (found === null) this.#drop(path);
    else if (found.isDirectory() && !recursive) {
      this.#addTree(path, found);
      // Files created before the watcher was there.
      for (const file of filesBelow(path)) this.#options.onChange(file);
    } else this.#options.onChange(path);
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }
}

// Null also for anything that can't be examined, such as a link to itself: a hint must not end the process.
const statOf = (path: string): Stats | null => {
  try {
    return statSync(path);
  } catch {
    return null;
  }
};

const filesBelow = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
  } catch {
    return []; // gone again, or not readable: the sweep reports it
  }
};

const RECURSIVE = process.platform === 'darwin' || process.platform === 'win32';
