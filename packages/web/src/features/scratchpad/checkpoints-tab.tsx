import type { Board, Finding, Scratchpad, Sidebar } from '@yarnboard/domain';
import { Milestone } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useBoard, useCommand, usePending } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { withReferences } from '../../ui/reference.tsx';
import { Empty } from '../../ui/state.tsx';
import { BackupStop, CheckpointStop } from './checkpoint-stop.tsx';
import './checkpoints.css';
import { CheckpointForm } from './checkpoint-form.tsx';
import { Episodes } from './episodes.tsx';
import './finding.css';
import './scratchpad.css';
import { useShownItem } from '../../shared/shown-item.ts';
import { useTries } from '../../shared/tries.ts';

/** How far a sidebar has come: its checkpoints, its backups, and what episodic memory keeps of it. */
export const CheckpointsTab = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const { scratchpad } = sidebar;
  useShownItem('checkpoint');
  useShownItem('episode');
  const pending = usePending();
  const [isAdding, setIsAdding] = useState(false);
  const [annotated, setAnnotated] = useState<string | null>(null);
  const { sending, refusals, run } = useTries();
  const { send } = useCommand('checkpoint_annotate');
  const working = useVerdict({ type: 'checkpoint.create', sidebar: sidebar.id, summary: '…' });
  const canWork = working.refusal === null;
  const stops = useMemo(() => stopsOf(scratchpad), [scratchpad]);
  const goldRefs = useBoard((board) => goldRefsOf(board, scratchpad), [scratchpad]);
  const stood = useMemo(() => stoodIn(scratchpad), [scratchpad]);
  const sidebarId = sidebar.id;
  const annotate = useCallback(
    async (checkpoint: string, note: string): Promise<boolean> => {
      const isDone = await run(checkpoint, () =>
        send({ sidebarId, checkpointId: checkpoint, note }, { proposal: { type: 'checkpoint.annotate', sidebar: sidebarId, checkpoint, note } }),
      );
      if (isDone) setAnnotated(null);
      return isDone;
    },
    [run, send, sidebarId],
  );
  return (
    <div className="scratchpad-room">
      <div className="checkpoints">
        <section className="checkpoints-main" aria-labelledby="checkpoints-title">
          <header className="checkpoints-head">
            <h2 id="checkpoints-title">Checkpoints</h2>
            {canWork && !isAdding ? (
              <Button icon={Milestone} onClick={() => setIsAdding(true)}>
                Add checkpoint
              </Button>
            ) : null}
          </header>
          {working.refusal === null ? null : <Notice>{withReferences(working.refusal)}</Notice>}
          {isAdding && canWork ? <CheckpointForm sidebar={sidebar} onClose={() => setIsAdding(false)} /> : null}
          {stops.length === 0 ? (
            <Empty icon={Milestone} title="No checkpoints yet">
              Add a checkpoint to record your progress. Findings confirmed by then go into episodic memory.
            </Empty>
          ) : (
            <ol className="checkpoints-line">
              {stops.map((stop) =>
                stop.kind === 'backup' ? (
                  <BackupStop key={stop.backup.id} backup={stop.backup} goldRef={goldRefs.get(stop.backup.gold ?? '') ?? null} />
                ) : (
                  <CheckpointStop
                    key={stop.checkpoint.id}
                    sidebarRef={sidebar.ref}
                    checkpoint={stop.checkpoint}
                    findings={stood.get(stop.checkpoint.id) ?? []}
                    before={stop.before}
                    number={stop.number}
                    isUnconfirmed={pending.has(stop.checkpoint.id) || sending.has(stop.checkpoint.id)}
                    canAnnotate={canWork && !pending.has(stop.checkpoint.id)}
                    isAnnotating={annotated === stop.checkpoint.id}
                    refusal={refusals.get(stop.checkpoint.id) ?? null}
                    onOpen={setAnnotated}
                    onAnnotate={annotate}
                  />
                ),
              )}
            </ol>
          )}
        </section>
        <Episodes sidebar={sidebar} />
      </div>
    </div>
  );
};

type Checkpoint = Scratchpad['checkpoints'][number];

export type Stop =
  | { readonly kind: 'checkpoint'; readonly at: number; readonly number: number; readonly checkpoint: Checkpoint; readonly before: Checkpoint | null }
  | { readonly kind: 'backup'; readonly at: number; readonly backup: Scratchpad['backups'][number] };

/** PAGE-107: checkpoints and backups on one timeline, the latest first. */
export const stopsOf = ({ checkpoints, backups }: Pick<Scratchpad, 'checkpoints' | 'backups'>): readonly Stop[] =>
  [
    ...checkpoints.map((checkpoint, n): Stop => ({
      kind: 'checkpoint',
      at: checkpoint.createdAt,
      number: n + 1,
      checkpoint,
      before: checkpoints[n - 1] ?? null,
    })),
    ...backups.map((backup): Stop => ({ kind: 'backup', at: backup.at, backup })),
  ].toSorted((a, b) => b.at - a.at || numberOf(b) - numberOf(a));

/** The findings of each checkpoint, by its id. */
const stoodIn = ({ checkpoints, findings }: Scratchpad): ReadonlyMap<string, readonly Finding[]> => {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return new Map(checkpoints.map((checkpoint) => [checkpoint.id, checkpoint.findings.flatMap((id) => byId.get(id) ?? [])]));
};

/** The GOLD-n that each backup was made for, by the GOLD's id. Leaves out those that aren't on the log yet. */
const goldRefsOf = ({ golds }: Board, { backups }: Scratchpad): ReadonlyMap<string, string> =>
  new Map(
    backups.flatMap(({ gold }) => {
      const ref = golds.get(gold ?? '')?.ref ?? '';
      return gold === null || ref === '' ? [] : [[gold, ref] as const];
    }),
  );

const numberOf = (stop: Stop): number => (stop.kind === 'checkpoint' ? stop.number : 0);
