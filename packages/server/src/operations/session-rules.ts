import { isAbsolute } from 'node:path';
import type { InputOf } from '@yarnboard/protocol';
import { projectRules, revokeProjectRule, ruleOf, type ProjectRules } from '../launches/project-rules.ts';
import type { Answer } from './request/answer.ts';
import { showHolder, type HolderNeeds } from './holder.ts';
import { refusedFor } from './request/refusal.ts';

/** RUN-43: what Claude need not ask for: until a run ends, and in its project. */
export const listSessionRules = async (needs: HolderNeeds, { id }: Pick<InputOf<'session_rules'>, 'id'>): Answer<'session_rules'> => {
  const { directory, sessionId } = await placeOf(needs, id);
  return told(needs, sessionId, directory, directory === null ? { ok: true, rules: [] } : await projectRules(directory));
};

export const revokeSessionRule = async (needs: HolderNeeds, { id, rule }: InputOf<'session_rule_revoke'>): Answer<'session_rule_revoke'> => {
  const { directory, sessionId } = await placeOf(needs, id);
  if (directory === null) throw refusedFor('directory-unknown', { session: id });
  const left = await revokeProjectRule(directory, rule);
  if (left === null) throw refusedFor('rule-not-kept', { rule });
  if (!left.ok) throw refusedFor('rules-unreadable', { file: left.file, why: left.why });
  return told(needs, sessionId, directory, left);
};

/** A transcript may say anything; a relative directory would be one of the server's. */
const placeOf = async (needs: HolderNeeds, id: string): Promise<{ readonly directory: string | null; readonly sessionId: string }> => {
  const { directory, sessionId } = (await showHolder(needs, { id })) as { readonly directory: string | null; readonly sessionId: string }; // its declared output
  return { directory: directory !== null && isAbsolute(directory) ? directory : null, sessionId };
};

const told = (needs: HolderNeeds, sessionId: string, directory: string | null, kept: ProjectRules): Awaited<Answer<'session_rules'>> => {
  const run = needs.runs.latestIn(sessionId);
  const lasting = run === null || run.state === 'ended' ? [] : run.lasting;
  return {
    directory,
    problem: kept.ok ? null : `${kept.file}: ${kept.why}`,
    items: [
      ...lasting.map((grant) => ({ rule: ruleOf(grant), scope: 'session' as const, grant })),
      ...(kept.ok ? kept.rules : []).map(({ rule, grant }) => ({ rule, scope: 'project' as const, grant })),
    ],
  };
};
