import { draftOfCompanion, draftOfLine, NOWHERE, type Item } from '@yarnboard/store';
import { readEntry, type JsonObject } from '@yarnboard/transcript';
import { createTally } from '../tree/planted.ts';
import { createProse } from '../tree/prose.ts';
import { createRandom } from '../tree/random.ts';
import { writeLoneSession } from '../tree/session.ts';
import { createMemorySheet } from '../tree/sheet.ts';

/** Messages as people and agents say them on the board: what comes through the queue one by one. */
export const saidItems = (count: number, seed: number): readonly Item[] => {
  const random = createRandom(seed);
  const prose = createProse(random);
  return Array.from({ length: count }, (): Item => {
    const payload = Buffer.from(prose.body(random.spread(300, 0.8, 8000)));
    const draft = draftOfCompanion('board', 'said', payload.length, NOON);
    return {
      draft: {
        ...draft,
        uuid: random.uuid(),
        type: 'note.said',
        contextId: 'board',
        sender: 'human',
        senderType: 'human',
        contentType: 'text',
        occurrence: null,
        numbers: ['MSG'],
        note: null,
      },
      payload,
      reading: null,
    };
  });
};

/** Records of transcripts, session after session; what a line costs that is read is not part of what is measured here. */
export function* lineItems(count: number, seed: number): Generator<Item, void, void> {
  const random = createRandom(seed);
  const shop = { random, prose: createProse(random), tally: createTally() };
  for (let made = 0; made < count;) {
    const lines: string[] = [];
    writeLoneSession(shop, createMemorySheet(lines), SESSION);
    const context = { sessionId: random.uuid(), agentId: null };
    // Some records of a session come again: here each counts once.
    for (const line of [...new Set(lines)].slice(0, count - made)) {
      const payload = Buffer.from(line);
      const reading = readEntry(JSON.parse(line) as JsonObject, NOWHERE, false); // the generator writes objects only
      yield { draft: draftOfLine({ context, reading, fault: null, length: line.length, occurrence: 1, fallbackAt: NOON }), payload, reading };
      made += 1;
    }
  }
}

export const takeItems = (items: Iterator<Item>, count: number): readonly Item[] => {
  const taken: Item[] = [];
  for (let next = items.next(); next.done !== true; next = items.next()) {
    taken.push(next.value);
    if (taken.length === count) break;
  }
  return taken;
};

const NOON = Date.UTC(2026, 2, 14, 12);
const SESSION = 2000;
