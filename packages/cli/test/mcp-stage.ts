import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { homeOf, startServer, type RunningServer } from '@yarnboard/server';
import { expect } from 'vitest';
import { afterTest } from '../../../tests/afterwards.ts';
import { connectionOf, type Connection } from '../../server/test/doors/mcp/connections.ts';
import { builtCommand, conversation, folderWith, SESSION, yarnboard } from './terminal.ts';

type Stage = {
  readonly env: Readonly<Record<string, string>>;
  readonly home: ReturnType<typeof homeOf>;
  readonly put: () => Promise<void>;
  readonly connect: (options?: ConnectOptions) => Promise<Connection & { readonly err: () => string }>;
  readonly serve: () => Promise<RunningServer>;
};
type ConnectOptions = { readonly token?: string; readonly era?: '2025' | '2026' };

/** A home with a session beside it, and `yarnboard mcp` as a client starts it. */
export const mcpStage = (words = 'Hello'): Stage => {
  const folder = folderWith({ [`claude/projects/-home-dev-proj/${SESSION}.jsonl`]: conversation(SESSION, words) });
  const env = { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state'), CLAUDE_CONFIG_DIR: join(folder, 'claude') };
  const home = homeOf({ env, home: folder });
  return {
    env,
    home,
    put: async () => {
      expect(await yarnboard(['import'], { env })).toMatchObject({ code: 0, err: '' });
    },
    connect: async ({ token, era = '2025' } = {}) => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [builtCommand(), 'mcp'],
        env: { ...env, ...(token === undefined ? {} : { YARNBOARD_TOKEN: token }) },
        stderr: 'pipe',
      });
      let err = '';
      transport.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
      const client = new Client({ name: 'test', version: '0' }, era === '2026' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
      await client.connect(transport);
      afterTest(() => client.close());
      return { ...connectionOf(client), err: () => err };
    },
    serve: async () => {
      const server = await startServer({
        home,
        settings: { excludedProjects: [], roots: [] },
        roots: [join(folder, 'claude')],
        version: '0',
        programs: null,
        port: 0,
      });
      afterTest(server.close);
      await server.imported;
      await server.drain();
      return server;
    },
  };
};
