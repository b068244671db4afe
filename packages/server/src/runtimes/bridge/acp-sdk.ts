import { importFolder, type ForeignPackage } from '../../launches/foreign-package.ts';

export const ACP_SDK: ForeignPackage = {
  name: '@agentclientprotocol/sdk',
  variable: 'YARNBOARD_ACP_SDK',
  title: 'the SDK of the Agent Client Protocol',
  neededBy: 'runtimes of the kind "acp"',
};

/** The part of the Agent Client Protocol SDK that we use. Yarnboard never installs the SDK, so its own types aren't available. */
export type AcpSdk = {
  readonly PROTOCOL_VERSION: number;
  readonly ndJsonStream: (output: WritableStream<Uint8Array>, input: ReadableStream<Uint8Array>) => AcpStream;
  readonly client: (about: { readonly name: string }) => AcpClient;
};

type AcpStream = { readonly readable: unknown; readonly writable: unknown };

type AcpClient = {
  readonly onRequest: (method: string, handle: (about: { readonly params: unknown; readonly signal: AbortSignal }) => Promise<unknown>) => AcpClient;
  readonly onNotification: (method: string, handle: (about: { readonly params: unknown }) => void) => AcpClient;
  readonly connect: (stream: AcpStream) => { readonly agent: AcpAgent };
};

/** The agent at the other end. Its answers are untrusted; the caller parses them. */
export type AcpAgent = {
  readonly request: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string, params: object) => Promise<void>;
};

export const loadAcp = async (folder: string): Promise<AcpSdk> => {
  const { exports, file } = await importFolder(folder);
  if (typeof exports['client'] !== 'function' || typeof exports['ndJsonStream'] !== 'function')
    throw new Error(`${file} is another version of the SDK than Yarnboard knows; install @agentclientprotocol/sdk 2.4 or newer`);
  return exports as AcpSdk; // foreign code: the parts we use were checked
};
