import { isObject, objectOf, parseJson, stringOf, type JsonObject } from './json.ts';

/**
 * A CLI-internal message about a background agent: it started, made progress, or ended. `source` determines its strength as evidence of which call
 * started which agent.
 */
export type Notice = {
  readonly source: 'progress' | 'notification';
  readonly agentId: string;
  readonly toolUseId: string | null;
  /** "completed", "failed", "stopped" …; null while the agent works. */
  readonly status: string | null;
};

/** Finds a notice in a record: in a user's text, a queue operation, a queued attachment or a progress record. */
export const readNotice = (value: JsonObject, type: string, text: string | null): Notice | null => {
  switch (type) {
    case 'user':
    case 'human':
      return text === null ? null : noticeInText(text);
    case 'queue-operation': {
      const content = stringOf(value['content']);
      return content === null ? null : noticeInText(content);
    }
    case 'attachment': {
      const attachment = objectOf(value['attachment']);
      if (attachment?.['type'] !== 'queued_command') return null;
      const prompt = stringOf(attachment['prompt']);
      return prompt === null ? null : noticeInText(prompt);
    }
    case 'progress':
      return noticeInProgress(value);
    default:
      return null;
  }
};

const noticeInProgress = (value: JsonObject): Notice | null => {
  const data = objectOf(value['data']);
  if (data?.['type'] !== 'agent_progress') return null;
  const agentId = stringOf(data['agentId']);
  return agentId === null ? null : { source: 'progress', agentId, toolUseId: stringOf(value['parentToolUseID']), status: null };
};

const noticeInText = (text: string): Notice | null => {
  const first = text.charCodeAt(0);
  if (first === 123 /* { */) return noticeInJson(text);
  if (first !== 60 /* < */ || !(text.startsWith('<task-notification>') || text.startsWith('<agent-notification>'))) return null;
  const agentId = tag(text, 'task-id') ?? tag(text, 'agent-id');
  return agentId === null ? null : { source: 'notification', agentId, toolUseId: tag(text, 'tool-use-id'), status: tag(text, 'status') };
};

// 2.1.50 queues {"task_id": …, "tool_use_id": …, "task_type": "local_agent"} when it starts an agent.
const noticeInJson = (text: string): Notice | null => {
  if (!text.includes('"task_id"')) return null;
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const agentId = stringOf(value['task_id']);
  return agentId === null ? null : { source: 'notification', agentId, toolUseId: stringOf(value['tool_use_id']), status: stringOf(value['status']) };
};

/** The text between the first `<name>` and `</name>`. */
export const tag = (text: string, name: string): string | null => {
  const from = text.indexOf(`<${name}>`);
  if (from === -1) return null;
  const to = text.indexOf(`</${name}>`, from);
  return to === -1 ? null : text.slice(from + name.length + 2, to);
};
