import type { Json, JsonObject } from '@yarnboard/transcript';
import { loadPackage, packageProblem, type ForeignPackage, type PackagePlaces } from './foreign-package.ts';

/** The part of the Agent SDK that we use. It does not ship with Yarnboard, so its own types are not available. */
export type Sdk = { readonly query: (task: { readonly prompt: AsyncIterable<SdkPrompt>; readonly options: SdkOptions }) => SdkQuery };

/** Yields messages as they are made; `sdk-message` reads them. */
export type SdkQuery = AsyncIterable<unknown> & { readonly interrupt: () => Promise<unknown> };

export type SdkPrompt = JsonObject;

export type SdkOptions = {
  readonly cwd: string;
  /** The complete environment: the SDK adds none of our variables. */
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
  /** MCP servers that run in this process. Their messages go through the SDK, so no token has to leave. */
  readonly mcpServers?: Readonly<Record<string, { readonly type: 'sdk'; readonly name: string; readonly instance: SdkTools }>>;
  /** Use no MCP servers but these. */
  readonly strictMcpConfig?: boolean;
};

/** Our end of an MCP connection. */
export type SdkTools = { readonly connect: (transport: SdkTransport) => Promise<void> };

/** The other end, as made by the SDK and every MCP library. */
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
  | { readonly behavior: 'allow'; readonly updatedInput: JsonObject; readonly updatedPermissions?: readonly JsonObject[] }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: true };

export type FoundSdk =
  { readonly ok: true; readonly sdk: Sdk; readonly folder: string; readonly version: string | null } | { readonly ok: false; readonly why: string };

export type LoadSdk = () => Promise<FoundSdk>;

/** RUN-9: loads the SDK on demand from where the user put it. */
export const loadSdk = async (places: PackagePlaces): Promise<FoundSdk> => {
  const found = await loadPackage(AGENT_SDK, places, ['query']);
  if (!found.ok) return found;
  const { query } = found.exports as Sdk; // foreign: we checked that it is a function
  return { ok: true, sdk: { query }, folder: found.folder, version: found.version };
};

/** Why the SDK cannot be loaded; null when it was found. */
export const sdkProblem = (places: PackagePlaces): string | null => packageProblem(AGENT_SDK, places);

const AGENT_SDK: ForeignPackage = {
  name: '@anthropic-ai/claude-agent-sdk',
  variable: 'YARNBOARD_AGENT_SDK',
  title: 'the Agent SDK',
  neededBy: 'remote runs',
};
