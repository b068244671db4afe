import { OPERATOR, type Sidebar } from '@yarnboard/domain';
import { printable, printableLine } from '@yarnboard/transcript';
import { CircleStop, OctagonX, RotateCw, X } from 'lucide-react';
import { Link } from 'wouter';
import { useActor, useAsk, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { useFreshBoard, useFreshSessions } from '../../shared/freshness.ts';
import { nameOf } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { Answered } from '../../shared/section.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Scroller } from '../../ui/scroller.tsx';
import './agents.css';
import { GrantForm } from './grant-form.tsx';
import { SeatServer, useServers } from './server-names.tsx';
import { SEAT_TONES, SEAT_WORDS, SeatBudgets } from './agent-work.tsx';

type SeatPanelProps = { readonly sidebar: Sidebar; readonly agentId: string; readonly onClose: () => void };

/** PAGE-306: a seat beside the conversation: what it is doing, what it has spent, its live transcript, and its briefing. */
export const SeatPanel = ({ sidebar, agentId, onClose }: SeatPanelProps) => {
  const servers = useServers();
  const seat = useAsk('seat', { sidebarId: sidebar.id, agentId });
  useFreshBoard('seat', 'briefing');
  return (
    <section className="seat-panel" aria-label={`Seat of ${nameOf(agentId)}`}>
      <header className="agent-head">
        <h2 className="agent-name one-line">{nameOf(agentId)}</h2>
        <IconButton icon={X} label="Close seat" size="small" onClick={onClose} />
      </header>
      <Answered query={seat} what="this seat">
        {(data) => (
          <>
            <p className="agent-fact">
              <Badge tone={SEAT_TONES[data.state]}>{SEAT_WORDS[data.state]}</Badge>
              {data.runtime === null ? null : (
                <span className="soft">{printableLine(data.model === null ? data.runtime : `${data.runtime}, ${data.model}`)}</span>
              )}
              <SeatServer serverId={data.serverId} servers={servers} />
              {data.since === null ? null : <Moment at={data.since} />}
            </p>
            {data.reason === null ? null : <p className="agent-problem">{printable(data.reason)}</p>}
            <SeatCalls sidebar={sidebar} agentId={agentId} isWorking={data.state === 'working'} />
            <SeatBudgets seat={data} />
            <SeatGrant sidebar={sidebar} agentId={agentId} />
            {data.sessionId === null ? null : <Transcript sessionId={data.sessionId} />}
            <BriefingText sidebarId={sidebar.id} agentId={agentId} />
          </>
        )}
      </Answered>
    </section>
  );
};

const SeatCalls = ({ sidebar, agentId, isWorking }: { readonly sidebar: Sidebar; readonly agentId: string; readonly isWorking: boolean }) => {
  const actor = useActor();
  const cancel = useCommand('seat_cancel');
  const stop = useCommand('seat_stop');
  const restart = useCommand('seat_restart');
  const askAgain = useAskAgain();
  if (actor === null || (actor.id !== OPERATOR.id && actor.id !== sidebar.coordinator)) return null;
  const call = async ({ send }: typeof cancel | typeof stop | typeof restart): Promise<void> => {
    await send({ sidebarId: sidebar.id, agentId });
    askAgain('seat', 'seats');
  };
  return (
    <>
      <p className="request-buttons">
        {isWorking ? (
          <Button size="small" icon={CircleStop} isBusy={cancel.isSending} onClick={() => void call(cancel)}>
            Cancel turn
          </Button>
        ) : null}
        <Button size="small" icon={OctagonX} isBusy={stop.isSending} onClick={() => void call(stop)}>
          Stop
        </Button>
        <Button size="small" icon={RotateCw} isBusy={restart.isSending} onClick={() => void call(restart)}>
          Restart
        </Button>
      </p>
      <Refusal text={cancel.refusal ?? stop.refusal ?? restart.refusal} />
    </>
  );
};

/** Only the operator can spend money. */
const SeatGrant = ({ sidebar, agentId }: { readonly sidebar: Sidebar; readonly agentId: string }) =>
  useActor()?.id === OPERATOR.id ? <GrantForm sidebarId={sidebar.id} agentId={agentId} name={nameOf(agentId)} sidebarRef={sidebar.ref} /> : null;

/** Its last steps; the full transcript is a session. */
const Transcript = ({ sessionId }: { readonly sessionId: string }) => {
  const conversation = useAsk('conversation', { id: sessionId, limit: 20, quick: 'true' }, { keepsPrevious: true });
  useFreshSessions([sessionId], 'conversation');
  return (
    <section className="seat-part" aria-label="Transcript">
      <header className="agent-head">
        <h3 className="agent-small agent-name">Transcript</h3>
        <Link href={`/sessions/${encodeURIComponent(sessionId)}`}>Open</Link>
      </header>
      <Scroller className="seat-scroll" label="Latest steps">
        {(conversation.data?.items ?? []).map(({ uuid, speaker, text, timestamp, operations }) => (
          <article key={uuid} className="seat-step">
            <p className="agent-about">
              <span>{printableLine(speaker)}</span>
              <Moment at={timestamp} />
            </p>
            {text === '' ? null : <p className="seat-text">{printable(text)}</p>}
            {operations.map((operation) => (
              <p key={operation.uuid} className="seat-operation">
                {printableLine(operation.summary)}
              </p>
            ))}
          </article>
        ))}
      </Scroller>
    </section>
  );
};

const BriefingText = ({ sidebarId, agentId }: { readonly sidebarId: string; readonly agentId: string }) => {
  const briefing = useAsk('briefing', { sidebarId, agentId, limit: 50 }, { keepsPrevious: true });
  const { data } = briefing;
  return data === undefined ? null : (
    <details className="seat-part">
      <summary className="agent-small">What it reads ({data.items.length === 0 ? 'not briefed yet' : `${data.items.length} turns so far`})</summary>
      <Scroller className="seat-scroll" label="Briefing">
        <p className="seat-text">{printable(data.text)}</p>
      </Scroller>
    </details>
  );
};
