import { err, ok, type Result } from '@yarnboard/domain';
import * as z from 'zod';

/** The SDK's names; `bypassPermissions` never asks. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

export const RUNTIME_KINDS = ['stdio', 'openai', 'claude-sdk', 'claude-cli', 'acp'] as const;
export type RuntimeKind = (typeof RUNTIME_KINDS)[number];

/** Whether seats of this kind are runs. */
export const isClaudeKind = (kind: RuntimeKind): boolean => kind === 'claude-sdk' || kind === 'claude-cli';

/** RT-10: the limits of a runtime's agents, per sidebar, unless the operator grants more. Times in milliseconds. */
export type SeatLimits = {
  readonly turns: number;
  readonly tokens: number;
  readonly usd: number;
  readonly usdPerDay: number;
  /** For all agents together, whatever their runtime. */
  readonly boardUsdPerDay: number;
  /** How long its program may take to become ready. */
  readonly startTime: number;
  readonly turnTime: number;
  readonly silence: number;
  /** Consecutive agent turns without a result. */
  readonly turnsInARow: number;
};

export const SEAT_LIMITS: SeatLimits = {
  turns: 50,
  tokens: 2_000_000,
  usd: 5,
  usdPerDay: 20,
  boardUsdPerDay: 50,
  startTime: 2 * 60_000,
  turnTime: 15 * 60_000,
  silence: 5 * 60_000,
  turnsInARow: 12,
};

/** A runtime as defined by the operator in `settings.json`. No door can add or change one. */
export type RuntimeSettings = {
  readonly name: string;
  readonly kind: RuntimeKind;
  /** The program and its arguments; never a shell. */
  readonly command: readonly string[];
  /** The protocol of a `stdio` program: our JSON lines, or MCP with us as its server. */
  readonly speaks: 'json-lines' | 'mcp';
  readonly url: string | null;
  readonly model: string | null;
  readonly key: { readonly from: 'environment' | 'file'; readonly name: string } | null;
  /** Where its seats may work; they start in the first. */
  readonly directories: readonly string[];
  /** Environment variables of the server that its programs receive, beyond the few that all programs receive. */
  readonly environment: readonly string[];
  readonly hasTools: boolean;
  /** What its agents may do without asking, as Claude Code calls it; null for its default. */
  readonly permissionMode: (typeof PERMISSION_MODES)[number] | null;
  /** Whether its seats use the user's own Claude Code settings: servers, hooks, memory. */
  readonly hasUserSettings: boolean;
  readonly limits: SeatLimits;
};

/** Reads `runtimes` of the settings; an error names the runtime and the reason. */
export const readRuntimes = (given: unknown): Result<readonly RuntimeSettings[], string> => {
  if (given === undefined) return ok([]);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return err('"runtimes" must be an object: a name, and what runs under it');
  const runtimes: RuntimeSettings[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!/^[\w-]{1,50}$/u.test(name)) return err(`"runtimes": "${name.slice(0, 60)}" is not a valid name; use letters, digits, - and _`);
    const read = runtime.safeParse(value);
    if (!read.success) {
      const [issue] = read.error.issues;
      const field = issue?.path.join('.') ?? '';
      return err(`"runtimes.${name}${field === '' ? '' : `.${field}`}": ${issue?.message ?? 'not understood'}`);
    }
    const made = runtimeOf(name, read.data);
    if (!made.ok) return err(`"runtimes.${name}": ${made.error}`);
    runtimes.push(made.value);
  }
  return ok(runtimes);
};

