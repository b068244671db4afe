import { assertNever, maskSecrets } from '@yarnboard/domain';
import { decodeSeatFrame, encodeSeatOrder, type SeatFrame, type SeatOrder } from '@yarnboard/protocol';
import type { After } from '../launches/outgoing.ts';
import { createLineCutter } from './line-cutter.ts';
import type { Runtime, SeatFact, SeatFaultCode, SeatPlace, SeatProcess, SeatStart } from './port.ts';
import { startProgram } from './process-group.ts';

export type StdioOptions = {
  readonly name: string;
  readonly command: readonly string[];
  /** The working directory of its seats. */
  readonly cwd: string;
  /** The complete environment of its programs. */
  readonly env: Readonly<Record<string, string>>;
  /** The mark carried by all of a seat's processes. */
  readonly markOf: (place: SeatPlace) => string;
  readonly after: After;
  readonly patience?: Partial<StopPatience>;
  readonly bounds?: Partial<StdioBounds>;
};

/** How long to wait at each step of stopping, in milliseconds. */
export type StopPatience = { readonly bye: number; readonly end: number; readonly term: number; readonly kill: number };

/** Limits on a program's output and input. */
export type StdioBounds = {
  /** Bytes per line. */
  readonly line: number;
  /** Frames between two turns. */
  readonly frames: number;
  /** Commands waiting for an answer. */
  readonly commands: number;
  /** Faults after which we stop listening. */
  readonly faults: number;
  /** Bytes waiting to be read by the program: one that doesn't read must not fill our memory. */
  readonly unread: number;
};

/** RT-2: a runtime for programs that speak our JSON lines on standard input and output. */
export const createStdio = (options: StdioOptions): Runtime => ({ name: options.name, start: (start, hear) => startSeat(options, start, hear) });

const startSeat = (options: StdioOptions, start: SeatStart, hear: (fact: SeatFact) => void): SeatProcess => {
  const { command, cwd, env, after } = options;
  const patience: StopPatience = { ...PATIENCE, ...options.patience };
  const bounds: StdioBounds = { ...BOUNDS, ...options.bounds };
  const program = startProgram({ command, cwd, env, mark: options.markOf(start.place) });
  const cutter = createLineCutter(bounds.line);
  const pending = new Set<string>();
  let complaints = '';
  let frames = 0;
  let faults = 0;
  let isReady = false;
  let isOver = false;
  let stopping: Promise<void> | null = null;

  const send = (order: SeatOrder): void => {
    if (isOver || program.input.writableEnded || program.input.destroyed) return;
    if (program.input.writableLength > bounds.unread) end('it does not read what it is told');
    else program.input.write(encodeSeatOrder(order));
  };

  /** Kills a program that does something no well-behaved program would. */
  const end = (why: string): void => {
    complaints = `${complaints}\n${why}`;
    program.signal('SIGKILL');
  };

  const fault = (code: SeatFaultCode, text: string): void => {
    // We no longer listen; the program is being ended.
    if (isOver || faults >= bounds.faults) return;
    faults += 1;
    hear({ kind: 'fault', code, text });
    if (faults === bounds.faults) end(`it was ended after ${faults} faults, the last one: ${text}`);
  };

  const take = (frame: SeatFrame): void => {
    if (frame.type === 'ready') {
      if (isReady) return fault('out-of-turn', 'The program said "ready" twice.');
      isReady = true;
      return hear({ kind: 'ready', name: frame.name, version: frame.version });
    }
    if (!isReady && frame.type !== 'decline') return fault('not-ready', `The program sent "${frame.type}" before "ready".`);
    if (frame.type === 'command') {
      if (pending.has(frame.id)) return fault('bad-frame', `The id "${frame.id}" belongs to a command that is not answered yet.`);
      if (pending.size >= bounds.commands) return refuse(frame.id, bounds.commands);
      pending.add(frame.id);
    }
    if (frame.type === 'turn-end') frames = 0;
    hear(factOf(frame));
  };

  const refuse = (id: string, most: number): void => {
    const text = `At most ${most} commands may wait at once; wait for an answer first.`;
    fault('flood', text);
    send({ type: 'answer', id, isDone: false, answer: { code: 'too-large', detail: text } });
  };

  const read = (line: string): void => {
    if (isOver || faults >= bounds.faults) return;
    frames += 1;
    if (frames > bounds.frames) {
      if (frames === bounds.frames + 1) fault('flood', `The program sent more than ${bounds.frames} frames in one turn.`);
      return;
    }
    const decoded = decodeSeatFrame(line);
    if (decoded.ok) take(decoded.value);
    else fault(decoded.error.code, decoded.error.text);
  };

  program.output.on('data', (bytes: Uint8Array) => {
    const { lines, tooLong } = cutter.cut(bytes);
    for (const line of lines) read(line);
    for (let i = 0; i < tooLong; i += 1) fault('line-too-long', `A line was longer than ${bounds.line} bytes and was left out.`);
  });
  program.output.on('error', () => {}); // if the pipe breaks, `ended` reports the program's end
  program.errors.on('data', (bytes: Uint8Array) => {
    complaints = (complaints + Buffer.from(bytes).toString('utf8')).slice(-MOST_COMPLAINTS);
  });
  program.errors.on('error', () => {});

  // Read its last output before it counts as dead. First sweep anything it started, which could hold the pipe open.
  const closed = new Promise<void>((resolve) => {
    program.output.once('close', resolve);
  });
  const over = program.ended.then(async (why) => {
    program.sweep();
    await within(after, closed, patience.kill);
    isOver = true;
    program.output.destroy();
    program.errors.destroy();
    hear({ kind: 'died', why: reasonOf(why, complaints) });
  });

  const stop = async (reason: string): Promise<void> => {
    send({ type: 'bye', reason });
    if (await within(after, over, patience.bye)) return;
    program.input.end();
    if (await within(after, over, patience.end)) return;
    program.signal('SIGTERM');
    if (await within(after, over, patience.term)) return;
    program.sweep();
    await within(after, over, patience.kill);
  };

  send({
    type: 'hello',
    agentId: start.place.agent,
    sidebarId: start.sidebarRef,
    model: start.model,
    instructions: start.instructions,
    token: start.token,
    url: start.url,
  });
  if (start.briefing !== null) send({ type: 'brief', ...start.briefing });

  return {
    pid: program.pid,
    turn: (turnId, events) => send({ type: 'turn', turnId, events }),
    tell: (turnId, event) => send({ type: 'event', turnId, event }),
    answer: (id, isDone, answer) => {
      if (pending.delete(id)) send({ type: 'answer', id, isDone, answer });
    },
    permit: (requestId, answer) => send({ type: 'permission', requestId, ...answer }),
    cancel: (turnId) => send({ type: 'cancel', turnId }),
    stop: (reason) => (stopping ??= stop(reason)),
  };
};

