import { printableLine } from '@yarnboard/transcript';
import { FolderCheck, ShieldCheck, ShieldX } from 'lucide-react';
import type { InsideOutput } from '@yarnboard/protocol';
import { useAsk, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { ruleText } from './grant-words.ts';
import './permission-requests.css';

type Rules = InsideOutput<'session_rules'>;

/** PAGE-642: what Claude need not ask for in a session. */
export const SessionRules = ({ sessionId, onClose }: { readonly sessionId: string; readonly onClose: () => void }) => {
  const { data, error, refetch } = useAsk('session_rules', { id: sessionId }, { staleMs: 0 });
  const { send, isSending, refusal } = useCommand('session_rule_revoke');
  const askAgain = useAskAgain();
  const revoke = async (rule: string): Promise<void> => {
    if (isSending) return;
    await send({ id: sessionId, rule });
    askAgain('session_rules');
  };
  return (
    <Dialog isOpen title="Always allowed" description="What Claude does here without asking you." onClose={onClose}>
      {error !== null && data === undefined ? <Failure title="Couldn’t load the rules" error={error} onRetry={() => void refetch()} /> : null}
      {error === null && data === undefined ? <Skeleton lines={3} label="Loading rules" /> : null}
      <Refusal text={refusal} />
      {data === undefined ? null : (
        <>
          {data.problem === null ? null : (
            <Notice tone="warn">
              <p>Claude Code’s settings for this project can’t be read.</p>
              <p>{printableLine(data.problem)}</p>
            </Notice>
          )}
          <RuleList title="Until the run ends" rules={data.items.filter(({ scope }) => scope === 'session')} onRevoke={null} />
          <RuleList title="In this project" rules={data.items.filter(({ scope }) => scope === 'project')} onRevoke={(rule) => void revoke(rule)} />
          {data.items.length === 0 && data.problem === null ? (
            <Empty icon={ShieldCheck} title="Nothing yet">
              Choose “Always allow” when Claude asks for a permission, and it is listed here.
            </Empty>
          ) : null}
        </>
      )}
    </Dialog>
  );
};

type RuleListProps = { readonly title: string; readonly rules: Rules['items']; readonly onRevoke: ((rule: string) => void) | null };

const RuleList = ({ title, rules, onRevoke }: RuleListProps) =>
  rules.length === 0 ? null : (
    <section className="session-rules">
      <h3>{title}</h3>
      <ul className="permission-rules" aria-label={title}>
        {rules.map(({ rule, grant }) => (
          <li key={rule} className="permission-rule">
            {onRevoke === null ? <ShieldCheck aria-hidden /> : <FolderCheck aria-hidden />}
            <span className="permission-rule-words" title={printableLine(rule)}>
              {ruleText(grant)}
            </span>
            {onRevoke === null ? null : (
              <IconButton icon={ShieldX} label={`Revoke ${printableLine(rule)}`} size="small" onClick={() => onRevoke(rule)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
