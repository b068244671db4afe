import { REGISTRY, type OperationName } from '../registry/registry.ts';
import type { Operation } from '../operation.ts';

/** Flags that are clearer in a terminal than the input's name. */
export const TERMINAL_ALIASES: Readonly<Partial<Record<OperationName, Readonly<Record<string, string>>>>> = { sidebar_spawn: { from: 'parent_id' } };

/** CLI-34: flags that explicitly set an input to null. */
export const TERMINAL_NONE: Readonly<Partial<Record<OperationName, Readonly<Record<string, string>>>>> = { sidebar_spawn: { root: 'parent_id' } };

/** What follows `yarnboard` for an operation; null if no command does it. */
export const terminalLine = (name: OperationName): string | null => {
  const { terminal }: Operation = REGISTRY[name];
  return terminal?.words.join(' ') ?? OTHER_COMMANDS[name] ?? null;
};

/** An input as the command takes it: its flag, or its word in the usage; null if the command has no such input. */
export const terminalInput = (asked: OperationName | null, name: string): string | null => {
  const operation: Operation | null = asked === null ? null : REGISTRY[asked];
  const [head = name, ...rest] = name.split('.');
  if (asked === null || operation?.terminal === undefined || !Object.hasOwn(operation.input.shape, head)) return null;
  const alias = Object.entries(TERMINAL_ALIASES[asked] ?? {}).find(([, meant]) => meant === head)?.[0];
  const shown = operation.terminal.given.includes(head) ? flagOf(head).toUpperCase() : `--${alias ?? flagOf(head)}`;
  return [shown, ...rest].join(' ');
};

export const flagOf = (name: string): string => name.replaceAll('_', '-');

/** Commands that do more than one operation, and so have no words in the registry. */
const OTHER_COMMANDS: Readonly<Partial<Record<OperationName, string>>> = { status: 'status', verify: 'verify' };
