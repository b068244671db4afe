import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  activePath,
  branchesOf,
  isMessage,
  offPath,
  pathThrough,
  reconstruct,
  responseCountedAt,
  sidechainsOf,
  stretchesOffPath,
  titleOf,
  type JsonObject,
  type MapperInput,
  type Node,
  type Session,
  type Shape,
} from '../src/index.ts';
import { toldIn } from '../src/told.ts';
import { anyRecords } from './any-records.ts';
import { brief, END, mapAll } from './mapping.ts';
import { grown, mainOf, reportOf, sessionOf, shapeOf } from './reading.ts';

/** A small file rebuilt from what was seen in the wild, named after its oddity. */
const oddity = (name: string): readonly string[] =>
  readFileSync(new URL(`../../../fixtures/oddities/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

const pathOf = (session: Session): readonly string[] => activePath(session, shapeOf(session)).nodes.map(({ uuid }) => uuid);

const stretchesIn = (session: Session): readonly string[] => {
  const shape = shapeOf(session);
  const left = offPath(session, shape, activePath(session, shape));
  return stretchesOffPath(shape, left).map(({ reason, nodes }) => `${reason}: ${nodes.map(({ uuid }) => uuid).join(' ')}`);
};

const ancestorsOf = (shape: Shape, node: Node): readonly Node[] => {
  const above: Node[] = [];
  for (let at = shape.spots[node.position] ?? null; at !== null; at = at.up) above.push(at.node);
  return above;
};

const told = (session: Session, all = false): readonly string[] =>
  [...reconstruct(session, { all }).steps()].map((step) => ('node' in step ? `${step.kind} ${step.node.uuid}` : step.kind));

describe('a context that was cleared in the middle of a file', () => {
  const session = mainOf(...oddity('cleared-context'));

  test('[DAG-12] the path goes on across the new root', () => {
    expect(pathOf(session)).toEqual(['h1', 'p1', 'a1', 'a2', 'r1', 'a3', 'r2', 'h2', 'p2', 'a4']);
    expect({ branches: branchesOf(shapeOf(session)), apart: stretchesIn(session) }).toEqual({ branches: [], apart: [] });
  });

  test('[SHOW-8] the place is marked, once, and the beginning of a session is not', () => {
    expect(told(session).filter((step) => !step.startsWith('message'))).toEqual(['clearing h2']);
  });

  test('[ENV-53] the envelopes say so between the two turns', () => {
    const lines = oddity('cleared-context').map((line) => JSON.parse(line) as JsonObject);
    const envelopes = brief(mapAll([...lines, END]).envelopes);
    expect(envelopes.filter((line) => /^user|turn-|service/u.test(line))).toEqual([
      'user text: Plan a retry for the upload.',
      'agent t1 turn-start',
      'agent t1 turn-end: cancelled',
      'agent service clear: Context cleared',
      'user text: Implement the following plan:\n\n1. Retry three times.',
      'agent t2 turn-start',
      'agent t2 turn-end: completed',
    ]);
  });
});

test('[DAG-12] a second prompt without a parent is the first one, edited: what it replaced is not told before it', () => {
  expect(pathOf(mainOf(...oddity('edited-first-prompt')))).toEqual(['p2', 'a2']);
});

describe('what is on no branch', () => {
  const session = mainOf(...oddity('edited-first-prompt'));

  test('[PATH-9] is listed by what hangs together, with the reason', () => {
    expect(stretchesIn(session)).toEqual(['other root: p1 a1']);
  });

  test('[PATH-9] every message is on the path, on a branch, or in one stretch, whatever comes, and the path through its end shows a stretch', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const any = grown(records);
        const shape = shapeOf(any);
        const path = activePath(any, shape);
        const branched = new Set(branchesOf(shape).flatMap(({ children }) => children.map(({ node }) => node)));
        const stretches = stretchesOffPath(shape, offPath(any, shape, path));
        const counted = new Map<Node, number>();
        for (const node of [...path.nodes, ...stretches.flatMap(({ nodes }) => nodes)]) counted.set(node, (counted.get(node) ?? 0) + 1);
        expect([...counted.values()].filter((times) => times > 1)).toEqual([]);
        for (const node of any.main.nodes.filter(({ entry }) => isMessage(entry))) {
          const isBelowBranch = ancestorsOf(shape, node).some((above) => branched.has(above));
          expect(counted.has(node) || isBelowBranch).toBe(true);
        }
        for (const { nodes } of stretches) {
          const last = nodes.at(-1) as Node;
          expect(pathThrough(any, shape, last).nodes).toContain(last);
        }
      }),
    );
  });

  test('[SHOW-9] is reported after everything else, when asked for', () => {
    expect(told(session)).toEqual(['message p2', 'message a2']);
    expect(told(session, true)).toEqual(['message p2', 'message a2', 'apart', 'message p1', 'message a1']);
  });
});

test('[SESS-5] a slash command with its arguments is the title, and a setting of the program only where there is nothing else', () => {
  const lines = oddity('slash-command-title');
  expect(titleOf(mainOf(...lines))).toBe('/review 12 briefly');
  expect(titleOf(mainOf(...lines.slice(0, 2)))).toBe('/model opus');
  expect(reportOf([mainOf(...lines)]).sessions[0]?.title).toBe('/review 12 briefly');
});

test('[ENTRY-2] a summary in the name of the model is a summary: it is no reply, costs nothing, and history goes on across it', () => {
  const session = mainOf(...oddity('assistant-summary'));
  expect(session.graph.nodes.get('s1')?.entry).toMatchObject({ role: 'summary', usage: null });
  expect(pathOf(session)).toEqual(['p1', 'a1', 's1', 'p2', 'a2']);
});

test('[PATH-2] what teammates say to each other is no leaf, unless there is nothing else', () => {
  const lines = oddity('team-record');
  const leafOf = (session: Session): string | undefined => activePath(session, shapeOf(session)).leaf?.uuid;
  expect(leafOf(mainOf(...lines))).toBe('a2');
  expect(leafOf(mainOf(...lines.filter((line) => line.includes('teamName'))))).toBe('t3');
});

const envelopesOf = (name: string): readonly string[] =>
  brief(mapAll([...oddity(name).map((line) => JSON.parse(line) as JsonObject), END]).envelopes);

test('[ENV-55] the error of a refused call is reported in its envelopes', () => {
  expect(envelopesOf('refused-task').filter((line) => line.includes(' s1 '))).toEqual([
    'agent t1 s1 start',
    "agent t1 s1 text: Agent type 'reviewer' not found. Available agents: general-purpose",
    'agent t1 s1 stop: failed',
  ]);
});

test('[ENV-19] a turn that is cancelled stops the sub-agents it waited for', () => {
  const [asked, called, ...rest] = oddity('cancelled-turn').map((line) => JSON.parse(line) as JsonObject);
  const cancelled: MapperInput = { kind: 'close', uuid: 'x', at: Number.NaN, status: 'cancelled', isEnd: false };
  expect(brief(mapAll([asked ?? {}, called ?? {}, cancelled, ...rest, END]).envelopes).slice(0, 6)).toEqual([
    'user text: Explore the code.',
    'agent t1 turn-start',
    'agent t1 s1 start',
    'agent t1 s1 stop: cancelled',
    'agent t1 turn-end: cancelled',
    'user text: Never mind.',
  ]);
});

describe('an agent that exists only as progress', () => {
  const lines = oddity('progress-only-agent');
  const told = lines
    .map((line) => JSON.parse(line) as JsonObject)
    .flatMap((record): readonly JsonObject[] => [toldIn(record)].filter((one) => one !== null));
  const costOf = (session: Session): number | undefined => reportOf([session]).sessions[0]?.sidechains[0]?.spending.costUsd;

  test('[SIDE-11] is a sidechain of what the progress says, linked by its ids and priced once', () => {
    const session = mainOf(...lines);
    expect(sidechainsOf(session)).toMatchObject([
      { id: 'ac99d3c02c229b78a', agent: 'Explore', toolUseIds: ['toolu_1'], linkedBy: 'agent_id', state: 'complete' },
    ]);
    expect(sidechainsOf(session)[0]?.nodes.map(({ uuid, entry }) => `${uuid} ${entry.role}`)).toEqual([
      'x1 prompt',
      'x2 reply',
      'x3 result',
      'x4 reply',
    ]);
    expect(reportOf([session]).totals.spending.responses).toBe(3);
    expect(costOf(session)).toBeCloseTo(0.0015, 12);
  });

  test.each(['before', 'after'])('[SIDE-11] is its own file where that is there, read %s the progress', (order) => {
    const main = { path: 'main.jsonl', lines };
    const own = { path: 'agent.jsonl', agentId: 'ac99d3c02c229b78a', lines: told };
    const session = sessionOf(order === 'before' ? [own, main] : [main, own]);
    expect(sidechainsOf(session)[0]?.nodes.every(({ index }) => index >= 0)).toBe(true);
    expect(sidechainsOf(session)).toHaveLength(1);
    expect(reportOf([session]).totals.spending.responses).toBe(3);
    expect(costOf(session)).toBeCloseTo(0.0015, 12);
    expect(responseCountedAt(session.responses, session.graph.nodes.get('x2') as Node)).not.toBeNull();
  });
});

test('[BRANCH-7] an unreadable line between the blocks of a message makes no branch and hides no tool call', () => {
  const session = mainOf(...oddity('unreadable-block'));
  expect(branchesOf(shapeOf(session))).toEqual([]);
  expect(pathOf(session)).toEqual(['p1', 'a1', 'a2', 'a4', 'r1', 'r3', 'a5']);
});
