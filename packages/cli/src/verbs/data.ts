import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BadBackup, exportSessions, HomeInUse, openReader, restoreBackup } from '@yarnboard/server';
import { withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, hasBoard, noBoard, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { megabytes, progressLine } from '../print/progress.ts';
import { refuseSidebar } from '../read/find.ts';
import { Refusal } from '../refusal.ts';

const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;

/** `yarnboard backup [FILE]` */
export const backup = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('backup', args, { ...BOARD_OPTIONS, ...JSON_OPTION });
  const place = placeOf(values, io);
  const stamp = new Date(io.now()).toISOString().replaceAll(/[:.]/gu, '-');
  const path = resolve(positionals[0] ?? join(place.home.folder, 'backups', `yarnboard-${stamp}.db`));
  return withBoard(place, io, {}, async ({ call }): Promise<ExitCode> => {
    mkdirSync(dirname(path), { recursive: true });
    const made = await call('backup', { path });
    await io.out(
      values.json
        ? `${toJson({ version: 1, ...made })}\n`
        : `${made.path} (${megabytes(made.bytes)}); \`yarnboard restore ${made.path}\` puts it back\n`,
    );
    return 0;
  });
};

/** `yarnboard restore FILE` */
export const restore = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('restore', args, { ...BOARD_OPTIONS, ...JSON_OPTION });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Refusal(2, 'restore takes one file, made by `yarnboard backup`');
  try {
    const { entries, replaced } = await restoreBackup(placeOf(values, io).home, resolve(file), io.now);
    const aside = replaced === null ? '' : `; what was there is in ${replaced}`;
    await io.out(values.json ? `${toJson({ version: 1, entries, replaced })}\n` : `restored ${entries.toLocaleString('en')} entries${aside}\n`);
    return 0;
  } catch (cause) {
    if (cause instanceof BadBackup || cause instanceof HomeInUse) throw new Refusal(3, cause.message);
    throw cause;
  }
};

/** `yarnboard export [SESSION…] --output FOLDER` */
export const exportVerb = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('export', args, {
    ...BOARD_OPTIONS,
    ...JSON_OPTION,
    output: { type: 'string' },
    reveal: { type: 'boolean', default: false },
  });
  for (const wanted of positionals) refuseSidebar('export', wanted);
  if (values.output === undefined) throw new Refusal(2, 'where to? `yarnboard export [SESSION…] --output FOLDER`');
  const folder = resolve(values.output);
  if (existsSync(join(folder, 'projects'))) throw new Refusal(3, `${folder} has an export already; name an empty folder`);
  const place = placeOf(values, io);
  if (!hasBoard(place)) throw await noBoard(place, '; `yarnboard import` makes one');
  const store = await openReader(place.home);
  try {
    const sessions: string[] = [];
    if (positionals.length === 0) {
      for (let after: { lastAt: number; sessionId: string } | undefined; ;) {
        const rows = await store.library.sessions({ limit: 500, ...(after === undefined ? {} : { before: after }) });
        const last = rows.at(-1);
        if (last === undefined) break;
        sessions.push(...rows.map((row) => row.sessionId));
        after = { lastAt: last.lastAt ?? 0, sessionId: last.sessionId };
      }
    }
    for (const wanted of positionals) {
      const [match, other] = await store.library.sessionsLike(wanted.toLowerCase(), 2);
      if (match === undefined) throw new Refusal(3, `no session begins with "${wanted}"`);
      if (other !== undefined) throw new Refusal(3, `"${wanted}" fits several sessions: ${match}, ${other}, …; give more of the id`);
      sessions.push(match);
    }
    const counts = await exportSessions(store, { folder, sessions, reveal: values.reveal });
    const hidden = counts.masked > 0 ? `, ${counts.masked} secrets masked (--reveal writes them)` : '';
    await io.out(
      values.json
        ? `${toJson({ version: 1, folder, ...counts })}\n`
        : `${counts.sessions} sessions, ${counts.lines.toLocaleString('en')} lines in ${counts.files} files below ${folder}${hidden}${counts.forgotten > 0 ? `, ${counts.forgotten} forgotten` : ''}\n`,
    );
    return 0;
  } finally {
    await store.close();
  }
};

/** `yarnboard rebuild [SESSION]` */
export const rebuild = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('rebuild', args, { ...BOARD_OPTIONS, ...JSON_OPTION });
  const bar = progressLine(values.json ? { ...io, isErrTerminal: false } : io, 'rebuilding');
  return withBoard(
    placeOf(values, io),
    io,
    { onProgress: ({ doneBytes, allBytes }) => bar.show(doneBytes, allBytes) },
    async ({ call, board }): Promise<ExitCode> => {
      const { entries } = await call('rebuild', { session: positionals[0] });
      await board?.indexer.drain();
      bar.end();
      await io.out(values.json ? `${toJson({ version: 1, entries })}\n` : `derived again from ${entries.toLocaleString('en')} entries\n`);
      return 0;
    },
  );
};

/** `yarnboard repair SESSION` */
export const repair = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('repair', args, { ...BOARD_OPTIONS, ...JSON_OPTION });
  const [session] = positionals;
  if (session === undefined || positionals.length > 1) throw new Refusal(2, 'repair takes one session: its id, or the first characters of it');
  return withBoard(placeOf(values, io), io, {}, async ({ call, board }): Promise<ExitCode> => {
    const done = await call('repair', { session });
    await board?.indexer.drain();
    const isWell = done.verdict.is_whole && done.integrity.is_sound;
    const lines = [
      `backup: ${done.backup ?? 'none (use pg_dump)'}`,
      `derived again from ${done.rebuilt.toLocaleString('en')} entries, ${done.added} missing lines appended`,
      done.verdict.broken === null ? 'log: whole' : `log: broken at entry ${done.verdict.broken.position}: ${done.verdict.broken.why}`,
      ...done.integrity.findings.map((finding) => `${finding.severity}: ${finding.rule}: ${finding.count}`),
    ];
    await io.out(values.json ? `${toJson({ version: 1, ...done })}\n` : `${lines.join('\n')}\n`);
    return isWell ? 0 : 1;
  });
};

/** `yarnboard forget REF --yes` */
export const forget = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('forget', args, { ...BOARD_OPTIONS, ...JSON_OPTION, yes: { type: 'boolean', default: false } });
  const [ref] = positionals;
  if (ref === undefined || positionals.length > 1) throw new Refusal(2, 'forget takes one reference (MSG-n), uuid or payload hash');
  if (!values.yes)
    throw new Refusal(
      2,
      `this drops what ${ref} says for good: from the log's payloads, the library and the search index (not from backups, nor from the coding agent's own file); add --yes`,
    );
  return withBoard(placeOf(values, io), io, {}, async ({ call, board }): Promise<ExitCode> => {
    const done = await call('forget', { ref });
    await board?.indexer.drain();
    await io.out(values.json ? `${toJson({ version: 1, ...done })}\n` : `forgotten: ${done.payload_hash}; entry ${done.position} says so\n`);
    return 0;
  });
};
