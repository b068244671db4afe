import { OPERATOR } from '@yarnboard/domain';
import { printable } from '@yarnboard/transcript';
import { Bot, Ellipsis, FlaskConical, KeyRound, Moon, Sun, UserMinus, UserPlus, UserRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useActor, useAsk, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import { useFreshBoard } from '../../shared/freshness.ts';
import { Answered } from '../../shared/section.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { nameOf } from '../../shared/names.ts';
import { PermissionRules } from '../permissions/permission-rules.tsx';
import { usePermissions, type PermissionRule } from '../permissions/permissions.ts';
import { TraceLink } from '../../shared/trace-link.tsx';
import { AddAgent } from './add-agent.tsx';
import type { AgentView } from './agent-view.ts';
import { AgentRuntime, AgentSeats, type LoadView, type RuntimeView, type SeatView } from './agent-work.tsx';
import './agents.css';
import { NewToken } from './new-token.tsx';
import { RestAll } from './rest-all.tsx';
import { RetireAgent } from './retire-agent.tsx';
import { RuntimeList } from './runtime-list.tsx';
import { AgentServers, useServers } from './server-names.tsx';
import { TryAgent } from './try-agent.tsx';

type Open = { readonly kind: 'add' } | { readonly kind: 'token' | 'retire' | 'try'; readonly agent: AgentView };

/** PAGE-58: everyone who has a token: presence, skills and current work. */
export const Agents = () => {
  const agents = useAsk('agents', { limit: 500 }, { everyMs: 15_000 });
  const work = useWork();
  useFreshBoard('agents', 'load', 'seats', 'runtimes');
  const actor = useActor();
  const [open, setOpen] = useState<Open | null>(null);
  const mayChange = actor?.id === OPERATOR.id;
  const close = (): void => setOpen(null);
  return (
    <Page
      title="Agents"
      subtitle="Agents and people with their own token. What they do is logged under their name."
      actions={
        mayChange ? (
          <>
            <RestAll loads={[...work.loads.values()]} />
            <Button variant="primary" icon={UserPlus} onClick={() => setOpen({ kind: 'add' })}>
              Add an agent
            </Button>
          </>
        ) : undefined
      }
    >
      <Answered query={agents} what="agents" lines={5}>
        {({ items }) => (
          <AgentList
            agents={items}
            work={work}
            mayChange={mayChange}
            onToken={(agent) => setOpen({ kind: 'token', agent })}
            onRetire={(agent) => setOpen({ kind: 'retire', agent })}
            onTry={(agent) => setOpen({ kind: 'try', agent })}
          />
        )}
      </Answered>
      <RuntimeList runtimes={work.runtimes} seats={work.seats} />
      {open?.kind === 'add' ? <AddAgent onClose={close} /> : null}
      {open?.kind === 'token' ? <NewToken agent={open.agent} onClose={close} /> : null}
      {open?.kind === 'try' ? <TryAgent agentId={open.agent.agentId} onClose={close} /> : null}
      {open?.kind === 'retire' ? <RetireAgent agent={open.agent} onClose={close} /> : null}
    </Page>
  );
};

/** What we know of everyone's work, apart from who they are. */
type Work = {
  readonly loads: ReadonlyMap<string, LoadView>;
  readonly seats: readonly SeatView[];
  readonly runtimes: readonly RuntimeView[];
  readonly rules: readonly PermissionRule[];
  readonly servers: ReturnType<typeof useServers>;
};

const useWork = (): Work => {
  const loads = useAsk('load', { limit: 500 }, { everyMs: 15_000 });
  const seats = useAsk('seats', { limit: 500 }, { everyMs: 15_000 });
  const runtimes = useAsk('runtimes', {}, { everyMs: 15_000 });
  const permissions = usePermissions();
  const servers = useServers();
  return {
    loads: new Map((loads.data?.items ?? []).map((one) => [one.agentId, one])),
    seats: seats.data?.items ?? [],
    runtimes: runtimes.data?.items ?? [],
    rules: permissions.data?.rules ?? [],
    servers,
  };
};

type AgentListProps = {
  readonly agents: readonly AgentView[];
  readonly work: Work;
  readonly mayChange: boolean;
  readonly onToken: (agent: AgentView) => void;
  readonly onRetire: (agent: AgentView) => void;
  readonly onTry: (agent: AgentView) => void;
};

const AgentList = ({ agents, work, mayChange, onToken, onRetire, onTry }: AgentListProps) => {
  const others = agents.filter(({ agentId }) => agentId !== OPERATOR.id);
  const ordered = [...agents.filter(({ agentId }) => agentId === OPERATOR.id), ...others.toSorted(byUse)];
  return (
    <>
      <ul className="agents">
        {ordered.map((agent) => (
          <li key={agent.agentId} className={`agent card${agent.isRetired ? ' agent-retired' : ''}`}>
            <AgentCard
              agent={agent}
              work={work}
              mayChange={mayChange}
              actions={mayChange && agent.agentId !== OPERATOR.id && !agent.isRetired ? { onToken, onRetire, onTry } : null}
            />
          </li>
        ))}
      </ul>
      {others.length > 0 ? null : (
        <Empty icon={Bot} title="No agents yet">
          {mayChange
            ? 'Add an agent to let Claude Code read the board, work in sidebars and report findings over MCP.'
            : 'Only the operator can add agents.'}
        </Empty>
      )}
    </>
  );
};

type AgentCardProps = {
  readonly agent: AgentView;
  readonly work: Work;
  readonly mayChange: boolean;
  readonly actions: Pick<AgentListProps, 'onToken' | 'onRetire' | 'onTry'> | null;
};

const AgentCard = ({ agent, work, mayChange, actions }: AgentCardProps) => {
  const { agentId, kind, specialties, preferredCollaborators, availability, currentContext, seenAt, activeSidebars, isRetired } = agent;
  const load = work.loads.get(agentId) ?? null;
  const seats = work.seats.filter((seat) => seat.agentId === agentId && seat.instanceId !== null);
  const rules = work.rules.filter((rule) => rule.agentId === agentId);
  const rest = useCommand('agents_rest');
  const askAgain = useAskAgain();
  const restOne = async (resting: boolean): Promise<void> => {
    await rest.send({ agentId, resting });
    askAgain('load', 'seats', 'agents');
  };
  const Icon = kind === 'human' ? UserRound : Bot;
  const { word, tone } = isRetired ? RETIRED : PRESENCES[availability];
  return (
    <>
      <header className="agent-head">
        <Icon className="agent-icon" aria-hidden />
        <h2 className="agent-name one-line">{nameOf(agentId)}</h2>
        <Badge tone={tone}>{word}</Badge>
        <AgentServers agentId={agentId} servers={work.servers} />
        <TraceLink to={agentId} name={nameOf(agentId)} />
        {actions === null ? null : (
          <Menu
            items={[
              ...(load === null || load.runtime === null
                ? []
                : [
                    {
                      label: load.resting ? 'Resume' : 'Rest',
                      icon: load.resting ? Sun : Moon,
                      onSelect: () => void restOne(!load.resting),
                    },
                    { label: 'Try', icon: FlaskConical, onSelect: () => actions.onTry(agent) },
                  ]),
              { label: 'New token', icon: KeyRound, onSelect: () => actions.onToken(agent) },
              { label: 'Retire', icon: UserMinus, isDangerous: true, onSelect: () => actions.onRetire(agent) },
            ]}
          >
            <IconButton icon={Ellipsis} label={`Actions for ${nameOf(agentId)}`} size="small" />
          </Menu>
        )}
      </header>
      {specialties.length === 0 ? null : (
        <ul className="agent-specialties" aria-label="Skills">
          {specialties.map((one) => (
            <li key={one}>
              <Badge>{one}</Badge>
            </li>
          ))}
        </ul>
      )}
      {currentContext === null || isRetired ? null : (
        <p className="small">
          <span className="soft">Now:</span> {printable(currentContext)}
        </p>
      )}
      {preferredCollaborators.length === 0 ? null : (
        <p className="small">
          <span className="soft">Works well with:</span> {preferredCollaborators.map(nameOf).join(', ')}
        </p>
      )}
      {load === null || isRetired ? null : (
        <>
          <AgentRuntime load={load} seats={seats} runtime={work.runtimes.find(({ name }) => name === load.runtime) ?? null} />
          <AgentSeats load={load} seats={seats} servers={work.servers} />
        </>
      )}
      {rules.length === 0 ? null : <PermissionRules rules={rules} mayRevoke={mayChange} />}
      <Refusal text={rest.refusal} />
      <p className="agent-about">
        <span>{activeSidebars.length === 0 ? 'No sidebars' : counted(activeSidebars.length, 'sidebar')}</span>
        {activeSidebars.slice(0, MOST_NAMED).map((ref) => (
          <Link key={ref} href={`/sidebars/${ref}`}>
            {ref}
          </Link>
        ))}
        {activeSidebars.length > MOST_NAMED ? <span>and {activeSidebars.length - MOST_NAMED} more</span> : null}
        {seenAt === null ? null : (
          <span>
            last seen <Moment at={seenAt} />
          </span>
        )}
      </p>
    </>
  );
};

/** Online first, retired last. */
const byUse = (a: AgentView, b: AgentView): number =>
  Number(a.isRetired) - Number(b.isRetired) || ORDER[a.availability] - ORDER[b.availability] || a.agentId.localeCompare(b.agentId, 'en');

const PRESENCES = {
  available: { word: 'online', tone: 'good' },
  busy: { word: 'busy', tone: 'warn' },
  offline: { word: 'offline', tone: 'plain' },
} as const satisfies Record<AgentView['availability'], { readonly word: string; readonly tone: Tone }>;
const RETIRED = { word: 'retired', tone: 'plain' } as const;
const ORDER = { available: 0, busy: 1, offline: 2 } as const satisfies Record<AgentView['availability'], number>;
const MOST_NAMED = 5;
