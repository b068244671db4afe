import type { FileHandle } from 'node:fs/promises';
import { assertNever } from '@yarnboard/domain';
import { sha256, type FileMark } from '@yarnboard/store';
import { claudeCode, DIALECTS } from '@yarnboard/transcript';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesAt } from '../../src/ingest/bytes.ts';
import { createLinesReader, type LinesReader } from '../../src/ingest/lines-reader.ts';
import { beginReading, stepLines, type LinesEffect, type LinesInput } from '../../src/ingest/lines-steps.ts';
import { createNumbering, type Numbering } from '../../src/ingest/numbering.ts';
import { isKnown, isStill } from '../../src/ingest/recognition.ts';
import { isEndedWhole, resumeAt, timeBefore } from '../../src/ingest/resumption.ts';
import { markOf, type SourceFile, type SourceLine } from '../../src/ingest/source.ts';
import { A, prompt, state } from './bench.ts';

const FILE: SourceFile = {
  path: '/sessions/a.jsonl',
  dialect: claudeCode.name,
  context: { sessionId: A, agentId: null },
  role: 'main',
  name: null,
  isLines: true,
};

/** What happens to a file and to whoever follows it. Small reads, so that lines are cut anywhere. */
type Act =
  /** More of what it will be is there. */
  | { readonly kind: 'grow'; readonly by: number }
  | { readonly kind: 'read' | 'commit' | 'restart' | 'fail' }
  /** Another file under the same name, or the same one written anew. */
  | { readonly kind: 'replace'; readonly text: string; readonly isSameFile: boolean };

const LINES = [
  JSON.stringify(state('a')),
  JSON.stringify(state('b')),
  JSON.stringify(prompt('u1', 1)),
  JSON.stringify(prompt('u2', 2)),
  '{"broken',
  '[1]',
  '',
];
const anyContent = fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 15, size: 'max' }).map((lines) => `${lines.join('\n')}\n`);

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 90 }).map((by) => ({ kind: 'grow', by }) as const) },
  { weight: 6, arbitrary: fc.constant({ kind: 'read' } as const) },
  { weight: 3, arbitrary: fc.constantFrom({ kind: 'commit' } as const, { kind: 'restart' } as const, { kind: 'fail' } as const) },
);

const anyReplacing: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: anyAct },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('replace' as const), text: anyContent, isSameFile: fc.boolean() }),
  },
);

const createWorld = (content: string) => {
  let coming = Buffer.from(content);
  let bytes = Buffer.alloc(0);
  let identity = 1;
  let modified = 0;
  /** The log: what was committed, with its mark. */
  const log = new Map<string, SourceLine>();
  let mark: FileMark | null = null;
  const repeats = async (contextId: string, hash: string): Promise<number> =>
    [...log.values()].filter(({ item }) => item.draft.contextId === contextId && sha256(item.payload ?? Buffer.alloc(0)).toString('hex') === hash)
      .length;
  let uncommitted: SourceLine[] = [];
  let reading = beginReading(null);
  let numbering: Numbering = createNumbering(repeats, 0);
  let reader: LinesReader | null = null;
  let isOpen = false;
  const effects: LinesEffect['kind'][] = [];

  // As much of a file as is asked for here.
  const handle = {
    read: async (into: Buffer, at: number, length: number, from: number) => ({
      bytesRead: bytes.copy(into, at, from, Math.min(bytes.length, from + length)),
    }),
  } as unknown as FileHandle;
  const look = () => ({ identity: String(identity), size: bytes.length, modified });
  const currentReader = (): LinesReader => {
    if (reader === null) throw new Error('there is no reader');
    return reader;
  };

  const perform = async (effect: Exclude<LinesEffect, { kind: 'done' }>): Promise<LinesInput> => {
    switch (effect.kind) {
      case 'look':
        return { kind: 'looked', found: look(), isOpen };
      case 'open':
        isOpen = true;
        return { kind: 'opened', found: look() };
      case 'recognise':
        return {
          kind: 'recognised',
          isSame: effect.recent === null ? await isKnown(handle, effect.mark) : await isStill(handle, effect.head, effect.recent),
        };
      case 'find-start':
        return { kind: 'start-found', resumption: await resumeAt(handle, effect.offset, effect.size) };
      case 'start-reader':
        reader = createLinesReader(FILE, { dialects: DIALECTS }, effect);
        return { kind: 'reader-started' };
      case 'read-head':
        return { kind: 'head', bytes: await bytesAt(handle, 0, effect.length) };
      case 'read-chunk': {
        const chunk = await bytesAt(handle, effect.from, Math.min(29, effect.length));
        return { kind: 'chunk', bytes: chunk, fed: currentReader().feed(chunk) };
      }
      case 'look-at-end':
        return { kind: 'end-seen', isWhole: await isEndedWhole(handle, effect.offset, effect.size) };
      case 'end-reader':
        return { kind: 'reader-ended', fed: currentReader().end() };
      case 'find-time':
        return { kind: 'time-found', at: await timeBefore(handle, effect.before, DIALECTS, { ...FILE.context, dialect: FILE.dialect }) };
      case 'number':
        return { kind: 'numbered', numbers: await numbering.next(handle, effect.edition, effect.lines) };
      default:
        return assertNever(effect);
    }
  };

  const read = async (): Promise<number> => {
    for (let input: LinesInput = { kind: 'read' }, steps = 0; ; steps += 1) {
      // Each chunk costs a few steps at most: it comes to an end.
      expect(steps).toBeLessThan(20 + bytes.length);
      const next = stepLines(FILE, 0, reading, input);
      ({ reading } = next);
      effects.push(next.effect.kind);
      if (next.effect.kind === 'done') {
        if (!reading.hasReader) reader = null;
        if (next.effect.isReleased) isOpen = false;
        uncommitted.push(...next.effect.lines);
        return next.effect.lines.length;
      }
      input = await perform(next.effect);
    }
  };
  const commit = (): void => {
    const last = uncommitted.at(-1);
    if (last === undefined) return;
    if (last.mark.offset === reading.where.offset) numbering.settle(reading.edition, reading.where.offset, reading.where.fed >= reading.where.size);
    // The log knows a line by its hash and number: the same one again is nothing new.
    for (const line of uncommitted) log.set(`${sha256(line.item.payload ?? Buffer.alloc(0)).toString('hex')} ${line.item.draft.occurrence}`, line);
    mark = markOf(FILE, { ...reading.where, ...last.mark });
    uncommitted = [];
  };
  const restart = (): void => {
    uncommitted = [];
    reading = beginReading(mark);
    numbering = createNumbering(repeats, reading.where.offset);
    reader = null;
    isOpen = false;
  };

  const act = async (one: Act): Promise<void> => {
    switch (one.kind) {
      case 'grow':
        bytes = coming.subarray(0, bytes.length + one.by);
        modified += 1;
        break;
      case 'replace':
        coming = Buffer.from(one.text);
        bytes = coming;
        modified += 1;
        if (!one.isSameFile) {
          identity += 1;
          isOpen = false;
        }
        break;
      case 'read':
        await read();
        break;
      case 'commit':
        commit();
        break;
      case 'restart':
      case 'fail': // a commit that is refused has its files read again from their marks
        restart();
        break;
    }
  };
  /** Reads it to its end. */
  const finish = async (): Promise<void> => {
    await act({ kind: 'grow', by: coming.length });
    while ((await read()) > 0);
    commit();
    expect(await read()).toBe(0);
  };
  return { act, finish, read, effects, bytes: () => bytes, log: () => [...log.values()], where: () => reading.where };
};

