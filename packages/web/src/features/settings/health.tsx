import { isOperator } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { printable, printableLine } from '@yarnboard/transcript';
import { CircleAlert, CircleX, ListChecks, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useActor, useAsk } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { Failure } from '../../ui/state.tsx';
import { bytesText, counted, countOf } from '../../ui/wording.ts';
import { ImportProgress } from '../home/import-progress.tsx';
import { Answered, Section } from '../../shared/section.tsx';
import { CachePlaces } from '../recovery/cache-places.tsx';
import { Fact, Facts } from './facts.tsx';
import { UnreadableLines } from './unreadable-lines.tsx';
import { Good } from './good.tsx';
import './health.css';
import './settings.css';
import { STATES } from './states.ts';

type Status = InsideOutput<'status'>;

/** PAGE-55: the state of the server, the log and the library. */
export const Health = () => {
  const status = useAsk('status', {}, { everyMs: 2000 });
  return (
    <Page title="Health" intro="health">
      {status.data === undefined ? null : <ImportProgress status={status.data} />}
      <Section title="Server">
        <div className="settings-card card">
          <Answered query={status} what="server status" lines={5}>
            {(data) => <ServerFacts status={data} />}
          </Answered>
        </div>
      </Section>
      <OutageSafety />
      <Troubles troubles={status.data?.troubles ?? []} failing={status.data?.failing ?? []} />
      <Verification />
      <Integrity />
    </Page>
  );
};

const ServerFacts = ({ status }: { readonly status: Status }) => {
  const { version, pid, startedAt, state, why, entries, indexed, storage, home, database, board } = status;
  return (
    <Facts>
      <Fact name="State">
        {STATES[state]}
        {why === null ? '' : `: ${why}`}
      </Fact>
      <Fact name="Version">Yarnboard {version}</Fact>
      <Fact name="Started">
        <Moment at={startedAt} />, process {pid}
      </Fact>
      <Fact name="Log">
        {counted(entries, 'entry', 'entries')}, {indexed >= entries ? 'all searchable' : `${countOf(indexed)} searchable so far`}
      </Fact>
      <Fact name="Storage">
        {bytesText(storage.bytes)} on disk ({bytesText(storage.payloadBytes)} uncompressed)
      </Fact>
      <Fact name="Home">
        <code>{home}</code>
      </Fact>
      <Fact name="Database">
        <code>{database}</code>
      </Fact>
      <Fact name="Board">
        <code>{board}</code>
      </Fact>
    </Facts>
  );
};

/** PAGE-449 */
const OutageSafety = () => {
  const actor = useActor();
  const isMine = actor !== null && isOperator(actor);
  const recovery = useAsk('recovery', {}, { isWanted: isMine });
  return isMine ? (
    <Section title="Outages">
      <div className="settings-card card">
        <Answered query={recovery} what="places for queued items" lines={3}>
          {(data) => <CachePlaces places={data.places} lastOutage={data.lastOutage} />}
        </Answered>
      </div>
    </Section>
  ) : null;
};

type TroublesProps = { readonly troubles: Status['troubles']; readonly failing: NonNullable<Status['failing']> };

