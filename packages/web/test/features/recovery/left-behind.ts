import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PendingWrite } from '@yarnboard/domain';
import type { Home } from '@yarnboard/server';
import { afterFile } from '../../../../../tests/afterwards.ts';
import { connectAs } from '../home/connection.ts';
import { leftHome, queued } from '../../../../../tests/web/left-home.ts';

export { CACHE } from '../../../../../tests/web/left-home.ts';

export const said = (n: number, content: string, sidebar = 'SB-1'): PendingWrite => ({
  ...queued(n, { type: 'chat.say', sidebar, content }, `says: ${content}`),
  context: sidebar,
});

/** A home whose server was killed while these waited for its log, with one sidebar. */
export const leftBehind = async (pendingWrites: readonly PendingWrite[]): Promise<Home> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-left-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return leftHome(folder, {
    pendingWrites,
    notes: ['<img src=x onerror=alert(1)> was noted'],
    spawn: async ({ url, token }) => {
      const live = connectAs(url, token);
      await live.ask('sidebar_spawn', { parentId: null, taskDescription: 'why is login slow?' });
      live.close();
    },
  });
};
