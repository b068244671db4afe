import type { InsideOutput } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { ChartNoAxesColumn, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { modelName } from '../../shared/model-name.ts';
import { Section } from '../../shared/section.tsx';
import { dayBefore, SpanFilter } from '../../shared/span-filter.tsx';
import { sessionTitle } from '../../shared/titles.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/now.tsx';
import { Page } from '../../ui/page.tsx';
import { Scroller } from '../../ui/scroller.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { counted, countOf, projectName, shortCount, usdText } from '../../ui/wording.ts';
import { csvOf } from './usage-csv.ts';
import { DayHeat, HourHeat } from './usage-heat.tsx';
import './usage.css';

type Usage = InsideOutput<'usage'>;
type Spent = Pick<Usage['total'], 'responses' | 'usage' | 'costUsd' | 'unpriced'>;

/** PAGE-570: usage over any period: tokens by kind and cost, by time, model, session, project and tool. */
export const UsagePage = () => {
  const [params, setParams] = useSearchParams();
  const now = useNow();
  const isChosen = params.has('since') || params.has('until');
  const since = params.get('since') ?? (isChosen ? '' : dayBefore(now, DAYS));
  const until = params.get('until') ?? '';
  const utcOffset = -new Date(now).getTimezoneOffset();
  const { data, error, refetch } = useAsk(
    'usage',
    { utcOffset, ...(since === '' ? {} : { since }), ...(until === '' ? {} : { until }) },
    { keepsPrevious: true, everyMs: EVERY_MS },
  );
  return (
    <Page
      title="Usage"
      intro="usage"
      layout="wide"
      actions={
        <>
          <SpanFilter
            since={since}
            until={until}
            onChange={(change) => {
              const next = { since, until, ...change };
              // An empty start is a choice too: it means any time.
              setParams({ since: next.since, ...(next.until === '' ? {} : { until: next.until }) }, { replace: true });
            }}
          />
          {data === undefined || data.byDay.length === 0 ? null : (
            <Button
              icon={Download}
              onClick={() => download(csvOf(data.byDay), `usage-${data.byDay[0]?.day ?? ''}-${data.byDay.at(-1)?.day ?? ''}.csv`)}
            >
              CSV
            </Button>
          )}
        </>
      }
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={8} label="Loading usage" />
        ) : (
          <Failure title="Couldn’t load usage" error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Known usage={data} />
      )}
    </Page>
  );
};

const Known = ({ usage }: { readonly usage: Usage }) => {
  const { total, lastFiveHours, lastWeek, byDay, byWeekHour, byModel, byProject, sessions, tools } = usage;
  return (
    <>
      <ul className="usage-sums">
        <Sum name="This period" spent={total} />
        <Sum name="Last 5 hours" spent={lastFiveHours} />
        <Sum name="Last 7 days" spent={lastWeek} />
      </ul>
      {total.responses === 0 ? (
        <Empty icon={ChartNoAxesColumn} title="Nothing used in this period">
          Choose a longer period to see tokens, cost and tools.
        </Empty>
      ) : (
        <>
          <Section title="By day">
            <DayHeat days={byDay} />
          </Section>
          <Section title="By hour of the week">
            <HourHeat hours={byWeekHour} />
          </Section>
          <Section title="Models">
            <SpentTable label="Models" rows={byModel.map((one) => ({ key: one.key, name: modelName(one.key), spent: one }))} />
          </Section>
          <Section title="Top sessions">
            <SpentTable
              label="Top sessions"
              rows={sessions.map((one) => ({
                key: one.sessionId,
                name: <Link href={`/sessions/${encodeURIComponent(one.sessionId)}`}>{sessionTitle(one.title)}</Link>,
                spent: one,
              }))}
            />
          </Section>
          <Section title="Top projects">
            <SpentTable
              label="Top projects"
              rows={byProject.map((one) => ({
                key: one.key,
                name:
                  one.key === '' ? (
                    projectName(null)
                  ) : (
                    <Link href={`/sessions?project=${encodeURIComponent(one.key)}`} title={printableLine(one.key)}>
                      {projectName(one.key)}
                    </Link>
                  ),
                spent: one,
              }))}
            />
          </Section>
          <Section title="Tools and errors">
            <ToolTable tools={tools} />
          </Section>
        </>
      )}
    </>
  );
};