const runtimeOf = (name: string, wire: z.output<typeof runtime>): Result<RuntimeSettings, string> => {
  const { kind, command = [], url = null, model = null, key_env: keyEnv, key_file: keyFile, directories, environment, tools, limits = {} } = wire;
  const isClaude = isClaudeKind(kind);
  const hasProgram = kind === 'stdio' || kind === 'acp';
  if (hasProgram && command.length === 0) return err('a program is missing: "command" must be a list with the program and its arguments');
  if (kind !== 'stdio' && wire.speaks !== undefined) return err('"speaks" is for runtimes of the kind "stdio"');
  if (kind === 'openai' && url === null) return err('"url" is missing: where the endpoint is, for example http://127.0.0.1:11434/v1');
  if (kind === 'openai' && model === null) return err('"model" is missing');
  if (!isClaude && (wire.permission_mode !== undefined || wire.user_settings !== undefined))
    return err('"permission_mode" and "user_settings" are for runtimes of Claude');
  if (isClaude && (wire.command !== undefined || url !== null)) return err('a runtime of Claude has neither "command" nor "url"');
  if (keyEnv !== undefined && keyFile !== undefined) return err('give "key_env" or "key_file", not both');
  const key =
    keyEnv !== undefined
      ? ({ from: 'environment', name: keyEnv } as const)
      : keyFile !== undefined
        ? ({ from: 'file', name: keyFile } as const)
        : null;
  return ok({
    name,
    kind,
    command,
    speaks: wire.speaks ?? 'json-lines',
    url,
    model,
    key,
    directories,
    environment,
    hasTools: tools,
    permissionMode: wire.permission_mode ?? null,
    hasUserSettings: wire.user_settings ?? false,
    limits: {
      turns: limits.turns ?? SEAT_LIMITS.turns,
      tokens: limits.tokens ?? SEAT_LIMITS.tokens,
      usd: limits.usd ?? SEAT_LIMITS.usd,
      usdPerDay: limits.usd_per_day ?? SEAT_LIMITS.usdPerDay,
      boardUsdPerDay: SEAT_LIMITS.boardUsdPerDay,
      startTime: limits.start_minutes === undefined ? SEAT_LIMITS.startTime : limits.start_minutes * 60_000,
      turnTime: limits.turn_minutes === undefined ? SEAT_LIMITS.turnTime : limits.turn_minutes * 60_000,
      silence: limits.silence_minutes === undefined ? SEAT_LIMITS.silence : limits.silence_minutes * 60_000,
      turnsInARow: limits.turns_in_a_row ?? SEAT_LIMITS.turnsInARow,
    },
  });
};

/** Limits for all agents of the board together. */
export type AgentsSettings = { readonly usdPerDay: number; readonly turnsAtOnce: number; readonly processes: number };

export const AGENTS_SETTINGS: AgentsSettings = { usdPerDay: SEAT_LIMITS.boardUsdPerDay, turnsAtOnce: 4, processes: 8 };

/** Reads `agents` of the settings. */
export const readAgents = (given: unknown): Result<AgentsSettings, string> => {
  const read = agents.safeParse(given ?? {});
  if (!read.success) {
    const [issue] = read.error.issues;
    return err(`"${['agents', ...(issue?.path ?? [])].join('.')}": ${issue?.message ?? 'not understood'}`);
  }
  const { usd_per_day: usdPerDay, turns_at_once: turnsAtOnce, processes } = read.data;
  return ok({
    usdPerDay: usdPerDay ?? AGENTS_SETTINGS.usdPerDay,
    turnsAtOnce: turnsAtOnce ?? AGENTS_SETTINGS.turnsAtOnce,
    processes: processes ?? AGENTS_SETTINGS.processes,
  });
};

const text = z.string().min(1).max(4096);
const amount = z.number().positive().max(1e12);

const agents = z.strictObject({
  usd_per_day: amount.optional(),
  turns_at_once: amount.int().max(1000).optional(),
  processes: amount.int().max(1000).optional(),
});

const runtime = z.strictObject({
  kind: z.enum(RUNTIME_KINDS),
  command: z.array(text).min(1).max(200).optional(),
  speaks: z.enum(['json-lines', 'mcp']).optional(),
  url: z.url({ protocol: /^https?$/u }).optional(),
  model: z.string().min(1).max(200).optional(),
  key_env: z.string().regex(/^\w+$/u, 'must be the name of an environment variable').optional(),
  key_file: text.optional(),
  directories: z.array(text).max(100).default([]),
  environment: z.array(z.string().regex(/^\w+$/u)).max(100).default([]),
  tools: z.boolean().default(true),
  permission_mode: z.enum(PERMISSION_MODES).optional(),
  user_settings: z.boolean().optional(),
  limits: z
    .strictObject({
      turns: amount.int().optional(),
      tokens: amount.int().optional(),
      usd: amount.optional(),
      usd_per_day: amount.optional(),
      start_minutes: amount.max(1440).optional(),
      turn_minutes: amount.max(1440).optional(),
      silence_minutes: amount.max(1440).optional(),
      turns_in_a_row: amount.int().max(1000).optional(),
    })
    .optional(),
});
