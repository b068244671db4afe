import { uuidFor, draftOfLine, NOWHERE, type Item } from '@yarnboard/store';
import { readEntry, type JsonObject } from '@yarnboard/transcript';
import { NOON } from './bench.ts';

/** A line of a transcript as it is appended. */
export const line = (sessionId: string, record: JsonObject): Item => {
  const reading = readEntry(record, NOWHERE);
  const text = JSON.stringify(record);
  const context = { sessionId, agentId: null };
  return {
    draft: draftOfLine({ context, reading, fault: null, length: text.length, occurrence: 1, fallbackAt: NOON }),
    payload: Buffer.from(text),
    reading,
  };
};

export const uuidOf = (name: string): string => uuidFor(`record ${name}`);

type Place = { readonly sessionId: string; readonly name: string; readonly parent: string | null };

const about = ({ sessionId, name, parent }: Place) => ({
  uuid: uuidOf(`${sessionId}/${name}`),
  parentUuid: parent === null ? null : uuidOf(`${sessionId}/${parent}`),
  sessionId,
  timestamp: new Date(NOON).toISOString(),
});

export const prompt = (place: Place, text: string): Item =>
  line(place.sessionId, { type: 'user', ...about(place), message: { role: 'user', content: text } });

export const reply = (place: Place, text: string, messageId = `msg_${place.name}`): Item =>
  line(place.sessionId, {
    type: 'assistant',
    ...about(place),
    message: { id: messageId, type: 'message', role: 'assistant', model: 'claude', content: [{ type: 'text', text }] },
  });

export const toolUse = (place: Place, id: string, messageId: string): Item =>
  line(place.sessionId, {
    type: 'assistant',
    ...about(place),
    message: {
      id: messageId,
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `echo ${id}` } }],
    },
  });

export const toolResult = (place: Place, id: string): Item =>
  line(place.sessionId, {
    type: 'user',
    ...about(place),
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `result ${id}` }] },
  });

export const compaction = (place: Place, logicalParent: string): Item =>
  line(place.sessionId, {
    type: 'system',
    subtype: 'compact_boundary',
    ...about({ ...place, parent: null }),
    logicalParentUuid: uuidOf(`${place.sessionId}/${logicalParent}`),
    content: 'Conversation compacted',
  });
