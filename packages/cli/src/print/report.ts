import { formatInstant, printable, printableLine, type Report, type SessionReport, type Spending } from '@yarnboard/transcript';
import { shortIds } from './ids.ts';
import { table } from './table.ts';

export type ReportLayout = { readonly columns: number; readonly all: boolean; readonly where: readonly string[] };

/** The report for a terminal. Pure: the same report gives the same text. */
export const printReport = (report: Report, layout: ReportLayout): string =>
  printable(
    [summary(report, layout), sessions(report, layout), agents(report), tools(report), models(report), days(report), problems(report)]
      .filter((section) => section !== '')
      .join('\n'),
  );

const summary = (report: Report, { where }: ReportLayout): string => {
  const { totals } = report;
  if (totals.files === 0) return `No transcripts in ${printableLine(where.join(', '))}. Try \`yarnboard inspect --demo\`.\n`;
  const facts = [
    [
      count(totals.sessions, 'session', 'sessions'),
      count(totals.messages, 'message', 'messages'),
      count(totals.toolUses, 'tool use', 'tool uses'),
      count(totals.sidechains, 'sub-agent', 'sub-agents'),
      count(totals.branchPoints, 'branch', 'branches'),
      count(totals.compactions, 'compaction', 'compactions'),
    ].join(' · '),
    `${count(totals.files, 'file', 'files')}, ${size(totals.bytes)}, ${count(totals.lines, 'line', 'lines')}: ${count(totals.records, 'record', 'records')}${part(totals.extra, 'extra')}${part(totals.blank, 'blank')}${part(totals.quarantined, 'quarantined')}`,
    `${tokens(totals.spending)} · ${dollars(totals.spending.costUsd)}${totals.unpriced.length === 0 ? '' : ` without ${printableLine(totals.unpriced.slice(0, 10).join(', '))}${totals.unpriced.length > 10 ? ', …' : ''} (no price known)`}`,
    ...(report.unknownForms.size === 0 ? [] : [`Unknown forms of injected text: ${unknownForms(report)}`]),
  ];
  return `${facts.join('\n')}\n`;
};

const unknownForms = ({ unknownForms: forms }: Report): string =>
  [...forms]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([form, times]) => `<${printableLine(form)}> ${n(times)}`)
    .join(', ') + (forms.size > 10 ? ', …' : '');

const sessions = (report: Report, { columns, all }: ReportLayout): string => {
  const newest = [...report.sessions].reverse();
  const shown = all ? newest : newest.slice(0, 20);
  if (shown.length === 0) return '';
  const isMixed = new Set(report.sessions.map(({ tool }) => tool)).size > 1;
  const shortId = shortIds(report.sessions.map(({ id }) => id));
  const rows = shown.map((session) => [
    shortId(session.id),
    when(session.startedAt),
    ...(isMixed ? [session.tool ?? ''] : []),
    session.title ?? '',
    n(session.messages),
    n(session.sidechains.length),
    remarks(session, shortId),
    cost(session.spending, report),
  ]);
  const hidden = newest.length - shown.length;
  const head = ['session', 'started (UTC)', ...(isMixed ? ['tool'] : []), 'title', '>messages', '>agents', 'remarks', '>cost'];
  return `${table(head, rows, { columns, flexible: head.indexOf('title') })}${hidden === 0 ? '' : `… ${n(hidden)} older ones: --all lists them\n`}`;
};

const remarks = (session: SessionReport, shortId: (id: string) => string): string => {
  const open = session.sidechains.filter((sidechain) => sidechain.state === 'incomplete').length;
  const running = session.sidechains.filter((sidechain) => sidechain.state === 'running').length;
  return [
    session.branches.length === 0 ? '' : count(session.branches.length, 'branch', 'branches'),
    session.compactions.length === 0 ? '' : count(session.compactions.length, 'compaction', 'compactions'),
    running === 0 ? '' : `${running} running`,
    open === 0 ? '' : `${open} incomplete`,
    session.continues === null ? '' : `${session.continues.by} of ${shortId(session.continues.sessionId)}`,
  ]
    .filter((remark) => remark !== '')
    .join(', ');
};

const agents = ({ analysis }: Report): string => {
  if (analysis.agents.length === 0) return '';
  const rows = analysis.agents.map((agent) => [
    agent.agent,
    n(agent.calls),
    n(agent.sidechains),
    [...agent.states].map(([state, number]) => `${number} ${state}`).join(', '),
    n(agent.turns),
    n(agent.toolUses),
    n(agent.maxDepth),
    duration(agent.durationMs.mean),
  ]);
  const { refinement, clarification, errorRecovery } = analysis.patterns;
  const patterns =
    refinement + clarification + errorRecovery === 0
      ? ''
      : `asked again: ${refinement} to refine, ${clarification} to clarify, ${errorRecovery} after an error\n`;
  return `${table(['agent', '>calls', '>found', 'states', '>turns', '>tools', '>depth', '>mean time'], rows)}${patterns}`;
};

