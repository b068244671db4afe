import { existsSync, statSync } from 'node:fs';
import { createCheckpoints, lostDatabase } from '@yarnboard/server';
import type { OutputOf } from '@yarnboard/protocol';
import { findServer } from '@yarnboard/server/entrance';
import { operatorTokenOf, withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, hasBoard, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { counted } from '../print/number.ts';
import { megabytes } from '../print/progress.ts';
import { withShownSigns } from '../print/signs.ts';
import { Refusal } from '../refusal.ts';
import { VERSION } from '../version.ts';

type Check = { readonly name: string; readonly level: 'ok' | 'warning' | 'error'; readonly text: string };

/** `yarnboard doctor`: versions, health, the chain, and the integrity rules of the library. Exit code 1 if something is wrong. */
export const doctor = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values } = readOptions('doctor', args, { ...BOARD_OPTIONS, json: { type: 'boolean', default: false }, session: { type: 'string' } });
  const place = placeOf(values, io);
  const checks: Check[] = [
    { name: 'versions', level: 'ok', text: `yarnboard ${VERSION}, node ${process.versions.node}, ${process.platform} ${process.arch}` },
  ];
  const server = await findServer(place.home);
  checks.push({ name: 'server', level: 'ok', text: server === null ? 'not running' : `running at ${server.url} (process ${server.pid})` });
  const missing = place.roots.filter((root) => !existsSync(root));
  checks.push({
    name: 'transcripts',
    level: missing.length > 0 || place.roots.length === 0 ? 'warning' : 'ok',
    text:
      place.roots.length === 0 ? 'found no sessions on this machine' : missing.length > 0 ? `gone: ${missing.join(', ')}` : place.roots.join(', '),
  });
  const lost = hasBoard(place) ? null : lostDatabase(place.home);
  if (hasBoard(place) || server !== null) checks.push(...(await boardChecks(values.session)));
  else if (lost !== null) checks.push({ name: 'board', level: 'error', text: lost.message });
  else checks.push({ name: 'board', level: 'warning', text: `none in ${place.home.folder} yet; \`yarnboard start\` makes one` });
  await io.out(
    values.json
      ? `${toJson({ version: 1, healthy: checks.every(({ level }) => level !== 'error'), checks })}\n`
      : withShownSigns(`${checks.map(lineOf).join('\n')}\n`, io.env),
  );
  return checks.some(({ level }) => level === 'error') ? 1 : 0;

  async function boardChecks(session: string | undefined): Promise<readonly Check[]> {
    try {
      return await withBoard(place, io, { readOnly: true }, async ({ call, board }) => {
        const told = await call('status', {});
        const servers = server === null ? null : (await call('servers', {})).servers;
        const recovery = operatorTokenOf(place) === '' ? null : await call('recovery', {});
        const emergency: readonly Check[] = [
          ...(servers === null ? [] : [{ name: 'servers', level: 'ok' as const, text: serversText(servers) }]),
          ...(told.emergency === undefined ? [] : [{ name: 'emergency', level: 'error' as const, text: told.emergency.message }]),
          ...(recovery === null ? [] : recoveryChecks(recovery)),
        ];
        // REC-77: the rest needs the log, and would only say that it is away.
        if (told.emergency !== undefined && told.emergency.state !== 'degraded') return emergency;
        const verdict = await call('verify', { deep: operatorTokenOf(place) !== '' });
        const integrity = await call('integrity', session === undefined ? {} : { session });
        const { items: runtimes } = await call('runtimes', {});
        const validators = await call('validators', {});
        const checkpoint = board === null ? null : createCheckpoints(place.home, board.store.log.boardId, io.now).latest();
        const file = place.home.database.startsWith('sqlite:') ? place.home.database.slice('sqlite:'.length) : null;
        return [
          {
            name: 'board',
            level: 'ok',
            text: `${told.database}, ${told.entries.toLocaleString('en')} entries${file === null ? '' : `, ${megabytes(statSync(file).size)}`}`,
          },
          {
            name: 'search',
            level: told.indexed < told.entries ? 'warning' : 'ok',
            text: `${told.indexed.toLocaleString('en')} of ${told.entries.toLocaleString('en')} entries searchable`,
          },
          verdict.broken === null
            ? {
                name: 'log',
                level: 'ok',
                text: `whole, ${counted(verdict.checkpoints, 'signed checkpoint')} ${verdict.checkpoints === 1 ? 'agrees' : 'agree'}${checkpoint === null ? '' : `, the last of ${checkpoint.at}`}`,
              }
            : { name: 'log', level: 'error', text: `broken at entry ${verdict.broken.position}: ${verdict.broken.why}` },
          // CLI-61: each runtime in settings.json, checked as far as possible without starting it.
          ...runtimes.map(({ name, kind, problem, agents, resting_until: until }): Check => ({
            name: `runtime ${name}`,
            level: problem === null ? 'ok' : 'warning',
            text:
              problem ??
              `${kind}, ${counted(agents.length, 'agent')}${until === null ? '' : `, rests until ${until}`}; \`yarnboard agent try NAME\` runs a turn`,
          })),
          { name: 'checks', level: 'ok', text: checksText(validators) },
          ...emergency,
          ...verdict.damages.map(({ part, where, what, remedy }): Check => ({
            name: part,
            level: 'error',
            text: `${where}: ${what}. To mend it, ${remedy}`,
          })),
          ...verdict.notes.map((text): Check => ({ name: 'log', level: 'warning', text })),
          ...(told.failing ?? []).map(({ name, effect, why, remedy }): Check => ({
            name,
            level: name === 'writing' ? 'error' : 'warning',
            text: `${effect}: ${why}. ${remedy}`,
          })),
          ...told.troubles.map(({ path, why }): Check => ({ name: 'file', level: 'warning', text: `${path}: ${why}` })),
          ...integrity.findings.map((finding): Check => ({
            name: finding.rule,
            level: finding.severity,
            text: `${finding.count} (${finding.examples.slice(0, 3).join(', ')})`,
          })),
        ];
      });
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      return [{ name: 'board', level: 'error', text: cause instanceof Error ? cause.message : String(cause) }];
    }
  }
};

