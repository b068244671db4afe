import { isObject, objectOf, parseJson, stringOf } from '../../json.ts';

/** CODEX-4: the end of a sub-agent, in the form that everything downstream knows; null if the text doesn't report one. */
export const reportIn = (text: string): string | null => {
  const whole = text.trim();
  if (!whole.startsWith(START) || !whole.endsWith(END)) return null;
  const report = objectOf(parseJson(whole.slice(START.length, -END.length)));
  const agentId = stringOf(report?.['agent_path']) ?? stringOf(report?.['agent_id']);
  if (report === null || agentId === null) return null;
  const status = report['status'];
  const [kind = 'completed', words] = isObject(status) ? (Object.entries(status)[0] ?? []) : [stringOf(status) ?? undefined];
  return reportOf(agentId, kind, stringOf(words));
};

export const reportOf = (agentId: string, status: string, result: string | null): string =>
  [
    '<task-notification>',
    `<task-id>${agentId}</task-id>`,
    `<status>${status}</status>`,
    ...(result === null ? [] : [`<result>${result}</result>`]),
    '</task-notification>',
  ].join('\n');

const START = '<subagent_notification>';
const END = '</subagent_notification>';
