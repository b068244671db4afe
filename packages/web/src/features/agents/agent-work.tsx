import { printableLine } from '@yarnboard/transcript';
import { CirclePause, Hourglass, Moon, ShieldOff } from 'lucide-react';
import { Link } from 'wouter';
import type { InsideOutput } from '@yarnboard/protocol';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Moment } from '../../ui/moment.tsx';
import { counted, shortCount, usdText } from '../../ui/wording.ts';
import { SeatServer, type useServers } from './server-names.tsx';

export type LoadView = InsideOutput<'load'>['items'][number];
export type SeatView = InsideOutput<'seats'>['items'][number];
export type RuntimeView = InsideOutput<'runtimes'>['items'][number];

export const pathOf = (sidebarRef: string): string => `/sidebars/${encodeURIComponent(sidebarRef)}`;

/** The path that shows an agent's seat beside the conversation. */
export const seatPath = (sidebarRef: string, agentId: string): string => `${pathOf(sidebarRef)}?seat=${encodeURIComponent(agentId)}`;

/** PAGE-300: an agent's load: its seats, who is waiting for one, and what was paused to make room. */
export const AgentSeats = ({
  load,
  seats,
  servers,
}: {
  readonly load: LoadView;
  readonly seats: readonly SeatView[];
  readonly servers: ReturnType<typeof useServers>;
}) => {
  const { agentId, capacity, currentLoad, instances, maxConcurrentPerInstance, maxInstances, queue, queued, pausedFor } = load;
  if (capacity === null) return null;
  const stateOf = new Map(seats.map((seat) => [seat.sidebarId, seat]));
  return (
    <div className="agent-work">
      <Meter label="Seats" used={currentLoad} limit={capacity} text={`${currentLoad} of ${capacity}`} />
      {(maxInstances ?? 1) > 1 ? (
        <p className="agent-fact">
          {counted(instances.length, 'instance')} of {maxInstances}, {maxConcurrentPerInstance} seats each
        </p>
      ) : null}
      {instances.map(({ instanceId, seats: taken }) => (
        <ul key={instanceId} className="agent-seats" aria-label={`Seats of ${instanceId}`}>
          {taken.map(({ sidebarId, since }) => {
            const seat = stateOf.get(sidebarId);
            return (
              <li key={sidebarId} className="agent-seat">
                <Link href={seat === undefined ? pathOf(sidebarId) : seatPath(sidebarId, agentId)}>{sidebarId}</Link>
                {seat === undefined ? null : <Badge tone={SEAT_TONES[seat.state]}>{SEAT_WORDS[seat.state]}</Badge>}
                <SeatServer serverId={seat?.serverId ?? null} servers={servers} />
                <span className="faint">
                  joined <Moment at={since} />
                </span>
              </li>
            );
          })}
        </ul>
      ))}
      {queued === 0 ? null : (
        <div>
          <h3 className="agent-small">
            <Hourglass aria-hidden /> Waiting for a seat: {queued}
          </h3>
          <ol className="agent-seats" aria-label={`Queue of ${agentId}`}>
            {queue.map(({ requestId, sidebarId, priority, queuePosition, since }) => (
              <li key={requestId} className="agent-seat">
                <span className="numbers">{queuePosition}.</span>
                <Link href={pathOf(sidebarId)}>{sidebarId}</Link>
                <Badge tone={priority === 'CRITICAL' ? 'bad' : priority === 'HIGH' ? 'warn' : 'plain'}>{priority.toLowerCase()}</Badge>
                <span className="faint">
                  asked <Moment at={since} />
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
      {pausedFor.map(({ sidebarId, forSidebarId }) => (
        <p key={sidebarId} className="agent-fact agent-paused">
          <CirclePause aria-hidden />
          <span>
            <Link href={pathOf(sidebarId)}>{sidebarId}</Link> is paused
            {forSidebarId === null ? ' to make room' : <> for {<Link href={pathOf(forSidebarId)}>{forSidebarId}</Link>}</>}; it resumes by itself.
          </span>
        </p>
      ))}
    </div>
  );
};

/** PAGE-301: an agent's runtime, whether it is resting, and what it has spent. */
export const AgentRuntime = ({
  load,
  seats,
  runtime,
}: {
  readonly load: LoadView;
  readonly seats: readonly SeatView[];
  readonly runtime: RuntimeView | null;
}) => {
  if (load.runtime === null) return null;
  const today = seats[0]?.usdToday ?? null;
  const model = load.model ?? runtime?.model ?? null;
  return (
    <div className="agent-work">
      <p className="agent-fact">
        <span className="soft">Runs on</span> {printableLine(load.runtime)}
        {model === null ? null : <> with {printableLine(model)}</>}
        {load.resting ? (
          <Badge tone="violet" icon={Moon}>
            resting
          </Badge>
        ) : null}
        <BypassMark runtime={runtime} />
        {seats.some(({ reach }) => reach === 'board') ? (
          <Badge tone="warn" title="It can read the whole board, not only its sidebar">
            reads the whole board
          </Badge>
        ) : null}
      </p>
      {runtime?.problem === null || runtime === null ? null : <p className="agent-problem">{printableLine(runtime.problem)}</p>}
      {runtime?.restingUntil === undefined || runtime.restingUntil === null ? null : (
        <p className="agent-fact">
          Its provider is busy until <Moment at={runtime.restingUntil} />.
        </p>
      )}
      {today === null ? null : (
        <Meter label="Today" used={today.used} limit={today.limit} text={`${usdText(today.used)} of ${usdText(today.limit)}`} />
      )}
    </div>
  );
};

/** PAGE-315: an agent that bypasses permissions is marked wherever it is shown. */
export const BypassMark = ({ runtime }: { readonly runtime: RuntimeView | null }) =>
  runtime?.permissionMode === 'bypassPermissions' ? (
    <Badge tone="bad" icon={ShieldOff} title="Its runtime lets it use every tool without asking">
      asks no permission
    </Badge>
  ) : null;

/** How much of its budgets a seat has used. */
export const SeatBudgets = ({ seat: { turns, tokens, usd, usdToday } }: { readonly seat: SeatView }) => (
  <div className="agent-work">
    <Meter label="Turns" used={turns.used} limit={turns.limit} text={`${turns.used} of ${turns.limit}`} />
    <Meter label="Tokens" used={tokens.used} limit={tokens.limit} text={`${shortCount(tokens.used)} of ${shortCount(tokens.limit)}`} />
    <Meter label="Cost" used={usd.used} limit={usd.limit} text={`${usdText(usd.used)} of ${usdText(usd.limit)}`} />
    <Meter label="Today" used={usdToday.used} limit={usdToday.limit} text={`${usdText(usdToday.used)} of ${usdText(usdToday.limit)}`} />
  </div>
);

export const SEAT_WORDS = {
  working: 'working',
  ready: 'ready',
  waiting: 'not started',
  resting: 'resting',
  stopped: 'stopped',
  failed: 'failed',
} as const satisfies Record<SeatView['state'], string>;

export const SEAT_TONES = {
  working: 'accent',
  ready: 'good',
  waiting: 'plain',
  resting: 'violet',
  stopped: 'plain',
  failed: 'bad',
} as const satisfies Record<SeatView['state'], Tone>;
