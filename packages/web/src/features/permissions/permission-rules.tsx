import { printableLine } from '@yarnboard/transcript';
import { ShieldCheck, ShieldX } from 'lucide-react';
import { useAskAgain, useCommand } from '../../live/hooks.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { counted } from '../../ui/wording.ts';
import { Refusal } from '../../shared/refusal.tsx';
import './permission-requests.css';
import type { PermissionRule } from './permissions.ts';

/** PAGE-314: what an agent may do without asking, and a way to revoke it. */
export const PermissionRules = ({ rules, mayRevoke }: { readonly rules: readonly PermissionRule[]; readonly mayRevoke: boolean }) => {
  const { send, refusal } = useCommand('permission_revoke');
  const askAgain = useAskAgain();
  const revoke = async (ruleId: string): Promise<void> => {
    await send({ ruleId });
    askAgain('permissions');
  };
  return (
    <>
      <ul className="permission-rules" aria-label="Allowed without asking">
        {rules.map(({ ruleId, tool, pattern, directory, sidebarId, usedAt, uses }) => (
          <li key={ruleId} className="permission-rule">
            <ShieldCheck aria-hidden />
            <span className="permission-rule-words">
              <b>{printableLine(tool)}</b> <code>{printableLine(pattern)}</code>
              <span className="faint">
                {sidebarId === null ? 'everywhere' : `in ${sidebarId}`}
                {directory === null ? '' : `, ${printableLine(directory)}`}
                {uses === 0 ? ', not used yet' : `, used ${counted(uses, 'time')}, `}
                {usedAt === null ? null : <Moment at={usedAt} />}
              </span>
            </span>
            {mayRevoke ? <IconButton icon={ShieldX} label={`Revoke ${tool} ${pattern}`} size="small" onClick={() => void revoke(ruleId)} /> : null}
          </li>
        ))}
      </ul>
      <Refusal text={refusal} />
    </>
  );
};
