import { atLeast, below, layOut, MB, type Verdict } from '../measure/table.ts';
import type {
  FanOutCost,
  FanOutResult,
  LatencyCost,
  LatencyResult,
  MapperCost,
  MapperResult,
  Percentiles,
  Reading,
  ResumeResult,
  Stage,
} from './job.ts';

const mb = (bytes: number): string => (bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0);
const count = (value: number): string => Math.round(value).toLocaleString('en');

const perRecord = ({ ms, records }: MapperCost, ...stages: readonly Stage[]): number =>
  (stages.reduce((sum, stage) => sum + ms[stage], 0) * 1000) / records;
const perEnvelope = ({ ms, envelopes }: MapperCost, stage: Stage): number => (ms[stage] * 1000) / envelopes;

export const describeMapper = ({ small, large, end }: MapperResult): string => {
  const row = (label: string, cost: MapperCost): readonly string[] => [
    label,
    ...(['parse', 'read', 'step'] as const).map((stage) => perRecord(cost, stage).toFixed(1)),
    ...(['wrap', 'mask', 'text'] as const).map((stage) => perEnvelope(cost, stage).toFixed(1)),
    count((cost.envelopes / cost.ms.step) * 1000),
    count((cost.envelopes / (cost.ms.read + cost.ms.step)) * 1000),
  ];
  return [
    `the mapper, in a session with sub-agents: ${count(large.records)} records make ${count(large.envelopes)} envelopes of ${count(large.bytes / large.envelopes)} bytes; all of it is processor time, garbage collection included`,
    layOut([
      ['', 'JSON.parse', 'readEntry', 'step µs/record', 'encode', 'mask', 'stringify µs/envelope', 'envelopes/s of step', 'with readEntry'],
      row(`${count(small.records)} records`, small),
      row(`${count(large.records)} records`, large),
      row(`the last ${count(end.records)} of them`, end),
    ]),
  ].join('\n');
};

export const judgeMapper = ({ small, large }: MapperResult): readonly Verdict[] => [
  atLeast(perRecord(large, 'parse') / perRecord(large, 'read', 'step'), 0.3, 'bare JSON.parse of the same lines over readEntry and step'),
  {
    isMet: perRecord(large, 'step') <= perRecord(small, 'step') * FLAT,
    text: `a step in ${count(large.records)} records over one in ${count(small.records)}: ${(perRecord(large, 'step') / perRecord(small, 'step')).toFixed(2)} (target at most ${FLAT})`,
  },
];

export const describeLatency = ({ small, large }: LatencyResult): string => {
  const cells = ({ p50, p95, p99 }: Percentiles): readonly string[] => [p50, p95, p99].map((value) => value.toFixed(1));
  const rows = (cost: LatencyCost): readonly (readonly string[])[] => [
    [`in ${mb(cost.fileBytes)} MB: fs.watch event`, ...cells(cost.watch), ''],
    ['  bare relay: watch, read, ws', ...cells(cost.relay), ''],
    ['  envelope at a client', ...cells(cost.frame), cost.first.toFixed(0)],
    ['  beyond the event', ...cells(cost.beyond), ''],
  ];
  return [
    `one line appended, ms from the return of the write, ${small.lines} lines each; the first line after the client came is not among them`,
    layOut([['', 'p50', 'p95', 'p99', 'first'], ...rows(small), ...rows(large)]),
  ].join('\n');
};

export const judgeLatency = ({ small, large }: LatencyResult): readonly Verdict[] => [
  ...[small, large].map((cost) =>
    below(cost.beyond.p99, 50, `line appended to ${mb(cost.fileBytes)} MB: envelope at a client beyond the file-watch event, p99`, 'ms'),
  ),
  {
    isMet: large.frame.p50 <= small.frame.p50 * 1.5,
    text: `the same, p50, ${mb(large.fileBytes)} MB over ${mb(small.fileBytes)} MB: ${(large.frame.p50 / small.frame.p50).toFixed(2)} (target at most 1.5)`,
  },
];

