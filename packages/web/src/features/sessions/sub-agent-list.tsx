import { printableLine } from '@yarnboard/transcript';
import { Bot, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import '../../ui/menu.css';
import { counted, shortCount, usdText } from '../../ui/wording.ts';
import type { SubAgent } from './flow-context.ts';
import { helperIn, helpersText } from './own-agents.ts';
import { tokensIn } from './step-words.ts';
import { stateTone } from './sub-agent-card.tsx';
import { taskText } from './sub-agents.ts';

export type SubAgentListProps = {
  readonly count: number;
  readonly agents: ReadonlyMap<string, SubAgent>;
  /** The sub-agent whose conversation is open. */
  readonly openId: string | null;
  readonly onOpen: (agentId: string) => void;
};

/**
 * PAGE-153: all sub-agents of a session, including those that no call claims, with links to their conversations. PAGE-619: folds those that Claude
 * Code started for its own purposes.
 */
export const SubAgentList = ({ count, agents, openId, onOpen }: SubAgentListProps) => {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const all = [...agents.values()].map((agent) => ({ agent, helper: helperIn(agent) }));
  const helpers = all.flatMap(({ helper }) => helper ?? []);
  const called = all.filter(({ helper }) => helper === null);
  const shown = isUnfolded ? [...called, ...all.filter(({ helper }) => helper !== null)] : called;
  const known = agents.size === 0 ? counted(count, 'sub-agent') : called.length === 0 ? helpersText(helpers) : counted(called.length, 'sub-agent');
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="session-agents">
          <Bot aria-hidden />
          {known}
          <ChevronDown aria-hidden />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu session-agents-menu" align="start" sideOffset={4} collisionPadding={8}>
          {agents.size === 0 ? (
            <DropdownMenu.Item className="menu-item" disabled>
              Loading…
            </DropdownMenu.Item>
          ) : null}
          {shown.map(({ agent, helper }) => (
            <DropdownMenu.Item
              key={agent.agentId}
              className="menu-item session-agent"
              aria-current={agent.agentId === openId ? 'true' : undefined}
              onSelect={() => onOpen(agent.agentId)}
            >
              <span className="session-agent-words">
                <span className="session-agent-kind one-line">{helper ?? printableLine(agent.agent)}</span>
                <span className="visually-hidden">: </span>
                <span className="session-agent-task one-line">{helper === null ? (taskText(agent) ?? '') : ''}</span>
              </span>
              <span className="session-agent-facts numbers">
                {helper === null ? <Badge tone={stateTone(agent.state)}>{agent.state}</Badge> : null}
                {agent.responses === 0 ? null : <span>{shortCount(tokensIn(agent.usage))} tokens</span>}
                {agent.responses === 0 || agent.responses === agent.unpriced ? null : <span>{usdText(agent.costUsd)}</span>}
              </span>
            </DropdownMenu.Item>
          ))}
          {helpers.length === 0 ? null : (
            <DropdownMenu.Item
              className="menu-item"
              onSelect={(event) => {
                event.preventDefault();
                setIsUnfolded(!isUnfolded);
              }}
            >
              <span className="menu-words">
                <span>{isUnfolded ? 'Hide' : 'Show'} what Claude Code started by itself</span>
                <span className="menu-says">{helpersText(helpers)}</span>
              </span>
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};
