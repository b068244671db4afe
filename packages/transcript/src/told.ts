import { objectOf, stringOf, type JsonObject } from './json.ts';

/**
 * A sub-agent's message, as repeated by a progress record in its caller's file, in the form of a record of its own; null for any other record. It is
 * all that is left of agents whose file is gone.
 */
export const toldIn = (value: JsonObject): JsonObject | null => {
  const data = value['type'] === 'progress' ? objectOf(value['data']) : null;
  if (data?.['type'] !== 'agent_progress') return null;
  const said = objectOf(data['message']);
  const agentId = stringOf(data['agentId']);
  if (said === null || agentId === null || stringOf(said['uuid']) === null) return null;
  if (said['type'] !== 'user' && said['type'] !== 'assistant') return null;
  const { sessionId = null, version = null, cwd = null } = value;
  return { ...said, isSidechain: true, agentId, sessionId, version, cwd };
};
