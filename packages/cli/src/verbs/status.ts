import { findServer } from '@yarnboard/server/entrance';
import { withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { Refusal } from '../refusal.ts';

/** `yarnboard status`: what the server of this home is doing. Exit code 1 if none is running. */
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
      ...(told.emergency === undefined
        ? []
        : [`emergency: ${told.emergency.message}; ${told.emergency.pending_writes} queued, ${told.emergency.conflicts} conflicts`]),
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

/**
 * CLI-35: `yarnboard stop` stops the server of this home, and waits until it has stopped. Connected users are warned some seconds before and can
 * cancel it, unless it is to stop now.
 */
export const stop = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values } = readOptions('stop', args, {
    ...BOARD_OPTIONS,
    in: { type: 'string' },
    now: { type: 'boolean', default: false },
    cancel: { type: 'boolean', default: false },
    message: { type: 'string' },
  });
  const wish = wishOf(values);
  const place = placeOf(values, io);
  const server = await findServer(place.home);
  if (server === null) {
    await io.out(`not running (home ${place.home.folder})\n`);
    return 0;
  }
  const answer = await withBoard(place, io, {}, ({ call }) => call('stop', wish));
  if (!answer.stopping) {
    await io.out('the server keeps running; everyone who was warned hears it\n');
    return 0;
  }
  if (answer.countdown_seconds > 0) {
    const told = answer.connected === 1 ? '1 connection was warned' : `${answer.connected} connections were warned`;
    await io.out(
      `stopping in ${answer.countdown_seconds} s: ${told}; \`yarnboard stop --cancel\` calls it off, \`yarnboard stop --now\` doesn't wait\n`,
    );
  }
  for (let tries = 0; tries < 300 + answer.countdown_seconds * 10; tries += 1) {
    if ((await findServer(place.home)) === null) {
      await io.out('stopped\n');
      return 0;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  throw new Refusal(3, `the server (process ${server.pid}) is still running, or the stop was called off; look again with \`yarnboard status\``);
};

type StopValues = { readonly in?: string | undefined; readonly now: boolean; readonly cancel: boolean; readonly message?: string | undefined };

const wishOf = ({ in: seconds, now, cancel, message }: StopValues) => {
  if ([seconds !== undefined, now, cancel].filter(Boolean).length > 1) throw new Refusal(2, 'stop takes one of --in SECONDS, --now and --cancel');
  if (cancel) return { cancel };
  const countdown = now ? 0 : Number(seconds ?? COUNTDOWN);
  if (!Number.isInteger(countdown) || countdown < 0 || countdown > 3600) {
    throw new Refusal(2, `--in takes whole seconds from 0 to 3600; not "${seconds ?? ''}"`);
  }
  return { countdown_seconds: countdown, if_connected: seconds === undefined, ...(message === undefined ? {} : { message }) };
};

const COUNTDOWN = 10;