export const describeFanOut = ({ heard, live, ready, single, slow }: FanOutResult): string => {
  const rows = (label: string, costs: readonly FanOutCost[]): readonly (readonly string[])[] =>
    costs.map(({ clients, frames, bytes, ours, bare }) => [
      `${label}: ${count(frames)} frames to ${count(clients)}`,
      mb(bytes * clients),
      ours.seconds.toFixed(2),
      count((frames * clients) / ours.seconds),
      count((bytes * clients) / MB / ours.seconds),
      ours.cpu.toFixed(2),
      bare.seconds.toFixed(2),
      count((frames * clients) / bare.seconds),
      bare.cpu.toFixed(2),
      (bare.seconds / ours.seconds).toFixed(2),
      (bare.cpu / ours.cpu).toFixed(2),
    ]);
  return [
    layOut([
      ['fan-out', 'MB', 's', 'frames/s', 'MB/s', 'CPU s', 'bare ws s', 'frames/s', 'CPU s', 'x bare', 'by CPU'],
      ...rows('live', live),
      ...rows('ready', ready),
    ]),
    'live: from the write of all lines into a file to the last frame at the last client, so it holds reading, the log and making the frames',
    'ready: the same frames from the hub, from the hellos of all clients to the last frame; bare ws: a server that has the same bytes and sends them; CPU: of the thread that sends',
    `${count(heard.frames)} lines: on the log after ${heard.without.toFixed(2)} s with nobody listening, at one client after ${heard.withOne.toFixed(2)} s`,
    `one frame at a time to ${count(single.clients)}, ${single.frames} times: ${single.spread.ours.toFixed(1)} ms from the first client to the last, bare ws ${single.spread.bare.toFixed(1)} ms; CPU ${((single.cpu.ours / single.frames) * 1000).toFixed(1)} ms a frame, bare ws ${((single.cpu.bare / single.frames) * 1000).toFixed(1)} ms`,
    `one client more that reads nothing: ${slow.clients} others have everything after ${slow.withOne.toFixed(2)} s, without it ${slow.without.toFixed(2)} s; in the end it was told: ${slow.reason}`,
  ].join('\n');
};

export const judgeFanOut = ({ live, ready, single, slow }: FanOutResult): readonly Verdict[] => [
  // To one client it is told what it costs to make a frame, and bare ws makes none; what sending costs is seen where frames are ready.
  ...live.map(({ clients, ours, bare }) =>
    atLeast(
      bare.seconds / ours.seconds,
      0.7,
      `live to ${count(clients)} client${clients === 1 ? '' : 's'} against a bare ws broadcast of the same bytes`,
    ),
  ),
  ...ready.map(({ clients, ours, bare }) =>
    atLeast(bare.seconds / ours.seconds, 0.7, `frames that are ready to ${count(clients)} client${clients === 1 ? '' : 's'} against bare ws`),
  ),
  atLeast(
    single.spread.bare / single.spread.ours,
    0.7,
    `one frame at a time to ${count(single.clients)} clients, time from the first to the last against bare ws`,
  ),
  atLeast(single.cpu.bare / single.cpu.ours, 0.7, 'the same, by CPU'),
  atLeast(slow.without / slow.withOne, 0.8, `${slow.clients} clients without one that reads nothing over with it`),
  { isMet: slow.reason.startsWith('too slow'), text: `the one that reads nothing is dropped with a reason: ${slow.reason}` },
];

export const describeResume = ({ entries, whole, resumed, restarted }: ResumeResult): string => {
  const row = (label: string, reading: Reading): readonly string[] => [
    label,
    count(reading.entries),
    reading.first.toFixed(2),
    reading.all.toFixed(2),
    reading.cpu.toFixed(2),
    count(reading.entries / reading.all),
  ];
  return [
    `a session of ${count(entries)} entries, seconds from the hello`,
    layOut([
      ['', 'entries', 'first', 'all', 'CPU s', 'entries/s'],
      row('read from the beginning', whole),
      row('back after a while', resumed),
      row('after a restart, the first to come', restarted.first),
      row('after a restart, the second', restarted.second),
    ]),
  ].join('\n');
};

/** `parseEach`: milliseconds that JSON.parse takes for a line. */
export const judgeResume = ({ entries, whole, resumed, restarted }: ResumeResult, parseEach: number): readonly Verdict[] => {
  // The second one reads as much and has nothing to go through before.
  const foldCpu = restarted.first.cpu - restarted.second.cpu;
  const parseSeconds = ((entries - restarted.first.entries) * parseEach) / 1000;
  return [
    atLeast(
      resumed.entries / resumed.all / (whole.entries / whole.all),
      0.7,
      'entries a second of a client that comes back over reading from the beginning',
    ),
    below(resumed.first, 0.5, 'first entry for a client that comes back', 's'),
    {
      isMet: foldCpu <= parseSeconds * RESTART,
      text: `going through the session for the first client after a restart: ${(foldCpu / parseSeconds).toFixed(1)} x JSON.parse of its lines, by CPU (target at most ${RESTART}); ${restarted.first.first.toFixed(2)} s to the first entry`,
    },
  ];
};

const FLAT = 1.5;
const RESTART = 10;
