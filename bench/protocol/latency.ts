import { appendFileSync, mkdirSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isIdle } from '../ingest/start.ts';
import { rest, startServer, until, type Command } from '../measure/command.ts';
import { mustBeEqual } from '../measure/run.ts';
import type { LatencyCost, LatencyResult, Percentiles } from './job.ts';
import { startPartner } from './partner.ts';
import { makeTalk, type Talk } from './talk.ts';
import { openTestClient } from './test-client.ts';

export type LatencyOrder = {
  readonly command: Command;
  /** The program of the helping processes. */
  readonly child: string;
  readonly folder: string;
  readonly largeBytes: number;
  readonly lines: number;
  readonly seed: number;
};

/** One line after the other is appended to a short and to a long session in turn, and a client hears of it. */
export const measureLatency = async ({ command, child, folder, largeBytes, lines, seed }: LatencyOrder): Promise<LatencyResult> => {
  const tree = join(folder, 'tree');
  const project = join(tree, 'projects', '-home-dev-proj');
  mkdirSync(project, { recursive: true });
  const [small, large] = [
    createTrack(project, makeTalk(seed, 0, lines + WARM_UP)),
    createTrack(project, makeTalk(seed + 1, largeBytes, lines + WARM_UP)),
  ];
  const tracks = [small, large];
  const server = await startServer(command, join(folder, 'board'), tree);
  const relay = startPartner(child, ['relay', project]);
  try {
    const { port } = await relay.hear('listening');
    await rest(1000);
    await until('imported', () => isIdle(server), 100);
    await tellLines(server.url, `http://127.0.0.1:${port}`, project, tracks, lines);
  } finally {
    await relay.stop();
    await server.stop();
  }
  return { small: small.cost(), large: large.cost() };
};

const tellLines = async (url: string, relayUrl: string, project: string, tracks: readonly Track[], lines: number): Promise<void> => {
  const relayed = await openTestClient(relayUrl, {}, (bytes, at) => {
    const [name = '', ...appended] = bytes.toString('utf8').trimEnd().split('\n');
    for (const track of tracks) if (name === track.name) for (const _ of appended) track.relayed(at);
  });
  // In this process, where the lines are written: nobody hears of them earlier.
  const watcher = watch(project, (_, name) => {
    const at = performance.now();
    for (const track of tracks) if (name === track.name) track.seen(at);
  });
  const client = await openTestClient(url, { subscribe: { sessions: tracks.map(({ sessionId }) => sessionId) } }, (bytes, at) => {
    const frame = JSON.parse(bytes.toString('utf8')) as Told; // the protocol's promise
    if (frame.entry_type !== 'transcript.line') return; // turns that are closed in between are entries as well
    for (const track of tracks) if (frame.session_id === track.sessionId && (frame.messages?.length ?? 0) > 0) track.heard(at);
  });
  for (let i = 0; i < lines + WARM_UP; i += 1) {
    for (const track of tracks) {
      track.write();
      // The first one may take longer: nothing may be measured behind it in a queue.
      if (i < WARM_UP) await until('the first lines', async () => (track.isThrough() ? true : null), 1);
      await rest(PAUSE + (i % 5) * 5);
    }
  }
  await until('all lines', async () => (tracks.every((track) => track.isThrough()) ? true : null), 5, 10_000).catch(() => {}); // the costs tell what is missing
  watcher.close();
  await client.close();
  await relayed.close();
};

type Told = { readonly entry_type?: string; readonly session_id?: string; readonly messages?: readonly unknown[] };

type Track = {
  readonly name: string;
  readonly sessionId: string;
  readonly write: () => void;
  readonly seen: (at: number) => void;
  readonly relayed: (at: number) => void;
  readonly heard: (at: number) => void;
  readonly isThrough: () => boolean;
  readonly cost: () => LatencyCost;
};

const createTrack = (project: string, { sessionId, before, after }: Talk): Track => {
  const name = `${sessionId}.jsonl`;
  const path = join(project, name);
  writeFileSync(path, `${before.join('\n')}\n`);
  const written: number[] = [];
  const seen: number[] = [];
  const relayed: number[] = [];
  const heard: number[] = [];
  return {
    name,
    sessionId,
    write: () => {
      appendFileSync(path, `${after[written.length] ?? ''}\n`);
      written.push(performance.now());
    },
    // A write may be told twice, and two in one: the first word after a write counts.
    seen: (at) => {
      while (seen.length < written.length) seen.push(at);
    },
    relayed: (at) => void relayed.push(at),
    heard: (at) => void heard.push(at),
    isThrough: () => heard.length >= written.length,
    cost: () => {
      const wanted = { heard: written.length, relayed: written.length, seen: written.length };
      mustBeEqual(`lines of ${name}`, wanted, { heard: heard.length, relayed: relayed.length, seen: seen.length });
      const between = (from: readonly number[], to: readonly number[]): Percentiles =>
        percentilesOf(from.slice(WARM_UP).map((at, i) => Math.max(0, (to[i + WARM_UP] ?? Number.NaN) - at)));
      return {
        fileBytes: statSync(path).size,
        lines: written.length - WARM_UP,
        first: (heard[0] ?? 0) - (written[0] ?? 0),
        watch: between(written, seen),
        relay: between(written, relayed),
        frame: between(written, heard),
        beyond: between(seen, heard),
      };
    },
  };
};

const percentilesOf = (values: readonly number[]): Percentiles => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
};

const WARM_UP = 3;
const PAUSE = 20;
