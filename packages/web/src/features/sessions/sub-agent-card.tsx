import { printableLine } from '@yarnboard/transcript';
import { Bot, PanelRightOpen } from 'lucide-react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { counted, durationText, shortCount, usdText } from '../../ui/wording.ts';
import { useFlowDeeds, useOpenAgent, useSubAgent, type SubAgent } from './flow-context.ts';
import type { FlowOperation } from './flow-pages.ts';
import { OperationLine, OperationMark, summaryOf } from './operation-line.tsx';
import { tokensIn } from './step-words.ts';

/** A sub-agent at its call: its name, its state and its cost. Opens its conversation. */
export const SubAgentCard = ({ operation, agentId }: { readonly operation: FlowOperation; readonly agentId: string }) => {
  const { openAgent } = useFlowDeeds();
  const agent = useSubAgent(agentId);
  const title = titleOf(operation);
  const isOpen = useOpenAgent() === agentId;
  return (
    <div className={`agent-card${isOpen ? ' agent-card-current' : ''}`}>
      <button type="button" className="agent-card-open" aria-current={isOpen ? 'true' : undefined} onClick={() => openAgent(agentId)}>
        <span className="agent-card-head">
          <Bot className="operation-icon" aria-hidden />
          <span className="agent-card-name one-line">{printableLine(agent?.agent ?? 'Sub-agent')}</span>
          <span className="visually-hidden">: </span>
          <span className="agent-card-title one-line">{title}</span>
          <PanelRightOpen className="agent-card-icon" aria-hidden />
        </span>
        <span className="agent-card-facts numbers">
          {agent === null ? <OperationMark state={operation.state} /> : <Badge tone={stateTone(agent.state)}>{agent.state}</Badge>}
          {agent === null ? null : factsOf(agent, operation).map((fact) => <span key={fact}>{fact}</span>)}
        </span>
      </button>
      <OperationLine operation={operation} label="Task and result" />
    </div>
  );
};

/** Its task, e.g. "Delegated to Explore: Who holds connections" without the part the card already shows. */
const titleOf = (operation: FlowOperation): string => {
  const summary = summaryOf(operation);
  return /^Delegat(?:ing|ed|e)(?: to [^:]*)?: (.+)$/su.exec(summary)?.[1] ?? summary;
};

export const stateTone = (state: string): Tone => (state === 'complete' ? 'good' : state === 'running' ? 'info' : 'warn');

const factsOf = (agent: SubAgent, operation: FlowOperation): readonly string[] => {
  const { messages, toolUses, usage, costUsd, responses, unpriced } = agent;
  const took = tookOf(agent) ?? operation.durationMs;
  return [
    counted(messages, 'message'),
    ...(toolUses === 0 ? [] : [counted(toolUses, 'tool use')]),
    ...(responses === 0 ? [] : [`${shortCount(tokensIn(usage))} tokens`]),
    ...(responses === 0 || responses === unpriced ? [] : [usdText(costUsd)]),
    ...(took === null ? [] : [durationText(took)]),
  ];
};

const tookOf = ({ startedAt, endedAt }: SubAgent): number | null => {
  const took = startedAt === null || endedAt === null ? Number.NaN : Date.parse(endedAt) - Date.parse(startedAt);
  return Number.isFinite(took) && took > 0 ? took : null;
};