/** MANY-14: how many servers share the board. */
const serversText = (servers: OutputOf<'servers'>['servers']): string => {
  const lost = servers.filter(({ state }) => state === 'lost').length;
  return `${counted(servers.length - lost, 'server')} of this board up${lost === 0 ? '' : `, ${lost} lost; \`yarnboard servers\` lists them`}`;
};

/** REC-72: what was left behind, and how much room the emergency cache has. */
const recoveryChecks = ({ state, alert, places }: OutputOf<'recovery'>): readonly Check[] => [
  {
    name: 'recovery',
    level: state === 'CLEAN' ? 'ok' : 'warning',
    text: alert === null ? 'nothing was left behind' : `${alert.message} ${alert.recommendation} \`yarnboard recover\` shows what there is`,
  },
  ...places.map(({ name, survives, failing, room_bytes: room, shares_disk_with: sharing }, at): Check => {
    const before = places.slice(0, at).flatMap((other) => (sharing.includes(other.name) ? [other.name] : []));
    const lost =
      before.length === 0 ? '' : `; on the same disk as ${before.join(', ')}: name a folder on another one in \`emergency.places\` of settings.json`;
    const kept = `survives ${survives}${room === null ? '' : `, room for ${megabytes(room)}`}${lost}`;
    return { name: `emergency place ${name}`, level: failing === null && lost === '' ? 'ok' : 'warning', text: failing ?? kept };
  }),
];

/** VAL-37: which methods to check claims this machine has, and what the others lack. */
const checksText = ({ enabled, items }: OutputOf<'validators'>): string => {
  const methods = items.flatMap((item) => item.methods);
  const lacking = new Map<string, Set<string>>();
  for (const { method, available, why } of methods) {
    if (available) continue;
    const reason = why ?? 'not available';
    lacking.set(reason, (lacking.get(reason) ?? new Set()).add(method.replaceAll('_', ' ')));
  }
  const missing = [...lacking].map(([why, names]) => `${[...names].join(', ')} (${why})`);
  const works = `${methods.filter(({ available }) => available).length} of ${counted(methods.length, 'method')} work here`;
  return `automatic checks are ${enabled ? 'on' : 'off'}, ${works}${missing.length === 0 ? '' : `; not ${missing.join('; ')}`}`;
};

const lineOf = ({ name, level, text }: Check): string => `${{ ok: '✓', warning: '!', error: '✗' }[level]} ${name}: ${text}`;
