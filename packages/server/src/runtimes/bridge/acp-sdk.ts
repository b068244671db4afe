import { importFolder, type ForeignPackage } from '../../launches/foreign-package.ts';

export const ACP_SDK: ForeignPackage = {
  name: '@agentclientprotocol/sdk',
  variable: 'YARNBOARD_ACP_SDK',
  title: 'the SDK of the Agent Client Protocol',
  neededBy: 'runtimes of the kind "acp"',
};

/** As much of the SDK of the Agent Client Protocol as is used here. It is never installed with Yarnboard, so its own types are not at hand. */
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

/** The agent at the other end. What it answers is foreign, and read by whoever asked. */
export type AcpAgent = {
  readonly request: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string, params: object) => Promise<void>;
};

export const loadAcp = async (folder: string): Promise<AcpSdk> => {
  const { exports, file } = await importFolder(folder);
  if (typeof exports['client'] !== 'function' || typeof exports['ndJsonStream'] !== 'function')
    throw new Error(`${file} is another version of the SDK than Yarnboard knows; install @agentclientprotocol/sdk 2.4 or newer`);
  return exports as AcpSdk; // foreign: what is used of it was looked at
};
