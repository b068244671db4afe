import { objectOf, stringOf, type JsonObject } from './json.ts';

/**
 * What a sub-agent said, as a progress record in its caller's file repeats it, in the form of a record of its own; null for any other record. Agents whose
 * file is gone are known by nothing else.
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