const Troubles = ({ troubles, failing }: TroublesProps) => (
  <Section title="Problems" count={troubles.length + failing.length}>
    <div className="settings-card card">
      {failing.length === 0 ? null : <FailingTasks failing={failing} />}
      {troubles.length === 0 ? (
        <Good text="All files readable" />
      ) : (
        <ul className="health-list">
          {troubles.map(({ path, why, since }) => (
            <li key={`${path}|${why}`} className="health-line">
              <TriangleAlert className="health-warn" aria-hidden />
              <div className="health-words">
                <code>{printableLine(path)}</code>
                <p className="small">{printable(why)}</p>
              </div>
              <span className="small faint">
                <Moment at={since} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <UnreadableLines />
    </div>
  </Section>
);

/** FOLLOW-9 */
const FailingTasks = ({ failing }: Pick<TroublesProps, 'failing'>) => (
  <ul className="health-list" aria-label="Failing background tasks">
    {failing.map(({ name, effect, why, remedy, since }) => (
      <li key={name} className="health-line">
        <TriangleAlert className="health-warn" aria-hidden />
        <div className="health-words">
          <p>
            {effect}: {printable(why)}
          </p>
          <p className="small soft">{withCommands(remedy)}</p>
        </div>
        <span className="small faint">
          <Moment at={since} />
        </span>
      </li>
    ))}
  </ul>
);

/** Text between backticks is a command. */
const withCommands = (text: string): readonly ReactNode[] => text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={part}>{part}</code>));

/** PAGE-56: reads the whole chain, so it runs only on request. */
const Verification = () => {
  const verdict = useAsk('verify', {}, { isWanted: false });
  return (
    <Section
      title="Log"
      actions={
        <Button icon={ShieldCheck} isBusy={verdict.isFetching} onClick={() => void verdict.refetch()}>
          Verify log
        </Button>
      }
    >
      <div className="settings-card card" aria-live="polite">
        {verdict.error === null ? null : <Failure title="Couldn’t verify the log" error={verdict.error} />}
        {verdict.data === undefined ? (
          verdict.error === null ? (
            <p className="small soft">Every entry carries a checksum that covers the one before it. Verifying rereads them all.</p>
          ) : null
        ) : (
          <Verdict verdict={verdict.data} at={verdict.dataUpdatedAt} />
        )}
      </div>
    </Section>
  );
};

const Verdict = ({ verdict, at }: { readonly verdict: InsideOutput<'verify'>; readonly at: number }) => (
  <>
    {verdict.isWhole ? (
      <Good text="Log verified: no tampering found." />
    ) : (
      <p className="health-line health-bad" role="alert">
        <CircleX aria-hidden />
        <span>
          Log damaged
          {verdict.broken === null ? '' : ` at entry ${countOf(verdict.broken.position)} (${verdict.broken.kind}): ${verdict.broken.why}`}
        </span>
      </p>
    )}
    <Facts>
      <Fact name="Verified">
        <Moment at={at} />
      </Fact>
      <Fact name="Entries">{countOf(verdict.entries)}</Fact>
      <Fact name="Content">
        {counted(verdict.payloads, 'payload')}, {bytesText(verdict.bytes)}
        {verdict.forgotten === 0 ? '' : ` (${countOf(verdict.forgotten)} deleted on request)`}
      </Fact>
      <Fact name="Checkpoints">{verdict.checkpoints === 0 ? 'none yet' : `${countOf(verdict.checkpoints)} matching`}</Fact>
      <Fact name="Head">
        <code>{verdict.head}</code>
      </Fact>
    </Facts>
  </>
);

/** PAGE-57 */
const Integrity = () => {
  const report = useAsk('integrity', {}, { isWanted: false });
  return (
    <Section
      title="Library"
      actions={
        <Button icon={ListChecks} isBusy={report.isFetching} onClick={() => void report.refetch()}>
          Check library
        </Button>
      }
    >
      <div className="settings-card card" aria-live="polite">
        {report.error === null ? null : <Failure title="Couldn’t check the library" error={report.error} />}
        {report.data === undefined ? (
          report.error === null ? (
            <p className="small soft">The page shows a library built from the log. A check looks for inconsistencies in it.</p>
          ) : null
        ) : (
          <Report report={report.data} />
        )}
      </div>
    </Section>
  );
};

const Report = ({ report }: { readonly report: InsideOutput<'integrity'> }) => (
  <>
    {report.isSound ? (
      <Good text={`${counted(report.messages, 'message')} and ${counted(report.operations, 'operation')} checked: no problems found.`} />
    ) : (
      <p className="health-line health-bad" role="alert">
        <CircleAlert aria-hidden />
        <span>
          Inconsistencies found. Run <code>yarnboard rebuild</code> to rebuild the library from the log.
        </span>
      </p>
    )}
    {report.findings.length === 0 ? null : (
      <ul className="health-list">
        {report.findings.map(({ rule, severity, count, examples }) => (
          <li key={rule} className="health-line">
            <Badge tone={severity === 'error' ? 'bad' : 'warn'}>{severity}</Badge>
            <div className="health-words">
              <p className="small">
                {sentence(rule)} <span className="numbers soft">({counted(count, 'time')})</span>
              </p>
              {examples.length === 0 ? null : <p className="tiny faint">{printableLine(examples.join(', '))}</p>}
            </div>
          </li>
        ))}
      </ul>
    )}
  </>
);

/** `use-without-result` as a sentence. */
const sentence = (rule: string): string => {
  const words = rule.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};
