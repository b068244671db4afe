import type { Item } from '@yarnboard/store';
import { draftOfLine, NOWHERE } from '@yarnboard/store';
import { readEntry, type JsonObject } from '@yarnboard/transcript';
import type { Random } from '../tree/random.ts';
import { createVocabulary } from '../tree/vocabulary.ts';

/** What people and agents say and find. */
export type Talk = {
  /** About so many characters. */
  readonly message: (characters: number) => string;
  readonly finding: () => string;
  readonly gold: () => { readonly keyInsight: string; readonly reusePattern: string; readonly triggerConditions: readonly string[] };
  /** Messages of a session, each the answer to the one before. */
  readonly lines: (sessionId: string, count: number) => Generator<Item, void, void>;
};

export const createTalk = (random: Random): Talk => {
  const vocabulary = createVocabulary(random, 8000, COMMONEST);
  const word = (): string => vocabulary.words[vocabulary.draw()] ?? '';
  // What findings and symptoms are about are rarely the commonest words.
  const rare = (): string => vocabulary.words[random.between(200, vocabulary.words.length - 1)] ?? '';
  const message = (characters: number): string => {
    let text = word();
    while (text.length < characters) text += random.chance(0.1) ? `. ${word()}` : ` ${word()}`;
    return `${text}.`;
  };
  function* lines(sessionId: string, count: number): Generator<Item, void, void> {
    const context = { sessionId, agentId: null };
    let parent: string | null = null;
    for (let i = 0; i < count; i += 1) {
      const uuid = random.uuid();
      const at = STARTS_AT + i * 1000;
      const line = lineOf({ sessionId, uuid, parent, at, isPrompt: i % 2 === 0, text: message(120) });
      const reading = readEntry(JSON.parse(line) as JsonObject, NOWHERE, false); // made right below: an object
      yield {
        draft: draftOfLine({ context, reading, fault: null, length: line.length, occurrence: 1, fallbackAt: at }),
        payload: Buffer.from(line),
        reading,
      };
      parent = uuid;
    }
  }
  return {
    message,
    finding: () => `The ${rare()} ${rare()} of the ${rare()} takes ${random.between(2, 900)} ms when the ${rare()} is ${rare()}.`,
    gold: () => ({
      keyInsight: `The ${rare()} of the ${rare()} is ${rare()} before the ${rare()} reads it.`,
      reusePattern: `Look at the ${rare()} first, then at the ${rare()} ${rare()}.`,
      triggerConditions: [`${rare()} ${rare()} + ${rare()}`, `the ${rare()} is ${rare()} after ${rare()}`],
    }),
    lines,
  };
};

type Line = {
  readonly sessionId: string;
  readonly uuid: string;
  readonly parent: string | null;
  readonly at: number;
  readonly isPrompt: boolean;
  readonly text: string;
};

const lineOf = ({ sessionId, uuid, parent, at, isPrompt, text }: Line): string => {
  const type = isPrompt ? 'user' : 'assistant';
  const about = { parentUuid: parent, isSidechain: false, cwd: '/home/dev/proj', sessionId, version: '2.1.220', type, uuid };
  const reply = { id: `msg_${uuid}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [{ type: 'text', text }] };
  const message = isPrompt ? { role: 'user', content: text } : reply;
  return JSON.stringify({ ...about, message, timestamp: new Date(at).toISOString() });
};

const STARTS_AT = Date.UTC(2026, 0, 5);
const COMMONEST = [
  'the',
  'of',
  'is',
  'and',
  'to',
  'in',
  'a',
  'that',
  'it',
  'for',
  'on',
  'when',
  'we',
  'this',
  'with',
  'not',
  'from',
  'after',
  'still',
  'cache',
];
