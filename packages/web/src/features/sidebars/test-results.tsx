import { comparedWith, type Sidebar } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useActor, useBoard, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { withReferences } from '../../ui/reference.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { SidebarLink } from '../../shared/context-link.tsx';
import { DetailsSection } from './details-section.tsx';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { nameOf } from '../../shared/names.ts';
import { StatusBadge } from '../../shared/status-badge.tsx';

/** The results of a test next to those of the other tests in its group. */
export const TestResults = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const peers = useBoard((board) => comparedWith(board, sidebar), [sidebar]);
  if (sidebar.status !== 'TESTING' && sidebar.testResults.length === 0 && sidebar.testGroup === null) return null;
  return (
    <DetailsSection title={sidebar.testGroup === null ? 'Test results' : `Tests in “${sidebar.testGroup}”`}>
      <Results sidebar={sidebar} none="No results yet." />
      {peers.map((peer) => (
        <div key={peer.id} className="details-peer">
          <p className="details-peer-head">
            <SidebarLink id={peer.id} /> <StatusBadge status={peer.status} />
          </p>
          <Results sidebar={peer} none="No results yet." />
        </div>
      ))}
    </DetailsSection>
  );
};

/** PAGE-201: opens the form for a result while there is still something to report. */
export const ReportResult = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const actor = useActor();
  const [isReporting, setIsReporting] = useState(false);
  if (sidebar.status !== 'TESTING' || actor === null) return null;
  return (
    <>
      <Button size="small" icon={FlaskConical} onClick={() => setIsReporting(true)}>
        Report result
      </Button>
      {isReporting ? <ReportDialog sidebar={sidebar} onClose={() => setIsReporting(false)} /> : null}
    </>
  );
};

const Results = ({ sidebar: { testResults }, none }: { readonly sidebar: Sidebar; readonly none: string }) =>
  testResults.length === 0 ? (
    <p className="tiny faint">{none}</p>
  ) : (
    <ol className="details-results">
      {testResults.map(({ id, description, result, findings, by, at }) => (
        <li key={id}>
          <p>
            <strong>{printableLine(description)}</strong>: {withReferences(result)}
          </p>
          {findings.length === 0 ? null : <p className="tiny soft">{withReferences(findings.join(' · '))}</p>}
          <p className="tiny faint">
            {nameOf(by)}, <Moment at={at} />
          </p>
        </li>
      ))}
    </ol>
  );

const ReportDialog = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const report = useCommand('sidebar_test_result');
  const { answers, change, written, sent } = useAnswers(`test/${sidebar.id}`, { description: '', result: '', findings: '' });
  const submit = async (): Promise<void> => {
    const findings = answers.findings
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const words = { result: answers.result.trim(), ...(findings.length === 0 ? {} : { findings }) };
    const outcome = await sent(() =>
      report.send(
        { sidebarId: sidebar.id, testDescription: answers.description.trim(), ...words },
        { proposal: { type: 'sidebar.test-result', sidebar: sidebar.id, description: answers.description.trim(), ...words } },
      ),
    );
    if (outcome.kind === 'done' || outcome.kind === 'done-before') onClose();
  };
  return (
    <CommandDialog
      title={`Report test result for ${sidebar.ref}`}
      description="Other tests in the group can see it."
      confirm="Report result"
      refusal={report.refusal}
      isSending={report.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="What did you try?" required value={answers.description} onChange={(event) => change({ description: event.target.value })} />
      <TextArea label="Result" required rows={2} value={answers.result} onChange={(event) => change({ result: event.target.value })} />
      <TextArea
        label="Conclusions"
        hint="One per line."
        rows={2}
        value={answers.findings}
        onChange={(event) => change({ findings: event.target.value })}
      />
    </CommandDialog>
  );
};