/** Tokens by kind. Cache reads are never added to the rest. */
const Sum = ({ name, spent: { usage, costUsd, responses, unpriced } }: { readonly name: string; readonly spent: Spent }) => (
  <li className="usage-sum card">
    <h2 className="small soft">{name}</h2>
    <p className="usage-cost numbers" title={unpriced === 0 ? undefined : `${counted(unpriced, 'response')} without a known price`}>
      {usdText(costUsd)}
      {unpriced === 0 ? '' : '+'}
    </p>
    <dl className="usage-kinds numbers small">
      <div>
        <dt>Input</dt>
        <dd>{shortCount(usage.inputTokens)}</dd>
      </div>
      <div>
        <dt>Output</dt>
        <dd>{shortCount(usage.outputTokens)}</dd>
      </div>
      <div>
        <dt>Cache writes</dt>
        <dd>{shortCount(usage.cacheWrite5mTokens + usage.cacheWrite1hTokens)}</dd>
      </div>
      <div>
        <dt>Cache reads</dt>
        <dd>{shortCount(usage.cacheReadTokens)}</dd>
      </div>
      <div>
        <dt>Responses</dt>
        <dd>{countOf(responses)}</dd>
      </div>
    </dl>
  </li>
);

type SpentRow = { readonly key: string; readonly name: ReactNode; readonly spent: Spent };

const SpentTable = ({ label, rows }: { readonly label: string; readonly rows: readonly SpentRow[] }) => (
  <Scroller label={label} className="usage-table-place">
    <table className="usage-table numbers">
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Cost</th>
          <th scope="col">Responses</th>
          <th scope="col">Input</th>
          <th scope="col">Output</th>
          <th scope="col">Cache writes</th>
          <th scope="col">Cache reads</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, spent: { costUsd, unpriced, responses, usage } }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>
              {responses === unpriced ? <span className="faint">no price</span> : usdText(costUsd)}
              {unpriced === 0 || responses === unpriced ? '' : '+'}
            </td>
            <td>{countOf(responses)}</td>
            <td>{shortCount(usage.inputTokens)}</td>
            <td>{shortCount(usage.outputTokens)}</td>
            <td>{shortCount(usage.cacheWrite5mTokens + usage.cacheWrite1hTokens)}</td>
            <td>{shortCount(usage.cacheReadTokens)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroller>
);

const ToolTable = ({ tools }: { readonly tools: Usage['tools'] }) =>
  tools.length === 0 ? (
    <p className="small soft">No tools were used in this period.</p>
  ) : (
    <Scroller label="Tools and errors" className="usage-table-place">
      <table className="usage-table numbers">
        <caption className="visually-hidden">Tools and errors</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Uses</th>
            <th scope="col">Errors</th>
            <th scope="col">Error rate</th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ name, uses, errors }) => (
            <tr key={name}>
              <th scope="row">
                {name === '' ? (
                  'unnamed'
                ) : (
                  <Link href={`/search?${new URLSearchParams({ q: name, tool: name }).toString()}`}>{printableLine(name)}</Link>
                )}
              </th>
              <td>{countOf(uses)}</td>
              <td>{errors === 0 ? <span className="faint">–</span> : countOf(errors)}</td>
              <td>{errors === 0 ? <span className="faint">–</span> : `${((errors / uses) * 100).toFixed(1)}%`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );

const download = (text: string, name: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

const DAYS = 30;
const EVERY_MS = 60_000;