/** What one import of the whole file finds. */
const importOf = async (content: string): Promise<readonly (readonly unknown[])[]> => {
  const world = createWorld(content);
  await world.finish();
  return told(world.log());
};

const told = (lines: readonly SourceLine[]): readonly (readonly unknown[])[] =>
  lines.map(({ item }) => [Buffer.from(item.payload ?? []).toString('utf8'), item.draft.occurrence, item.draft.timestamp]);

describe('a file that is followed, step by step', () => {
  test('[ING-7] has the lines of one import, each once and in order, however it grew, was left and was taken up again', async () => {
    await fc.assert(
      fc.asyncProperty(anyContent, fc.array(anyAct, { maxLength: 40, size: 'max' }), async (content, acts) => {
        const world = createWorld(content);
        for (const act of acts) await world.act(act);
        await world.finish();
        expect(told(world.log())).toEqual(await importOf(content));
        expect(world.where()).toMatchObject({ offset: content.length, fed: content.length, counts: { lines: content.split('\n').length - 1 } });
      }),
    );
  });

  test('[ING-7] has as many lines as it has: none is lost, none told twice, whatever the file', async () => {
    await fc.assert(
      fc.asyncProperty(anyContent, async (content) => {
        const lines = content.split('\n').filter((line) => line !== '');
        expect((await importOf(content)).map(([text]) => text)).toEqual(lines);
      }),
    );
  });

  test('[ING-8] that is replaced or written anew is read from its start: nothing of what is there now is missing', async () => {
    await fc.assert(
      fc.asyncProperty(anyContent, fc.array(anyReplacing, { maxLength: 30, size: 'max' }), async (content, acts) => {
        const world = createWorld(content);
        for (const act of acts) await world.act(act);
        // What is written over while it is followed is noticed by its size, its first or its last bytes.
        await world.act({ kind: 'replace', text: `${JSON.stringify(prompt('after', 9))}\n`, isSameFile: false });
        await world.finish();
        expect(told(world.log()).map(([text]) => text)).toContain(JSON.stringify(prompt('after', 9)));
        expect(world.where()).toMatchObject({ offset: world.bytes().length, line: 2, counts: { lines: 1, records: 1 } });
      }),
    );
  });

  test('[ING-9] a file that has not changed is looked at, and not opened', async () => {
    const world = createWorld(`${JSON.stringify(prompt('u1', 1))}\n`);
    await world.finish();
    const known = world.effects.length;
    await world.read();
    expect(world.effects.slice(known)).toEqual(['look', 'done']);
  });
});
