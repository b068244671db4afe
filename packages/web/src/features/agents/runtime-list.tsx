import { printableLine } from '@yarnboard/transcript';
import type { InsideOutput } from '@yarnboard/protocol';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { counted } from '../../ui/wording.ts';
import { nameOf } from '../../shared/names.ts';
import { Section } from '../../shared/section.tsx';
import { BypassMark, type RuntimeView, type SeatView } from './agent-work.tsx';

type Status = { readonly word: string; readonly tone: Tone };

/** PAGE-535: the runtimes defined in settings.json, whether they run, and recent failures; the page can't define any. */
export const RuntimeList = ({ runtimes, seats }: { readonly runtimes: readonly RuntimeView[]; readonly seats: readonly SeatView[] }) =>
  runtimes.length === 0 ? null : (
    <Section title="Runtimes" count={runtimes.length}>
      <ul className="runtimes card">
        {runtimes.map((runtime) => {
          const { name, kind, model, agents, restingUntil, problem, command, url } = runtime;
          const { word, tone } = statusOf(runtime);
          const faults = faultsOf(seats.filter((seat) => seat.runtime === name));
          return (
            <li key={name} className="runtime">
              <p className="agent-fact">
                <strong>{printableLine(name)}</strong>
                <Badge tone={tone}>{word}</Badge>
                <span className="soft">{printableLine(model === null ? kind : `${kind}, ${model}`)}</span>
                <BypassMark runtime={runtime} />
              </p>
              {command === null && url === null ? null : <code className="runtime-command">{printableLine(command?.join(' ') ?? url ?? '')}</code>}
              {restingUntil === null ? null : (
                <p className="agent-fact">
                  Its provider is busy until <Moment at={restingUntil} />.
                </p>
              )}
              {problem === null ? null : <p className="agent-problem">{printableLine(problem)}</p>}
              {faults === 0 ? null : <p className="agent-fact soft">{counted(faults, 'fault')} in its programs since they started.</p>}
              <p className="agent-about">{agents.length === 0 ? 'No agent uses it' : `Used by ${agents.map(nameOf).join(', ')}`}</p>
            </li>
          );
        })}
      </ul>
    </Section>
  );

const statusOf = ({ problem, restingUntil, seats }: RuntimeView): Status => {
  if (problem !== null) return { word: 'can’t run', tone: 'bad' };
  if (restingUntil !== null) return { word: 'resting', tone: 'violet' };
  return seats === 0 ? { word: 'ready', tone: 'plain' } : { word: counted(seats, 'running seat'), tone: 'good' };
};

const faultsOf = (seats: readonly SeatView[]): number => seats.flatMap(({ faults }) => Object.values(faults)).reduce((sum, count) => sum + count, 0);

export type TriedView = InsideOutput<'agent_try'>;
