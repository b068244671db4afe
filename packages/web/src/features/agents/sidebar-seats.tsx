import { isEnded, rightTo, type Sidebar } from '@yarnboard/domain';
import { printable } from '@yarnboard/transcript';
import { Armchair, Hourglass, MailQuestion, Undo2, UserPlus } from 'lucide-react';
import { Link } from 'wouter';
import { useActor, useAsk, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { useFreshBoard } from '../../shared/freshness.ts';
import { nameOf } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import './agents.css';
import { BypassMark, SEAT_TONES, SEAT_WORDS, seatPath } from './agent-work.tsx';
import { SeatServer, useServers } from './server-names.tsx';
import { useRequests } from './request-answer.tsx';

/** PAGE-305: a sidebar's active seats, who was asked, who is waiting at which place in the queue, and who might help. */
export const SidebarSeats = ({ sidebar, onRecruit }: { readonly sidebar: Sidebar; readonly onRecruit: (agent: string) => void }) => {
  const actor = useActor();
  const requests = useRequests(sidebar.id);
  const seats = useAsk('seats', { sidebarId: sidebar.id, limit: 100 });
  const runtimes = useAsk('runtimes', {}, { isWanted: (seats.data?.items.length ?? 0) > 0, staleMs: 60_000 });
  const suggestions = useAsk('suggestions', { sidebarId: sidebar.id }, { isWanted: !isEnded(sidebar.status), staleMs: 10_000 });
  const servers = useServers();
  useFreshBoard('seats');
  const withdraw = useCommand('recruitment_withdraw');
  const askAgain = useAskAgain();
  const mayRecruit = actor !== null && !isEnded(sidebar.status) && rightTo('recruit', sidebar, actor) === 'yes';
  const takeBack = async (requestId: string): Promise<void> => {
    await withdraw.send({ requestId });
    askAgain('recruitments', 'load');
  };
  const acting = seats.data?.items.filter(({ agentId }) => sidebar.participants.includes(agentId)) ?? [];
  const asked = new Set(requests.map(({ agentId }) => agentId));
  const helpful = (suggestions.data?.items ?? []).filter(({ agentId }) => !sidebar.participants.includes(agentId) && !asked.has(agentId));
  return (
    <>
      {acting.length === 0 ? null : (
        <ul className="agent-seats" aria-label="Seats">
          {acting.map(({ agentId, state, runtime, reason, serverId }) => (
            <li key={agentId} className="agent-seat">
              <Armchair aria-hidden />
              <Link href={seatPath(sidebar.ref, agentId)}>{nameOf(agentId)}</Link>
              <Badge tone={SEAT_TONES[state]} {...(reason === null ? {} : { title: reason })}>
                {SEAT_WORDS[state]}
              </Badge>
              <SeatServer serverId={serverId} servers={servers} />
              <BypassMark runtime={runtimes.data?.items.find(({ name }) => name === runtime) ?? null} />
            </li>
          ))}
        </ul>
      )}
      {requests.length === 0 ? null : (
        <ul className="agent-seats" aria-label="Asked and waiting">
          {requests.map(({ requestId, agentId, state, queuePosition, requestedAt, requestedBy }) => (
            <li key={requestId} className="agent-seat">
              {state === 'queued' ? <Hourglass aria-hidden /> : <MailQuestion aria-hidden />}
              <span>{nameOf(agentId)}</span>
              <Badge tone="warn">{state === 'queued' ? `waits, place ${queuePosition ?? '?'}` : 'asked'}</Badge>
              <span className="faint">
                <Moment at={requestedAt} />
              </span>
              {actor !== null && (requestedBy === actor.id || rightTo('dismiss', sidebar, actor) === 'yes') ? (
                <IconButton icon={Undo2} label={`Withdraw the request to ${nameOf(agentId)}`} size="small" onClick={() => void takeBack(requestId)} />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {helpful.length === 0 || isEnded(sidebar.status) ? null : (
        <div>
          <h3 className="agent-small">Might help</h3>
          <ul className="agent-seats" aria-label="Suggested">
            {helpful.map(({ agentId, why }) => (
              <li key={agentId} className="agent-seat">
                {mayRecruit ? (
                  <Button size="small" icon={UserPlus} onClick={() => onRecruit(agentId)}>
                    {nameOf(agentId)}
                  </Button>
                ) : (
                  <span>{nameOf(agentId)}</span>
                )}
                <span className="faint">{printable(why)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Refusal text={withdraw.refusal} />
    </>
  );
};
