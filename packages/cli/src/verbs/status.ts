import { findServer } from '@yarnboard/server';
import { withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { Refusal } from '../refusal.ts';

/** `yarnboard status`: what the server of this home is doing. Exit code 1 when none runs. */
export const status = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values } = readOptions('status', args, { ...BOARD_OPTIONS, json: { type: 'boolean', default: false } });
  const place = placeOf(values, io);
  const server = await findServer(place.home);
  if (server === null) {
    await io.out(
      values.json
        ? `${toJson({ version: 1, running: false, home: place.home.folder })}\n`
        : `not running (home ${place.home.folder}); \`yarnboard start\` starts it\n`,
    );
    return 1;
  }
  return withBoard(place, io, {}, async ({ call }): Promise<ExitCode> => {
    const told = await call('status', {});
    const progress =
      told.progress !== null && told.state === 'importing' && told.progress.all_bytes > 0
        ? `, ${Math.floor((told.progress.done_bytes / told.progress.all_bytes) * 100)} %`
        : '';
    const lines = [
      `running: ${server.url} (process ${told.pid}, version ${told.version})`,
      `home: ${told.home}`,
      `state: ${told.state}${progress}${told.why === null ? '' : `: ${told.why}`}`,
      `log: ${told.entries.toLocaleString('en')} entries, ${told.indexed.toLocaleString('en')} searchable`,
      ...(told.failing ?? []).map(
        ({ effect, why, remedy, since }) => `problem: ${effect}${since === null ? '' : ` (since ${since})`}: ${why}. ${remedy}`,
      ),
      ...told.troubles.map(({ path, why }) => `trouble: ${path}: ${why}`),
    ];
    await io.out(values.json ? `${toJson({ ...told, running: true, url: server.url })}\n` : `${lines.join('\n')}\n`);
    return 0;
  });
};

/** `yarnboard stop`: stops the server of this home, and waits until it has. */
export const stop = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values } = readOptions('stop', args, BOARD_OPTIONS);
  const place = placeOf(values, io);
  const server = await findServer(place.home);
  if (server === null) {
    await io.out(`not running (home ${place.home.folder})\n`);
    return 0;
  }
  await withBoard(place, io, {}, ({ call }) => call('stop', {}));
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await findServer(place.home)) === null) {
      await io.out('stopped\n');
      return 0;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  throw new Refusal(3, `the server (process ${server.pid}) is still finishing; look again with \`yarnboard status\``);
};
