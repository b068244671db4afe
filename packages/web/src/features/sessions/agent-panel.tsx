import { printableLine } from '@yarnboard/transcript';
import { X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { TraceLink } from '../../shared/trace-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { IconButton } from '../../ui/button.tsx';
import { counted, shortCount, usdText } from '../../ui/wording.ts';
import './agent-panel.css';
import type { SubAgent } from './flow-context.ts';
import { stateTone } from './sub-agent-card.tsx';
import { tokensIn } from './step-words.ts';
import { callersOf, taskText } from './sub-agents.ts';

export type AgentPanelProps = {
  readonly sessionId: string;
  readonly agentId: string;
  readonly agents: ReadonlyMap<string, SubAgent>;
  readonly onClose: () => void;
  readonly onOpen: (agentId: string) => void;
  readonly children: ReactNode;
};

/** PAGE-21: a sub-agent's conversation next to the main one; on narrow screens on top of it. */
export const AgentPanel = ({ sessionId, agentId, agents, onClose, onOpen, children }: AgentPanelProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const callers = callersOf(agents, agentId);
  const agent = agents.get(agentId) ?? null;
  // Focuses the panel when it opens, and returns the focus when it closes.
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section className="agent-panel" aria-labelledby="agent-panel-title">
      <header className="agent-panel-head">
        <div className="agent-panel-words">
          <Breadcrumbs label="Sub-agents">
            <button type="button" className="agent-panel-crumb" onClick={onClose}>
              Session
            </button>
            {callers.slice(0, -1).map((caller) => (
              <button key={caller.agentId} type="button" className="agent-panel-crumb" onClick={() => onOpen(caller.agentId)}>
                <AgentName agent={caller} />
              </button>
            ))}
          </Breadcrumbs>
          <h2 id="agent-panel-title" ref={heading} tabIndex={-1} className="agent-panel-title">
            {agent === null ? 'Sub-agent' : <AgentName agent={agent} />}
          </h2>
          {agent === null ? null : (
            <p className="agent-panel-facts numbers">
              <Badge tone={stateTone(agent.state)}>{agent.state}</Badge>
              <span>{counted(agent.messages, 'message')}</span>
              {agent.toolUses === 0 ? null : <span>{counted(agent.toolUses, 'tool use')}</span>}
              {agent.responses === 0 ? null : <span>{shortCount(tokensIn(agent.usage))} tokens</span>}
              {agent.responses === agent.unpriced ? null : <span>{usdText(agent.costUsd)}</span>}
            </p>
          )}
        </div>
        <TraceLink to={`agent:${agentId}@${sessionId}`} name="this sub-agent" />
        <IconButton icon={X} label="Close sub-agent" onClick={onClose} />
      </header>
      <div className="agent-panel-body">{children}</div>
    </section>
  );
};

/** PAGE-158: the sub-agent's kind and its task, to tell several of the same kind apart. */
const AgentName = ({ agent }: { readonly agent: SubAgent }) => {
  const task = taskText(agent);
  return (
    <>
      {printableLine(agent.agent)}
      {task === null ? null : (
        <>
          <span className="visually-hidden">: </span>
          <span className="agent-panel-task">{task}</span>
        </>
      )}
    </>
  );
};
