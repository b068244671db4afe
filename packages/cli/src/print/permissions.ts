import type { OutputOf } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { minute } from './sidebar.ts';

type Permissions = OutputOf<'permissions'>;
type Asked = Permissions['items'][number];

/** Requests waiting for an answer, each with the command that gives it; then recent answers, and the rules. */
export const printPermissions = ({ items, rules }: Permissions): string => {
  const open = items.filter(({ decision }) => decision === null);
  const answered = items.filter(({ decision }) => decision !== null);
  return [
    open.length === 0 ? 'nothing waits for your answer\n' : open.map(openOf).join(''),
    answered.length === 0 ? '' : `\nanswered:\n${answered.map(answeredOf).join('')}`,
    rules.length === 0 ? '' : `\nallowed without asking:\n${rules.map(ruleOf).join('')}`,
  ].join('');
};

const openOf = (one: Asked): string => {
  const { agent_id: agent, run_id: run, sidebar_id: sidebar, tool, summary, directory, asked_at: askedAt, request_id: request } = one;
  const place = [sidebar === null ? '' : ` in ${sidebar}`, directory === null ? '' : `, ${printableLine(directory)}`].join('');
  // A run's requests are answered on the page.
  const answer = run === null ? `yarnboard agent permit ${request} allow` : `run ${run}, request ${request}`;
  return `${agent ?? 'Claude'} wants to use ${printableLine(tool)}${place}, since ${minute(askedAt)}\n  ${printableLine(summary)}\n  ${answer}\n`;
};

const answeredOf = ({ agent_id: agent, tool, summary, decision, means, is_changed: isChanged, answered_at: at }: Asked): string =>
  `  ${at === null ? '' : minute(at)}  ${agent ?? 'Claude'}  ${printableLine(tool)} ${printableLine(summary)}: ${WORDS[decision ?? 'withdrawn']}${means === 'rule' ? ' by a rule' : ''}${isChanged ? ' with changes' : ''}\n`;

const ruleOf = ({ rule_id: id, agent_id: agent, sidebar_id: sidebar, tool, pattern, directory }: Permissions['rules'][number]): string =>
  `  ${agent}${sidebar === null ? '' : ` in ${sidebar}`}  ${printableLine(tool)} ${printableLine(pattern)}${directory === null ? '' : `  in ${printableLine(directory)}`}  (yarnboard agent revoke ${id})\n`;

const WORDS = { allow: 'allowed', deny: 'denied', withdrawn: 'withdrawn' } as const;
