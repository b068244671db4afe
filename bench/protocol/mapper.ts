import { maskJson } from '@yarnboard/domain';
import { wrapEnvelope } from '@yarnboard/protocol';
import { discover, fileRecords, inputsIn, planGroups } from '@yarnboard/server';
import { NOWHERE } from '@yarnboard/store';
import { initialMapper, readEntry, step, type Envelope, type JsonObject, type MapperInput, type MapperState } from '@yarnboard/transcript';
import { STAGES, type MapperCost, type MapperResult, type Stage } from './job.ts';

/** What a record costs on its way from a line to the text of its frame, stage by stage, in one session whose sub-agents' files are read with it. */
export const measureMapper = async (folder: string, small: number, large: number): Promise<MapperResult> => {
  await run(folder, small, 0); // warms the compiler
  const smalls: MapperCost[] = [];
  for (let i = 0; i < SMALL_ROUNDS; i += 1) smalls.push((await run(folder, small, 0)).all);
  const larges: Awaited<ReturnType<typeof run>>[] = [];
  for (let i = 0; i < LARGE_ROUNDS; i += 1) larges.push(await run(folder, large, large - small));
  return { small: smalls.reduce(bestOf), large: larges.map(({ all }) => all).reduce(bestOf), end: larges.map(({ end }) => end).reduce(bestOf) };
};

/** `endFrom`: the records from here on are counted a second time, on their own. */
const run = async (folder: string, records: number, endFrom: number): Promise<{ readonly all: MapperCost; readonly end: MapperCost }> => {
  const [group, another] = planGroups(discover([folder])).groups;
  if (group === undefined || another !== undefined) throw new Error(`${folder} must hold one session`);
  const [all, end] = [createCost(), createCost()];
  let state = initialMapper;
  let block: MapperInput[] = [];
  for await (const input of inputsIn(fileRecords(group))) {
    block.push(input);
    if (block.length < BLOCK) continue;
    const cost = all.records >= endFrom ? [all, end] : [all];
    state = runBlock(state, block, cost);
    block = [];
    if (all.records >= records) return { all, end };
  }
  throw new Error(`${folder} has only ${all.records} records`);
};

// Block by block, so that a busy moment of the machine hits all stages, and no more than a block is in memory.
const runBlock = (before: MapperState, inputs: readonly MapperInput[], costs: readonly Cost[]): MapperState => {
  const lines = inputs.map((input) => (input.kind === 'record' ? JSON.stringify(input.record) : ''));
  const clock = createClock(costs);
  const records = lines.map((line) => (line === '' ? null : (JSON.parse(line) as JsonObject))); // it was one when it was made text
  clock('parse');
  const entries = inputs.map((input, i) => {
    const record = records[i] ?? null;
    return input.kind === 'record' && record !== null ? { ...input, record, entry: readEntry(record, NOWHERE, input.agentId !== null) } : input;
  });
  clock('read');
  let state = before;
  const told: (readonly Envelope[])[] = [];
  for (const input of entries) {
    const mapped = step(state, input);
    ({ state } = mapped);
    if (mapped.envelopes.length > 0) told.push(mapped.envelopes);
  }
  clock('step');
  const frames = told.map((envelopes) => ({ messages: envelopes.map(wrapEnvelope) }));
  clock('wrap');
  const masked = frames.map((frame) => maskJson(frame));
  clock('mask');
  const texts = masked.map((frame) => JSON.stringify(frame));
  clock('text');
  for (const cost of costs) {
    cost.records += inputs.length;
    for (const envelopes of told) cost.envelopes += envelopes.length;
    for (const text of texts) cost.bytes += text.length;
  }
  return state;
};

type Cost = { records: number; envelopes: number; bytes: number; readonly ms: Record<Stage, number> };

const createCost = (): Cost => ({ records: 0, envelopes: 0, bytes: 0, ms: { parse: 0, read: 0, step: 0, wrap: 0, mask: 0, text: 0 } });

const createClock = (costs: readonly Cost[]): ((stage: Stage) => void) => {
  // Processor time, not the clock's: whatever else the machine does is no part of it.
  let from = process.cpuUsage();
  return (stage) => {
    const { user, system } = process.cpuUsage(from);
    for (const { ms } of costs) ms[stage] += (user + system) / 1000;
    from = process.cpuUsage();
  };
};

// Each stage at its best: they do not depend on one another.
const bestOf = (a: MapperCost, b: MapperCost): MapperCost => ({
  ...a,
  ms: Object.fromEntries(STAGES.map((stage) => [stage, Math.min(a.ms[stage], b.ms[stage])])) as Record<Stage, number>, // one for each stage
});

const BLOCK = 100;
const SMALL_ROUNDS = 3;
const LARGE_ROUNDS = 2;
