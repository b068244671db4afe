import { isOperator } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { Link } from 'wouter';
import { useActor, useAsk, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { nameOf } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { Answered, Section } from '../../shared/section.tsx';
import { Switch } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { counted } from '../../ui/wording.ts';
import './check-policy.css';

type Validators = InsideOutput<'validators'>;
type Checkable = Validators['items'][number];

/** PAGE-261: what machines may check automatically: one switch, the types with what each reads and its track record, and the latest runs. */
export const CheckPolicy = () => {
  const validators = useAsk('validators', {});
  const history = useAsk('validation_history', { limit: 10 });
  const actor = useActor();
  const config = useCommand('validation_config');
  const askAgain = useAskAgain();
  const canChange = actor !== null && isOperator(actor);
  const change = async (input: { readonly enabled?: boolean; readonly allowed?: Validators['allowed'] }): Promise<void> => {
    await config.send(input);
    askAgain('validators', 'validation_history');
  };
  return (
    <Section title="Policies: automatic checks">
      <div className="check-policy card">
        <Answered query={validators} what="checks" lines={4}>
          {(told) => (
            <>
              <Switch
                label="Check claims automatically"
                hint="Yarnboard checks what sidebars inherit, for the types below, and agents may ask for checks. While this is off, only you run checks, one at a time."
                isOn={told.enabled}
                isDisabled={!canChange}
                onChange={(enabled) => void change({ enabled })}
              />
              <Refusal text={config.refusal} />
              <Roots roots={told.roots} problems={told.problems} />
              <ul className="check-policy-types" aria-label="Types of checks">
                {told.items.map((item) => (
                  <li key={item.type}>
                    <Switch
                      label={titleOf(item.type)}
                      hint={<TypeHint item={item} />}
                      isOn={item.allowed}
                      isDisabled={!canChange}
                      onChange={(isOn) =>
                        void change({ allowed: isOn ? [...told.allowed, item.type] : told.allowed.filter((one) => one !== item.type) })
                      }
                    />
                  </li>
                ))}
              </ul>
            </>
          )}
        </Answered>
        <Answered query={history} what="earlier checks" lines={2}>
          {({ items }) => (items.length === 0 ? <p className="small soft">No checks yet.</p> : <Runs items={items} />)}
        </Answered>
      </div>
    </Section>
  );
};

const Roots = ({ roots, problems }: Pick<Validators, 'roots' | 'problems'>) => {
  if (roots === null) return null;
  return (
    <div className="check-policy-roots small">
      {roots.length === 0 ? (
        <p>
          Checks can’t read any files yet. To let them read a project, add this line to <code>settings.json</code> and restart the server:{' '}
          <code>{'"validation": { "roots": ["/path/to/project"] }'}</code>
        </p>
      ) : (
        <p>
          Checks may read files in <code>{roots.join(', ')}</code>, never secrets. Change this in <code>settings.json</code>.
        </p>
      )}
      {problems.map((problem) => (
        <p key={problem}>Not used: {problem}</p>
      ))}
    </div>
  );
};

const TypeHint = ({ item }: { readonly item: Checkable }) => {
  // That no folder may be read is said once, above.
  const missing = item.methods.filter(({ available, why }) => !available && !(why ?? '').startsWith('no folder'));
  return (
    <>
      {item.reads} Risk: {item.risk}. {rateOf(item)}
      {missing.length === 0
        ? ''
        : ` Not available here: ${missing.map(({ method, why }) => `${method.replaceAll('_', ' ')} (${why ?? ''})`).join(', ')}.`}
    </>
  );
};

const titleOf = (type: string): string => `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll('_', ' ')}`;

const rateOf = ({ runs, conclusiveShare, overruled, lastTrouble }: Checkable): string => {
  if (runs === 0 || conclusiveShare === null) return 'Never run.';
  const trouble = lastTrouble === null ? '' : ` Last problem: ${lastTrouble.why}.`;
  return `${counted(runs, 'run')}, ${Math.round(conclusiveShare * 100)}% conclusive, ${overruled} overruled.${trouble}`;
};

const Runs = ({ items }: { readonly items: InsideOutput<'validation_history'>['items'] }) => (
  <div className="check-policy-runs">
    <table>
      <caption>Latest checks</caption>
      <thead>
        <tr>
          <th scope="col">Claim</th>
          <th scope="col">Type</th>
          <th scope="col">Result</th>
          <th scope="col">Asked by</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {items.map((run) => (
          <tr key={run.validationId}>
            <td>
              <Link href={`/sidebars/${encodeURIComponent(run.sidebarId)}`}>{run.claimId}</Link>
            </td>
            <td>{titleOf(run.type)}</td>
            <td>
              {run.conclusion}
              {run.overruled === null ? (run.needsHumanReview ? ', checks disagreed' : '') : `, overruled: ${run.overruled.reason}`}
            </td>
            <td>{run.automatic ? 'automatic' : nameOf(run.askedBy)}</td>
            <td>
              <Moment at={run.at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
