import { isOperator } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { Lightbulb, PauseCircle, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useActor, useAsk, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { Answered, Section } from '../../shared/section.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Switch, TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Reference } from '../../ui/reference.tsx';
import { counted } from '../../ui/wording.ts';
import './automatic-merges.css';

type History = InsideOutput<'auto_merge_history'>;
type TaskType = History['types'][number];
type Change = Parameters<ReturnType<typeof useCommand<'auto_merge_config'>>['send']>[0];

/** PAGE-281: what merges without a click: the switch, the task types with their conditions, the constraints, and the history. */
export const AutomaticMerges = () => {
  const history = useAsk('auto_merge_history', { limit: 20 }, { everyMs: 10_000 });
  const config = useCommand('auto_merge_config');
  const again = useAskAgain();
  const actor = useActor();
  const isLocked = actor === null || !isOperator(actor) || config.isSending;
  const change = async (wanted: Change): Promise<void> => {
    await config.send(wanted);
    again('auto_merge_history', 'auto_merge_obstacles');
  };
  return (
    <Section title="Automatic merges">
      <div className="settings-card card">
        <Answered query={history} what="automatic merges" lines={4}>
          {(data) => <Policy data={data} isLocked={isLocked} canReport={actor !== null} change={(wanted) => void change(wanted)} />}
        </Answered>
        <Refusal text={config.refusal} />
      </div>
    </Section>
  );
};

type PolicyProps = { readonly data: History; readonly isLocked: boolean; readonly canReport: boolean; readonly change: (wanted: Change) => void };

const Policy = ({ data, isLocked, canReport, change }: PolicyProps) => {
  const { config, types, items, nextStep } = data;
  const allowed = config.allowedTaskTypes;
  const routine = types.filter(({ condition }) => condition !== null);
  return (
    <>
      <Switch
        label="Merge routine results automatically"
        hint="Off: you approve every merge. Code changes, architecture, conflicts, security and new task types always need you."
        isOn={config.autoMergeEnabled}
        isDisabled={isLocked}
        onChange={(autoMergeEnabled) => change({ autoMergeEnabled })}
      />
      {nextStep === null ? null : <Notice icon={Lightbulb}>{nextStep}</Notice>}
      <h3 className="field-label">Task types</h3>
      <ul className="automatic-types" aria-label="Task types">
        {routine.map((one) => (
          <li key={one.taskType}>
            <Switch
              label={labelOf(one.taskType)}
              hint={one.condition}
              isOn={one.allowed}
              isDisabled={isLocked}
              onChange={(isOn) =>
                change({ allowedTaskTypes: isOn ? [...allowed, one.taskType] : allowed.filter((taskType) => taskType !== one.taskType) })
              }
            />
            <TypeHistory type={one} needed={config.requiredApprovals} isLocked={isLocked} onAllow={() => change({ allowAgain: [one.taskType] })} />
          </li>
        ))}
      </ul>
      <h3 className="field-label">Conditions</h3>
      <Switch
        label="Curator approves"
        hint="Off: someone other than its author must have confirmed each finding."
        isOn={config.requireCuratorApproval}
        isDisabled={isLocked}
        onChange={(requireCuratorApproval) => change({ requireCuratorApproval })}
      />
      <Switch
        label="No open conflicts"
        hint="Off: only conflicts inside the package count."
        isOn={config.requireNoConflicts}
        isDisabled={isLocked}
        onChange={(requireNoConflicts) => change({ requireNoConflicts })}
      />
      <Switch
        label="Sources cited"
        isOn={config.requireSourcesCited}
        isDisabled={isLocked}
        onChange={(requireSourcesCited) => change({ requireSourcesCited })}
      />
      <Switch
        label="No proposed changes"
        hint="Off: only code changes count."
        isOn={config.blockIfProposesChanges}
        isDisabled={isLocked}
        onChange={(blockIfProposesChanges) => change({ blockIfProposesChanges })}
      />
      <h3 className="field-label">History</h3>
      {items.length === 0 ? <p className="small soft">Nothing has merged automatically yet.</p> : <Merges items={items} canReport={canReport} />}
    </>
  );
};

const labelOf = (taskType: string): string => `${taskType.charAt(0).toUpperCase()}${taskType.slice(1).replaceAll('_', ' ')}`;

type TypeHistoryProps = { readonly type: TaskType; readonly needed: number; readonly isLocked: boolean; readonly onAllow: () => void };

/** PAGE-282: the share of a task type's merges that were clean, what would have merged, and whether the type is suspended. */
const TypeHistory = ({ type, needed, isLocked, onAllow }: TypeHistoryProps) => {
  const { autoMerges, withProblems, cleanRate, approvalsInARow, wouldHaveMerged, lookedAt, suspended } = type;
  return (
    <div className="automatic-type small soft">
      {cleanRate === null ? null : (
        <span>
          {counted(autoMerges, 'automatic merge')}, {Math.round(cleanRate * 100)} % clean{withProblems === 0 ? '' : `, ${withProblems} with problems`}
        </span>
      )}
      <span>
        {Math.min(approvalsInARow, needed)} of {needed} approvals in a row
      </span>
      {lookedAt === 0 ? null : (
        <span>
          {wouldHaveMerged} of {lookedAt} would have merged
        </span>
      )}
      {suspended === null ? null : (
        <>
          <Badge tone="warn" icon={PauseCircle}>
            Suspended
          </Badge>
          <span>
            after a problem with <Reference to={suspended.sidebarId} />
          </span>
          <Button isBusy={false} disabled={isLocked} onClick={onAllow}>
            Allow again
          </Button>
        </>
      )}
    </div>
  );
};

const Merges = ({ items, canReport }: { readonly items: History['items']; readonly canReport: boolean }) => (
  <ul className="automatic-list" aria-label="Automatic merges">
    {items.map((one) => (
      <li key={one.sidebarId} className="small">
        <Reference to={one.sidebarId} /> {one.taskType.replaceAll('_', ' ')}, <Moment at={one.mergedAt} />
        {one.sample && one.problems.length === 0 ? <Badge tone="info">Worth a look</Badge> : null}
        {one.problems.map((problem) => (
          <p key={`${problem.at} ${problem.by}`} className="automatic-problem">
            <TriangleAlert aria-hidden /> {problem.notes ?? PROBLEMS[problem.kind]} {problem.ref === null ? null : <Reference to={problem.ref} />}
          </p>
        ))}
        {canReport ? <ReportProblem sidebarId={one.sidebarId} taskType={one.taskType} /> : null}
      </li>
    ))}
  </ul>
);

/** PAGE-360: reports what was wrong with an automatic merge, and the evidence. It suspends the task type at once. */
const ReportProblem = ({ sidebarId, taskType }: { readonly sidebarId: string; readonly taskType: string }) => {
  const report = useCommand('auto_merge_problem');
  const again = useAskAgain();
  const [notes, setNotes] = useState('');
  const [ref, setRef] = useState('');
  const send = async (): Promise<void> => {
    // If left empty, the sidebar itself is the evidence.
    const outcome = await report.send({ sidebarId, ref: ref.trim() === '' ? sidebarId : ref.trim(), notes });
    if (outcome.kind !== 'done') return;
    setNotes('');
    setRef('');
    again('auto_merge_history');
  };
  return (
    <details className="automatic-report">
      <summary>Report a problem</summary>
      <div className="automatic-report-form">
        <TextField label="What went wrong?" value={notes} onChange={({ target }) => setNotes(target.value)} maxLength={2000} />
        <TextField
          label="Reference (optional)"
          hint="What shows it, such as MSG-12 or SCRATCH-3:FINDING-1."
          value={ref}
          onChange={({ target }) => setRef(target.value)}
          maxLength={200}
        />
        <p className="small soft">{labelOf(taskType)} stops merging automatically until you allow it again.</p>
        <Button icon={TriangleAlert} isBusy={report.isSending} disabled={notes.trim() === ''} onClick={() => void send()}>
          Report problem
        </Button>
        <Refusal text={report.refusal} />
      </div>
    </details>
  );
};

const PROBLEMS = {
  reported: 'A problem was reported.',
  contradicted: 'A later finding contradicts it.',
  superseded: 'Its GOLD was superseded.',
} as const satisfies Record<History['items'][number]['problems'][number]['kind'], string>;
