import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json, JsonObject } from '@yarnboard/transcript';

/** As much of the Agent SDK as is used here. It is never installed with Yarnboard, so its own types are not at hand. */
export type Sdk = { readonly query: (task: { readonly prompt: AsyncIterable<SdkPrompt>; readonly options: SdkOptions }) => SdkQuery };

/** Messages come out of it as they are made; what they look like is read in `sdk-message`. */
export type SdkQuery = AsyncIterable<unknown> & { readonly interrupt: () => Promise<unknown> };

export type SdkPrompt = JsonObject;

export type SdkOptions = {
  readonly cwd: string;
  /** All of the environment: the SDK adds nothing of ours to it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly abortController: AbortController;
  readonly canUseTool?: CanUseTool;
  readonly stderr: (text: string) => void;
  readonly systemPrompt: { readonly type: 'preset'; readonly preset: 'claude_code'; readonly append?: string };
  readonly settingSources: readonly ('user' | 'project' | 'local')[];
  readonly forwardSubagentText: true;
  readonly sessionId?: string;
  readonly resume?: string;
  readonly forkSession?: true;
  readonly resumeSessionAt?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly allowDangerouslySkipPermissions?: true;
  readonly maxTurns?: number;
  readonly settings?: JsonObject;
  /** Servers that run in here: their messages go through the SDK, so that no token has to leave. */
  readonly mcpServers?: Readonly<Record<string, { readonly type: 'sdk'; readonly name: string; readonly instance: SdkTools }>>;
  /** No other server than these. */
  readonly strictMcpConfig?: boolean;
};

/** What speaks MCP on our side. */
export type SdkTools = { readonly connect: (transport: SdkTransport) => Promise<void> };

/** The other end of it, as the SDK and every MCP library make it. */
export type SdkTransport = {
  readonly start: () => Promise<void>;
  readonly send: (message: JsonObject) => Promise<void>;
  readonly close: () => Promise<void>;
  onmessage?: (message: JsonObject) => void;
  onclose?: () => void;
  onerror?: (cause: Error) => void;
};

export type CanUseTool = (
  tool: string,
  input: JsonObject,
  about: {
    readonly signal: AbortSignal;
    readonly toolUseID?: string;
    readonly requestId?: string;
    readonly agentID?: string;
    readonly suggestions?: readonly Json[];
    readonly title?: string;
    readonly description?: string;
  },
) => Promise<PermissionResult>;

export type PermissionResult =
  | { readonly behavior: 'allow'; readonly updatedInput: JsonObject }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: true };

/** Where the SDK may be. */
export type SdkPlaces = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the board. */
  readonly home: string;
  /** A file of the program that runs. */
  readonly program: string;
};

export type FoundSdk =
  { readonly ok: true; readonly sdk: Sdk; readonly folder: string; readonly version: string | null } | { readonly ok: false; readonly why: string };

export type LoadSdk = () => Promise<FoundSdk>;

/** RUN-9: loads the SDK when it is needed, from where the user put it. Never from the directory of the run: its code is anybody's, and would run in here. */
export const loadSdk = async ({ env, home, program }: SdkPlaces): Promise<FoundSdk> => {
  const { folder, isNamed } = sdkFolder({ env, home, program });
  if (folder === undefined) return { ok: false, why: missingIn(home) };
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest; // of a package we do not know: every field is looked at
    const file = join(folder, entryOf(manifest));
    const loaded = (await import(pathToFileURL(file).href)) as Partial<Sdk>; // foreign: what is used of it is looked for
    const { query } = loaded;
    if (typeof query !== 'function') return { ok: false, why: `${file} has no function "query"; ${repairOf(home, isNamed)}` };
    return { ok: true, sdk: { query }, folder, version: typeof manifest.version === 'string' ? manifest.version : null };
  } catch (cause) {
    return {
      ok: false,
      why: `the Agent SDK in ${folder} cannot be loaded (${cause instanceof Error ? cause.message : String(cause)}); ${repairOf(home, isNamed)}`,
    };
  }
};

/** Why there is no SDK to load; null when there is one. Whether it can be loaded is known when it is. */
export const sdkProblem = (places: SdkPlaces): string | null => {
  const { folder } = sdkFolder(places);
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? null : missingIn(places.home);
};

const sdkFolder = ({ env, home, program }: SdkPlaces): { readonly folder: string | undefined; readonly isNamed: boolean } => {
  const named = env[VARIABLE];
  if (named !== undefined && named !== '') return { folder: resolve(named), isNamed: true };
  const places = [join(home, 'node_modules', PACKAGE), ...above(dirname(program))];
  return { folder: places.find((place) => existsSync(join(place, 'package.json'))), isNamed: false };
};

const missingIn = (home: string): string =>
  `remote runs need ${PACKAGE}, which is not installed with Yarnboard; run "npm install --prefix ${quoted(home)} ${PACKAGE}", or set ${VARIABLE} to the folder of the package`;

type Manifest = { readonly version?: unknown; readonly main?: unknown; readonly exports?: unknown };

const entryOf = ({ main, exports }: Manifest): string => {
  const whole = isObject(exports) ? exports['.'] : exports;
  const entry = isObject(whole) ? (whole['import'] ?? whole['default']) : whole;
  if (typeof entry === 'string') return entry;
  return typeof main === 'string' ? main : 'sdk.mjs';
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const repairOf = (home: string, isNamed: boolean): string =>
  isNamed ? `set ${VARIABLE} to the folder of ${PACKAGE}, or unset it` : `install it again with "npm install --prefix ${quoted(home)} ${PACKAGE}"`;

/** Where Node would look for it from a folder. */
const above = (folder: string): readonly string[] => {
  const places: string[] = [];
  for (let at = resolve(folder); ; at = dirname(at)) {
    places.push(join(at, 'node_modules', PACKAGE));
    if (dirname(at) === at) return places;
  }
};

const quoted = (path: string): string => (/^[\w./-]+$/u.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`);

const PACKAGE = '@anthropic-ai/claude-agent-sdk';
const VARIABLE = 'YARNBOARD_AGENT_SDK';
