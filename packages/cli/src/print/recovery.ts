import { printableLine } from '@yarnboard/transcript';
import type { OutputOf } from '@yarnboard/protocol';
import { minute } from './sidebar.ts';
import { table } from './table.ts';

/** REC-17: how the last session ended, and what waits for a decision. */
export const printRecovery = ({ state, alert, caches, doubtful, places }: OutputOf<'recovery'>): string => {
  const lines = [
    `state: ${state}`,
    ...(alert === null ? [] : [alert.message, alert.recommendation]),
    ...caches.flatMap((one) => [
      '',
      `${one.cache_id}: ${one.reason} since ${minute(one.created_at)} UTC${one.own ? '' : `, of another home (${printableLine(one.host)})`}${one.resolved_at === null ? '' : `, resolved ${minute(one.resolved_at)}`}`,
      `  ${countsIn(one.writes)}`,
      ...one.recovery_notes.map((note) => `  note: ${printableLine(note)}`),
      ...(one.resolved_at === null
        ? [`  \`yarnboard recover show ${one.cache_id}\` shows each of them; \`recover replay\`, \`discard\` or \`resolve\` settles it`]
        : []),
    ]),
    ...doubtful.map(({ where, kind, why }) => `not believed: ${printableLine(where)} (${kind}): ${printableLine(why)}`),
    ...places.flatMap(({ name, failing }) => (failing === null ? [] : [`place ${name} fails: ${printableLine(failing)}`])),
    ...(state === 'CLEAN' && caches.length === 0 ? ['nothing was left behind'] : []),
  ];
  return `${lines.join('\n')}\n`;
};

export const printCache = (one: OutputOf<'recovery_cache'>): string =>
  `${[
    `${one.cache_id}: ${one.reason} since ${minute(one.created_at)} UTC on ${printableLine(one.host)}; the log was known up to entry ${one.head.position}`,
    countsIn(one.writes),
    ...one.recovery_notes.map((note) => `note: ${printableLine(note)}`),
    ...one.pending_writes.flatMap(writeLines),
  ].join('\n')}\n`;

export const printSettled = (one: OutputOf<'recovery_replay'>): string =>
  `${[
    ...one.settled.flatMap(writeLines),
    `${one.cache_id}: ${countsIn(one.writes)}${one.is_resolved ? '; resolved' : ''}`,
    ...(one.exported_to === null ? [] : [`exported to ${printableLine(one.exported_to)}`]),
    `state: ${one.state}`,
  ].join('\n')}\n`;

export const printExport = ({ markdown }: OutputOf<'recovery_export'>): string => `${markdown.split('\n').map(printableLine).join('\n')}\n`;

/** MANY-14: a line for each server, with the agents it serves. */
export const printServers = ({ servers, redis }: OutputOf<'servers'>, { columns }: { readonly columns: number }): string => {
  const rows = servers.map((one) => [
    `${printableLine(one.host)}${one.is_this ? ' (this one)' : ''}`,
    one.state,
    one.version,
    minute(one.since),
    one.server_id,
    one.agents.map(printableLine).join(', '),
  ]);
  const about = redis === null ? '' : `${printableLine(redis.name)}: ${redis.is_up ? 'answers' : `away (${printableLine(redis.why ?? '')})`}\n`;
  return `${table(['server', 'is', 'version', 'since (UTC)', 'id', 'who is there'], rows, { columns, flexible: 5 })}${about}`;
};

const writeLines = (write: OutputOf<'recovery_cache'>['pending_writes'][number]): readonly string[] => {
  const { n, sender, queued_at: at, context, command, outcome, code, message, refs, now } = write;
  const became =
    outcome === 'conflict' ? `conflict (${code ?? ''}): ${message ?? ''}` : `${outcome}${refs.length === 0 ? '' : ` ${refs.join(', ')}`}`;
  return [
    `${n}. ${sender}, ${minute(at)}${context === null ? '' : ` in ${printableLine(context)}`}: ${printableLine(command)}`,
    `   ${printableLine(became)}${now === null ? '' : `; now: ${now.kind}${now.message === '' ? '' : ` (${printableLine(now.message)})`}`}`,
  ];
};

const countsIn = (writes: OutputOf<'recovery_replay'>['writes']): string => {
  const parts = Object.entries(writes).filter(([, count]) => count > 0);
  return parts.length === 0 ? 'no writes' : parts.map(([kind, count]) => `${count} ${kind}`).join(', ');
};