const factOf = (frame: Exclude<SeatFrame, { readonly type: 'ready' }>): SeatFact => {
  switch (frame.type) {
    case 'text':
      return { kind: 'text', text: frame.text };
    case 'tool':
      return { kind: 'tool', id: frame.id, name: frame.name, input: frame.input };
    case 'tool-result':
      return { kind: 'tool-result', id: frame.id, output: frame.output, isError: frame.isError };
    case 'command':
      return { kind: 'command', id: frame.id, name: frame.name, input: frame.input };
    case 'usage': {
      const { type: _type, ...usage } = frame;
      return { kind: 'usage', usage };
    }
    case 'permission':
      return { kind: 'permission', requestId: frame.requestId, tool: frame.tool, input: frame.input };
    case 'turn-end':
      return { kind: 'turn-ended', turnId: frame.turnId, status: frame.status, text: frame.text, why: frame.why };
    case 'rest':
      return { kind: 'rest', until: frame.until, why: frame.why };
    case 'decline':
      return { kind: 'decline', reason: frame.reason, note: frame.note };
    default:
      return assertNever(frame);
  }
};

// Mask before cutting: half a secret isn't recognized.
const reasonOf = (why: string, complaints: string): string => {
  const last = maskSecrets(complaints).text.trim().slice(-MOST_TOLD);
  return last === '' ? why : `${why}; it said: ${last}`;
};

/** Whether the work finishes in time. */
const within = async (after: After, work: Promise<void>, ms: number): Promise<boolean> => {
  let callOff = (): void => {};
  const late = new Promise<false>((resolve) => {
    callOff = after(ms, () => resolve(false));
  });
  const isDone = await Promise.race([work.then(() => true), late]);
  callOff();
  return isDone;
};

const PATIENCE: StopPatience = { bye: 2000, end: 1000, term: 2000, kill: 5000 };
const BOUNDS: StdioBounds = { line: 4 * 1024 * 1024, frames: 20_000, commands: 32, faults: 100, unread: 16 * 1024 * 1024 };
const MOST_COMPLAINTS = 16_384;
const MOST_TOLD = 1000;