/** DIALECT-7: shown if there is more than one. */
const tools = (report: Report): string => {
  const { byTool, sessions: all } = report;
  const rows = [...byTool].map(([tool, spending]) => [
    tool,
    n(all.filter((session) => session.tool === tool).length),
    n(spending.responses),
    ...counts(spending),
    cost(spending, report),
  ]);
  return rows.length < 2 ? '' : table(['tool', '>sessions', '>responses', '>input', '>output', '>cache written', '>cache read', '>cost'], rows);
};

const models = (report: Report): string => {
  const rows = [...report.byModel]
    .sort(([, a], [, b]) => b.costUsd - a.costUsd)
    .map(([model, spending]) => [model, n(spending.responses), ...counts(spending), cost(spending, report)]);
  return rows.length === 0 ? '' : table(['model', '>responses', '>input', '>output', '>cache written', '>cache read', '>cost'], rows);
};

const days = (report: Report): string => {
  const rows = [...report.byDay].slice(-14).map(([day, spending]) => [day, n(spending.responses), ...counts(spending), cost(spending, report)]);
  return rows.length < 2 ? '' : table(['day (UTC)', '>responses', '>input', '>output', '>cache written', '>cache read', '>cost'], rows);
};

const problems = (report: Report): string => {
  const shortId = shortIds(report.sessions.map(({ id }) => id));
  const odd = report.sessions.flatMap((session) => oddities(session, shortId));
  const lines = [
    ...report.quarantine.slice(0, 10).map((fault) => `${fault.file}:${fault.line} ${fault.reason} (byte ${fault.offset})`),
    ...more(report.quarantine.length - 10, 'quarantined lines'),
    ...odd.slice(0, 10),
    ...more(odd.length - 10, 'sessions with oddities'),
    ...report.skipped.slice(0, 10).map((skipped) => `skipped ${skipped.file}: ${skipped.reason}`),
    ...more(report.skipped.length - 10, 'skipped files (--json lists all)'),
  ];
  return lines.length === 0 ? '' : `${lines.map(printableLine).join('\n')}\n`;
};

const oddities = (session: SessionReport, shortId: (id: string) => string): readonly string[] => {
  const ofAgents = new Set(session.sidechains.map(({ file }) => file));
  const mains = session.files.filter((file) => !ofAgents.has(file) && !/agent-[^/\\]*\.jsonl$/u.test(file)).length;
  const found = [
    part(session.orphans, 'orphans'),
    part(session.cycles, 'cycles'),
    part(session.duplicates, 'repeated uuids'),
    part(session.lateParents, 'parents after their children'),
    mains > 1 ? `, in ${mains} files` : '',
    session.continues === null && session.otherSessionIds.length > 0
      ? `, records of ${session.otherSessionIds.length} more sessions in its files`
      : '',
  ].join('');
  return found === '' ? [] : [`session ${shortId(session.id)}: ${found.slice(2)}`];
};

const more = (count: number, what: string): readonly string[] => (count > 0 ? [`… ${n(count)} more ${what}`] : []);

const counts = ({ usage }: Spending): readonly string[] => [
  short(usage.input),
  short(usage.output),
  short(usage.cacheWrite5m + usage.cacheWrite1h),
  short(usage.cacheRead),
];

const tokens = ({ usage, responses }: Spending): string =>
  `${count(responses, 'response', 'responses')}: ${counts({ usage, responses, costUsd: 0 })
    .map((value, i) => `${value} ${['in', 'out', 'cache written', 'cache read'][i] ?? ''}`)
    .join(', ')}`;

const part = (count: number, what: string): string => (count === 0 ? '' : `, ${n(count)} ${what}`);

const count = (number: number, one: string, many: string): string => `${n(number)} ${number === 1 ? one : many}`;

const n = (value: number): string => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/gu, ' ');

const short = (value: number): string => {
  if (value < 10_000) return n(value);
  return value < 10_000_000 ? `${(value / 1000).toFixed(0)}k` : `${(value / 1_000_000).toFixed(0)}M`;
};

const size = (bytes: number): string => (bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`);

/** Tokens with a cost of 0 had no price: that isn't the same as free. */
const cost = ({ costUsd, usage }: Spending, { totals }: Report): string => {
  const isUsed = usage.input + usage.output + usage.cacheWrite5m + usage.cacheWrite1h + usage.cacheRead > 0;
  return costUsd === 0 && isUsed && totals.unpriced.length > 0 ? 'no price' : dollars(costUsd);
};

const dollars = (value: number): string => (value !== 0 && value < 0.1 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`);

const when = (instant: number): string => formatInstant(instant)?.slice(0, 16).replace('T', ' ') ?? '';

const duration = (ms: number): string => {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
};
