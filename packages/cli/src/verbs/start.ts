import { existsSync } from 'node:fs';
import { HomeInUse, PortInUse, startServer, type RunningServer } from '@yarnboard/server';
import { findServer, REDIS_ADDRESS, REDIS_URL } from '@yarnboard/server/entrance';
import { createDemoBoard, type DemoBoard } from '../board/demo.ts';
import { BOARD_OPTIONS, placeOf, programsOf, type Place } from '../board/place.ts';
import { patienceIn } from '../board/reach.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { pageFolder } from '../places.ts';
import { megabytes, progressLine } from '../print/progress.ts';
import { Refusal } from '../refusal.ts';
import { VERSION } from '../version.ts';

const DEFAULT_PORT = 4747;

/** `yarnboard start`: imports, watches and serves until it is stopped. */
export const start = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('start', args, {
    ...BOARD_OPTIONS,
    port: { type: 'string' },
    'no-open': { type: 'boolean', default: false },
    redis: { type: 'string' },
    root: { type: 'string', multiple: true },
  });
  if (positionals.length > 0)
    throw new Refusal(2, `start takes no "${positionals[0] ?? ''}"; \`yarnboard import PATH\` reads files once, --root FOLDER watches one more`);
  const place = withRedis(withRoots(placeOf(values, io), values.root ?? []), values.redis);
  const bar = progressLine(io, 'importing');
  const stop = new AbortController();
  const port = portFrom(values.port);
  // Before anything is opened: an early signal must not end it half-way.
  const stopped = io.untilStopped(stop.signal);
  const demo = createDemoBoard(io, faultsTo(io));
  const server = await serve(place, port, io, bar, { onStop: () => stop.abort(), ...(values.demo ? {} : { openDemo: demo.open }) });
  await io.out(
    `Yarnboard ${VERSION} on ${server.url}\nhome: ${place.home.folder}\nreading: ${place.roots.join(', ') || 'nothing yet: found no sessions on this machine'}\n`,
  );
  await io.out(awayLines(server));
  await io.out(alertLines(server));
  await io.out(pageLine(server, io, !values['no-open']));
  const began = io.now();
  const enough = new AbortController();
  server.imported.then(
    (counts) => {
      bar.end();
      if (counts === null) return;
      void io.out(`${importedLine(counts, (io.now() - began) / 1000)}\nwatching; Ctrl-C stops\n`);
      offerDemo(server, demo, io, { mayAsk: !values['no-open'], enough: enough.signal }).catch((cause: unknown) => {
        if (!enough.signal.aborted) faultsTo(io)(cause);
      });
    },
    () => {}, // reported through onFault
  );
  await stopped;
  enough.abort();
  bar.end();
  await demo.close();
  await server.close();
  await io.out('stopped; everything that was read is on the log\n');
  return 0;
};

/** REC-78: says that the board can't be opened, and what works nevertheless. */
const awayLines = ({ away }: RunningServer): string =>
  away === null
    ? ''
    : `warning: can't open the database: ${away.why}\nYou can read the board as it was on ${new Date(away.knownAt).toISOString()}. What you say is queued until the database is back.\n`;

/** REC-8: how the last session ended, if it didn't end properly. */
const alertLines = ({ alert }: RunningServer): string => {
  if (alert === null) return '';
  const caches = alert.details.map(
    ({ cacheId, reason, occurredAt, pendingItems }) => `  ${cacheId}: ${reason} at ${occurredAt}, ${pendingItems} pending\n`,
  );
  const hint = alert.severity === 'warning' ? '`yarnboard recover` shows them' : '`yarnboard recover audit` checks the log';
  return `${alert.severity}: ${alert.message} ${alert.recommendation}\n${caches.join('')}${hint}\n`;
};

/** CLI-28: the link signs in whoever has it: it goes to a browser or to a user at a terminal, never to a log. */
const pageLine = ({ pageLink }: RunningServer, io: Io, mayOpen: boolean): string => {
  if (mayOpen && io.browse(pageLink().url)) return 'page: opens in your browser; `yarnboard open` opens it again\n';
  return io.isOutTerminal ? `page: ${pageLink().url} (once, within ten minutes)\n` : 'page: `yarnboard open` opens it, and lets you act there\n';
};

