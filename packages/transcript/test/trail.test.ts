import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { activePath, createShape, extendShape, trailOf, type Session } from '../src/index.ts';
import { anyRecords } from './any-records.ts';
import { beside, mainOf, prompt, reply } from './reading.ts';

test('[PATH-7] a conversation whose records name what they follow needs no words', () => {
  expect(trailOf(mainOf(prompt('u', null), reply('a', 'u', 'm'), prompt('v', 'a'), reply('b', 'v', 'n')))).toEqual({ joins: [], turns: [] });
});

test('[PATH-7] a missing parent and a compaction are joined; a branch that was left is turned off, and what is read comes back', () => {
  const session = mainOf(
    prompt('u', null),
    reply('a', 'u', 'm'),
    beside('progress', 'p', 'gone'),
    reply('b', 'p', 'm2'),
    beside('system', 'cut', null, { subtype: 'compact_boundary', logicalParentUuid: 'b' }),
    prompt('old', 'cut', 'in blue'),
    reply('old1', 'old', 'm3'),
    prompt('new', 'cut', 'in red'),
  );
  expect(trailOf(session)).toEqual({
    joins: [
      { uuid: 'p', afterUuid: 'a' },
      { uuid: 'cut', afterUuid: 'b' },
    ],
    turns: ['old'],
  });
});

test('[PATH-7] whatever is in a file, the path and what each record goes on after are found again', () => {
  fc.assert(
    fc.property(anyRecords, (values) => {
      const session = mainOf(...values);
      const shape = createShape();
      extendShape(shape, session);
      const ups = new Map(shape.spots.map(({ node, up }) => [node.uuid, up?.node.uuid ?? null]));
      const path = new Set(activePath(session, shape).nodes.map(({ uuid }) => uuid));
      expect(readTrail(session)).toEqual(new Map([...ups].map(([uuid, up]) => [uuid, { up, isOn: path.has(uuid) }])));
    }),
  );
});

const readTrail = (session: Session): ReadonlyMap<string, { readonly up: string | null; readonly isOn: boolean }> => {
  const { joins, turns } = trailOf(session);
  const after = new Map(session.main.nodes.map(({ uuid, entry }) => [uuid, entry.parentUuid ?? null]));
  for (const { uuid, afterUuid } of joins) after.set(uuid, afterUuid);
  const turned = new Set(turns);
  const isOn = (from: string): boolean => {
    let is = true;
    for (let at: string | null = from; at !== null; at = after.get(at) ?? null) if (turned.has(at)) is = !is;
    return is;
  };
  return new Map([...after].map(([uuid, up]) => [uuid, { up, isOn: isOn(uuid) }]));
};
