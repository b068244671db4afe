import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { settingsIn, SETTINGS } from './arguments.ts';

export type HookOptions = {
  readonly command: string;
  readonly cwd: string;
  /** Stores a copy that nobody else can read, and returns its path. */
  readonly keep: (ordinal: number, text: string) => string;
  readonly onTrouble: (text: string) => void;
};

/**
 * LAUNCH-3: the arguments with our hook added to the settings. If the user gives settings, ours go into a copy of them: of two, some versions use the
 * first, others the last.
 */
export const withHook = (args: readonly string[], { command, cwd, keep, onTrouble }: HookOptions): readonly string[] => {
  const given = settingsIn(args);
  const plain = JSON.stringify(addHooks({}, command, EVENTS));
  if (given.length === 0) return [SETTINGS, keep(1, plain), ...args];
  const changed = [...args];
  given.forEach(({ at, isOneWord, value }, index) => {
    const settings = readSettings(value, cwd);
    const merged = settings === null ? null : addHooks(settings, command, EVENTS);
    if (merged === null) {
      onTrouble(`cannot add a hook to the settings "${value.slice(0, 200)}", so this session is not followed when it changes`);
      return;
    }
    const path = keep(index + 1, JSON.stringify(merged));
    if (isOneWord) changed[at] = `${SETTINGS}=${path}`;
    else changed[at + 1] = path;
  });
  return changed;
};

type Settings = Readonly<Record<string, unknown>>;

/** Null for settings that `claude` will refuse anyway, in its own words. */
const readSettings = (value: string, cwd: string): Settings | null => {
  const text = value.trim();
  try {
    if (text.startsWith('{')) return objectOf(JSON.parse(text));
    const path = resolve(cwd, value);
    const settings = objectOf(JSON.parse(readFileSync(path, 'utf8')));
    return settings === null ? null : withoutRelativeRules(settings, dirname(path));
  } catch {
    return null;
  }
};

/** What to paste into Claude Code's settings, so that sessions not launched with us hear what concerns them, too. */
export const pasteableSettings = (command: string): string => JSON.stringify(addHooks({}, command, TELLING_EVENTS), null, 2);

const addHooks = (settings: Settings, command: string, events: readonly string[]): Settings | null => {
  const hooks = settings['hooks'] === undefined ? {} : objectOf(settings['hooks']);
  if (hooks === null) return null;
  const added = events.map((event): [string, unknown] => {
    const there = hooks[event] ?? [];
    return [event, Array.isArray(there) ? [...(there as readonly unknown[]), { hooks: [{ type: 'command', command, timeout: TIMEOUT }] }] : null];
  });
  if (added.some(([, list]) => list === null)) return null;
  return { ...settings, hooks: { ...hooks, ...Object.fromEntries(added) } };
};

// `Edit(/src/**)` is relative to the settings' own folder: a copy elsewhere needs the full path.
const withoutRelativeRules = (settings: Settings, folder: string): Settings => {
  const permissions = objectOf(settings['permissions']);
  if (permissions === null) return settings;
  const absolute = (rule: unknown): unknown =>
    typeof rule === 'string'
      ? rule.replace(/^(Read|Edit|Write|MultiEdit|NotebookEdit|NotebookRead|Glob|Grep|LS)\(\/(?!\/)/u, (_, tool: string) => `${tool}(/${folder}/`)
      : rule;
  const lists = Object.entries(permissions).map(([key, list]) => [key, Array.isArray(list) ? (list as readonly unknown[]).map(absolute) : list]);
  return { ...settings, permissions: Object.fromEntries(lists) as Settings }; // the same keys
};

const objectOf = (value: unknown): Settings | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : null; // a JSON object

/** The events at which Claude Code reads a hook's output. */
const TELLING_EVENTS = ['SessionStart', 'UserPromptSubmit'] as const;
const EVENTS = ['SessionStart', 'SessionEnd', 'UserPromptSubmit'] as const;
/** In seconds; how long Claude Code waits for it. */
const TIMEOUT = 10;