/** INST-6: a user without sessions can open the demo board with one key at a terminal. Scripts only see the flag. */
const offerDemo = async (
  server: RunningServer,
  demo: DemoBoard,
  io: Io,
  { mayAsk, enough }: { readonly mayAsk: boolean; readonly enough: AbortSignal },
): Promise<void> => {
  if (await hasSessions(server, enough)) return;
  const nextKey = mayAsk ? io.typing.keyboard() : null;
  if (nextKey === null) {
    await io.out('No sessions yet. `yarnboard start --demo` shows a demo board.\n');
    return;
  }
  await io.out('No sessions yet. Press d to look at a demo board, or any other key to wait for your first session.\n');
  if ((await nextKey(enough))?.toLowerCase() !== 'd') return;
  const { url } = await demo.open();
  await io.out(io.browse(url) ? 'The demo board opens in your browser.\n' : `Demo board: ${url} (once, within ten minutes)\n`);
};

const hasSessions = async ({ url }: RunningServer, signal: AbortSignal): Promise<boolean> => {
  const { items } = (await (await fetch(`${url}/api/v1/sessions?limit=1`, { signal })).json()) as { readonly items: readonly unknown[] }; // our own answer
  return items.length > 0;
};

type Hooks = { readonly onStop: () => void; readonly openDemo?: DemoBoard['open'] };

const serve = async (place: Place, port: number, io: Io, bar: ReturnType<typeof progressLine>, hooks: Hooks): Promise<RunningServer> => {
  try {
    return await startServer({
      ...place,
      patience: patienceIn(io),
      port,
      version: VERSION,
      programs: programsOf(io),
      pageFolder: pageFolder(io),
      onProgress: ({ doneBytes, allBytes }) => bar.show(doneBytes, allBytes),
      onState: (state) => {
        if (state.kind === 'stuck' || state.kind === 'stopped') io.err(`yarnboard: ${state.why}\n`);
      },
      onFault: faultsTo(io),
      ...hooks,
    });
  } catch (cause) {
    if (cause instanceof HomeInUse) {
      const url = (await findServer(place.home))?.url;
      throw new Refusal(3, `${cause.message}${url === undefined ? '' : `; it is at ${url}, and \`yarnboard open\` opens its page`}`);
    }
    if (cause instanceof PortInUse) throw new Refusal(3, cause.message);
    throw cause;
  }
};

const faultsTo =
  (io: Io) =>
  (cause: unknown): void =>
    io.err(`yarnboard: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);

const withRoots = (place: Place, roots: readonly string[]): Place => {
  for (const root of roots) if (!existsSync(root)) throw new Refusal(3, `there is no folder "${root}" to watch`);
  return { ...place, roots: [...new Set([...place.roots, ...roots])] };
};

/** The address wins over the one in the settings; the configured prefix stays. */
const withRedis = (place: Place, url: string | undefined): Place => {
  if (url === undefined) return place;
  if (!REDIS_URL.test(url)) throw new Refusal(2, `--redis takes ${REDIS_ADDRESS}`);
  return { ...place, settings: { ...place.settings, redis: { url, prefix: place.settings.redis?.prefix ?? '' } } };
};

const portFrom = (text: string | undefined): number => {
  const port = Number(text ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Refusal(2, `--port takes a number from 0 to 65535; not "${text ?? ''}"`);
  return port;
};

type Counts = {
  readonly lines: number;
  readonly files: number;
  readonly bytes: number;
  readonly added: number;
  readonly copied: number;
  readonly known: number;
  readonly quarantined: number;
};

export const importedLine = (counts: Counts, seconds: number): string => {
  const rate = seconds > 0 ? counts.bytes / seconds : 0;
  return `imported ${counts.lines.toLocaleString('en')} lines of ${counts.files.toLocaleString('en')} files (${megabytes(counts.bytes)}) in ${seconds.toFixed(1)} s, ${megabytes(rate)}/s: ${counts.added.toLocaleString('en')} new, ${counts.copied.toLocaleString('en')} copied, ${counts.known.toLocaleString('en')} known, ${counts.quarantined.toLocaleString('en')} unreadable`;
};
