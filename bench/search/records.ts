import { assertNever } from '@yarnboard/domain';
import { draftOfLine, NOWHERE, type Item } from '@yarnboard/store';
import { readEntry, type JsonObject } from '@yarnboard/transcript';
import { createProse, type Prose } from '../tree/prose.ts';
import type { Random } from '../tree/random.ts';
import type { Place } from './planted.ts';
import type { Vocabulary } from '../tree/vocabulary.ts';

/** One message of a generated conversation, with what a query about it can be made of. */
export type Made = {
  readonly item: Item;
  readonly sessionId: string;
  readonly project: string;
  readonly agentId: string | null;
  readonly place: Place;
  readonly tool: string | null;
  readonly model: string | null;
  readonly at: number;
  readonly isError: boolean;
  /** Places in the vocabulary of its words, in order. */
  readonly words: readonly number[];
  /** A line of code it has; null when there is none. */
  readonly code: string | null;
};

/** Conversations without end: sessions of 200 messages, every fourth in a sub-agent's file. */
export function* makeMessages(
  random: Random,
  vocabulary: Vocabulary,
  plant: (index: number, place: Place, inAgent: boolean) => string,
): Generator<Made, void, void> {
  const prose = createProse(random);
  let at = Date.UTC(2025, 0, 6);
  for (let index = 0; ;) {
    const sessionId = random.uuid();
    const project = `/home/dev/project-${random.between(1, 40)}`;
    let call: { readonly id: string; readonly tool: string } | null = null;
    for (let i = 0; i < SESSION; i += 1) {
      const agentId: string | null = i % 4 === 3 ? `agent${index % 3}` : null;
      const place: Place = ORDER[i % ORDER.length] ?? 'reply';
      at += random.between(50, 4000);
      const text = makeText(random, vocabulary, prose, place);
      const body = `${text.text}${plant(index, place, agentId !== null)}`;
      if (place === 'input') call = { id: random.apiId('toolu'), tool: random.pick(TOOLS) };
      const about: About = {
        sessionId,
        project,
        agentId,
        at,
        uuid: random.uuid(),
        model: random.pick(MODELS),
        call,
        isError: place === 'output' && random.chance(0.04),
        id: random.apiId('msg'),
      };
      const line = lineOf(place, body, about);
      const reading = readEntry(JSON.parse(line) as JsonObject, NOWHERE, agentId !== null); // an object: made here
      const draft = draftOfLine({ context: { sessionId, agentId }, reading, fault: null, length: line.length, occurrence: 1, fallbackAt: at });
      yield {
        item: { draft, payload: Buffer.from(line), reading },
        ...about,
        place,
        tool: place === 'input' || place === 'output' ? (call?.tool ?? null) : null,
        model: reading.model,
        words: text.words,
        code: text.code,
      };
      index += 1;
    }
  }
}

type Text = { readonly text: string; readonly words: readonly number[]; readonly code: string | null };

const makeText = (random: Random, vocabulary: Vocabulary, prose: Prose, place: Place): Text => {
  const words: number[] = [];
  for (let left = Math.max(3, random.spread(LENGTHS[place], 0.8, 600)); left > 0; left -= 1) words.push(vocabulary.draw());
  const said = words.map((word) => vocabulary.words[word] ?? '').join(' ');
  if (place !== 'output' && place !== 'input' && !random.chance(0.15)) return { text: said, words, code: null };
  const body = prose.body(random.spread(300, 1.2, 12_000));
  const plain = JSON.parse(`"${body}"`) as string; // it was cut from JSON at line ends
  const lines = plain.split('\n').filter((line) => CODE.test(line));
  return { text: `${said}\\n${body}`, words, code: lines[random.between(0, Math.max(0, lines.length - 1))] ?? null };
};

type About = {
  readonly sessionId: string;
  readonly project: string;
  readonly agentId: string | null;
  readonly at: number;
  readonly uuid: string;
  readonly model: string;
  readonly call: { readonly id: string; readonly tool: string } | null;
  readonly isError: boolean;
  readonly id: string;
};

// Text that is escaped already goes into text that is JSON already, as in bench/tree.
const lineOf = (place: Place, text: string, { sessionId, project, agentId, at, uuid, model, call, isError, id }: About): string => {
  const frame = `"parentUuid":null,"isSidechain":${agentId !== null},"userType":"external","cwd":"${project}","sessionId":"${sessionId}","version":"2.1.220",${agentId === null ? '' : `"agentId":"${agentId}",`}"uuid":"${uuid}","timestamp":"${new Date(at).toISOString()}"`;
  const reply = (block: string): string =>
    `{${frame},"type":"assistant","message":{"id":"${id}","type":"message","role":"assistant","model":"${model}","content":[${block}],"usage":{"input_tokens":12,"cache_read_input_tokens":40000,"output_tokens":300}}}`;
  switch (place) {
    case 'prompt':
      return `{${frame},"type":"user","message":{"role":"user","content":"${text}"}}`;
    case 'reply':
      return reply(`{"type":"text","text":"${text}"}`);
    case 'thinking':
      return reply(`{"type":"thinking","thinking":"${text}","signature":"c2lnbmF0dXJl"}`);
    case 'input':
      return reply(`{"type":"tool_use","id":"${call?.id ?? ''}","name":"${call?.tool ?? ''}","input":{"command":"${text}"}}`);
    case 'output':
      return `{${frame},"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"${call?.id ?? ''}","content":"${text}"${isError ? ',"is_error":true' : ''}}]}}`;
    default:
      return assertNever(place);
  }
};

const SESSION = 200;
const ORDER = [
  'prompt',
  'thinking',
  'reply',
  'input',
  'output',
  'reply',
  'input',
  'output',
  'input',
  'output',
  'reply',
] as const satisfies readonly Place[];
const LENGTHS = { prompt: 25, reply: 45, thinking: 70, input: 8, output: 20 } as const satisfies Record<Place, number>;
const TOOLS = ['Bash', 'Read', 'Edit', 'Grep', 'Task'] as const;
const MODELS = ['claude-sonnet-4-5-20250929', 'claude-opus-4-6', 'claude-haiku-4-5-20251001'] as const;
const CODE = /\w[.(]\w+[(.]/u;
