import { existsSync } from 'node:fs';
import { encodeEnvelope, wrapEnvelope } from '@yarnboard/protocol';
import { fileRecords, inputsIn, readStandardInput, type FileRecordsOptions } from '@yarnboard/server';
import { initialMapper, step, type Envelope, type MapperInput, type MapperOptions, type Merged } from '@yarnboard/transcript';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { transcriptHomes, demoFolder } from '../places.ts';
import { exitFor } from '../print/exit.ts';
import { findSession } from '../read/find.ts';
import { mergedOf } from '../read/merged.ts';
import { Refusal } from '../refusal.ts';

/** `yarnboard envelopes`: a session in the session protocol, one envelope per line. */
export const envelopes = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('envelopes', args, {
    in: { type: 'string' },
    db: { type: 'string' },
    demo: { type: 'boolean', default: false },
    wrapped: { type: 'boolean', default: false },
    shadow: { type: 'boolean', default: false },
    everything: { type: 'boolean', default: false },
    unfinished: { type: 'boolean', default: false },
    dropped: { type: 'boolean', default: false },
    reveal: { type: 'boolean', default: false },
  });
  const exit = exitFor(values.reveal);
  const [wanted, ...others] = positionals;
  if (wanted === undefined || others.length > 0) throw new Refusal(2, 'envelopes takes one path or session id; `yarnboard inspect` lists sessions');
  if (values.in !== undefined && !existsSync(values.in)) throw new Refusal(3, `there is no folder "${values.in}"`);
  const group = findSession(wanted, values.demo ? [demoFolder(io)] : values.in === undefined ? transcriptHomes(io) : [values.in], io.dialects);
  let faults = 0;
  const reading: FileRecordsOptions = {
    dialects: io.dialects,
    ...(group.files.some(({ path }) => path === '-') ? { standardInput: readStandardInput() } : {}),
    onFault: ({ file, line, reason }) => {
      faults += 1;
      if (faults <= MOST_TOLD) io.err(exit.text(`yarnboard: ${file}${line === null ? '' : `, line ${line}`}: ${reason}\n`));
    },
  };
  const line = (envelope: Envelope): string => `${JSON.stringify(exit.data(values.wrapped ? wrapEnvelope(envelope) : encodeEnvelope(envelope)))}\n`;
  const options: MapperOptions = { shadow: values.shadow, everything: values.everything };
  let state = initialMapper;
  let text = '';
  let isRead = true;
  const take = async (input: MapperInput): Promise<boolean> => {
    const mapped = step(state, input, options);
    ({ state } = mapped);
    for (const envelope of mapped.envelopes) text += line(envelope);
    if (text.length < ENOUGH) return true;
    const out = text;
    text = '';
    return io.out(out);
  };
  const merges = [...(await mergedOf(values, group.sessionId, io)).values()].flat().sort((a, b) => b.position - a.position);
  // ENV-56: between the records, by time.
  const takeMerges = async (until: number): Promise<boolean> => {
    for (let next = merges.at(-1); next !== undefined && atOf(next) < until; next = merges.at(-1)) {
      merges.pop();
      if (!(await take(mergeInput(next)))) return false;
    }
    return true;
  };
  for await (const input of inputsIn(fileRecords(group, reading))) {
    isRead = (input.kind !== 'record' || (await takeMerges(input.entry.at))) && (await take(input));
    if (!isRead) break;
  }
  isRead &&= await takeMerges(Number.POSITIVE_INFINITY);
  if (isRead && !values.unfinished) await take({ kind: 'close', uuid: `${group.sessionId}/end`, at: Number.NaN, status: null, isEnd: true });
  if (isRead) await io.out(text);
  if (faults > MOST_TOLD) io.err(`yarnboard: ${faults - MOST_TOLD} more could not be read\n`);
  if (values.dropped) io.err(`${JSON.stringify(exit.data(Object.fromEntries(state.dropped)))}\n`);
  return 0;
};

const atOf = ({ timestamp }: Merged): number => (timestamp === null ? 0 : Date.parse(timestamp));

const mergeInput = (merged: Merged): MapperInput => ({
  kind: 'service',
  uuid: merged.uuid,
  at: atOf(merged),
  service: 'merge',
  text: merged.text,
  data: { event: 'memory.merged', references: merged.citations },
  ...(merged.ref === null ? {} : { source: merged.ref }),
});

const ENOUGH = 64 * 1024;
const MOST_TOLD = 10;
