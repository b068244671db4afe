import { findingOf, openConflicts, refOfFinding, type Finding, type Sidebar } from '@yarnboard/domain';
import { ClipboardPlus, NotebookPen } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useDraft } from '../../live/draft.ts';
import { usePending } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { Count } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { withReferences } from '../../ui/reference.tsx';
import { Empty } from '../../ui/state.tsx';
import { GoldDialog } from '../citations/gold-dialog.tsx';
import { Person } from '../../shared/people.tsx';
import { ConflictCard } from './conflict-card.tsx';
import { useDesk } from './desk.ts';
import { FindingCard } from './finding-card.tsx';
import { EMPTY_FINDING, FindingForm, type FindingDraft } from './finding-form.tsx';
import { FindingGroupList } from './finding-group.tsx';
import { groupsOf, heldIn, revisedIn } from './finding-groups.ts';
import { findingElementId } from './finding-parts.tsx';
import { useFindingVerdicts } from './finding-verdicts.ts';
import { ReadinessCard } from './readiness-card.tsx';
import './finding.css';
import './scratchpad.css';
import { useShownItem } from '../../shared/shown-item.ts';

/** The findings of a sidebar: what was submitted, the curator's reviews, the conflicts, and what is still missing. */
export const ScratchpadTab = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const { scratchpad } = sidebar;
  const desk = useDesk(sidebar);
  const pending = usePending();
  const [params] = useSearchParams();
  const asked = params.get('finding');
  const shown = asked === null ? null : findingOf(scratchpad, asked);
  const working = useVerdict({ type: 'checkpoint.create', sidebar: sidebar.id, summary: '…' });
  const canWork = working.refusal === null;
  const verdictOn = useFindingVerdicts(sidebar);
  const judged = desk.open?.kind === 'judge' ? desk.open : null;
  const groups = useMemo(() => heldIn(groupsOf(scratchpad), judged), [scratchpad, judged]);
  const revised = useMemo(() => revisedIn(scratchpad, sidebar.ref), [scratchpad, sidebar.ref]);
  const [draft, writeDraft, clearDraft, sentDraft] = useDraft<FindingDraft & { readonly isOpen: boolean }>(`finding/${sidebar.id}`, {
    ...EMPTY_FINDING,
    isOpen: false,
  });
  const [opening, setOpening] = useState(0);
  const [golden, setGolden] = useState<Finding | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const focus = useFocus();

  const about = { id: sidebar.id, ref: sidebar.ref, status: sidebar.status };
  const deeds = { show: desk.show, judge: desk.judge, annotate: desk.annotate };
  const shownId = shown?.id ?? null;
  useEffect(() => {
    const { number } = scratchpad.findings.find(({ id }) => id === shownId) ?? { number: 0 };
    const element = document.getElementById(findingElementId({ number }));
    element?.scrollIntoView({ block: 'start' });
    element?.focus({ preventScroll: true });
    // Only when the URL asks for another finding: changes elsewhere must not scroll the reader away.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [shownId, asked]);

  const waitingNow = useRef<readonly Finding[]>([]);
  useEffect(() => {
    waitingNow.current = groups[0]?.findings ?? [];
  });
  const onJudged = useCallback(
    (finding: Finding) => {
      const waiting = waitingNow.current;
      const at = waiting.findIndex(({ id }) => id === finding.id);
      focus(findingElementId(waiting[at + 1] ?? waiting[at - 1] ?? finding));
    },
    [focus],
  );
  const begun = useRef(draft);
  useEffect(() => {
    begun.current = draft;
  });
  const onRevise = useCallback(
    (finding: Finding) => {
      const { content, sourceRefs, relevanceToTask, id } = finding;
      // Never throws away a draft that somebody has begun.
      const isBegun = begun.current.isOpen && begun.current.content.trim() !== '';
      const first = isBegun ? begun.current : { ...EMPTY_FINDING, content, sourceRefs, relevance: relevanceToTask ?? '' };
      writeDraft({ ...first, supersedes: id, isOpen: true });
      setOpening((before) => before + 1);
      place.current?.scrollIntoView({ block: 'start' });
    },
    [writeDraft],
  );

  return (
    <div className="scratchpad-room">
      <div className="scratchpad" ref={place}>
        <div className="scratchpad-side">
          <Task sidebar={sidebar} />
          <ReadinessCard sidebar={sidebar} />
        </div>
        <div className="scratchpad-main">
          {working.refusal === null ? null : <Notice>{withReferences(working.refusal)}</Notice>}
          {asked !== null && shown === null ? <Notice>There is no {asked} on this scratchpad.</Notice> : null}
          {draft.isOpen ? (
            <FindingForm
              key={opening}
              sidebar={sidebar}
              draft={draft}
              onWrite={(next) => writeDraft({ ...next, isOpen: true })}
              sent={sentDraft}
              onCancel={clearDraft}
            />
          ) : canWork ? (
            <div className="actions">
              <Button variant="primary" icon={ClipboardPlus} onClick={() => writeDraft({ ...draft, isOpen: true })}>
                Submit finding
              </Button>
            </div>
          ) : null}
          <Conflicts sidebar={sidebar} desk={desk} />
          {scratchpad.findings.length === 0 ? (
            <Empty icon={NotebookPen} title="No findings yet">
              Submit what you find, with evidence. The curator reviews each finding; only confirmed ones are merged.
            </Empty>
          ) : (
            <div className="scratchpad-groups">
              {groups
                .filter(({ id, findings }) => findings.length > 0 || id === 'pending' || id === 'confirmed')
                .map((group) => (
                  <FindingGroupList key={group.id} group={group} shown={shownId}>
                    {(finding) => (
                      <FindingCard
                        key={finding.id}
                        sidebar={about}
                        finding={finding}
                        revised={revised.get(finding.id) ?? null}
                        desk={deeds}
                        open={desk.open?.id === finding.id ? desk.open : null}
                        refusal={desk.refusals.get(finding.id) ?? null}
                        canWork={canWork}
                        {...verdictOn(finding)}
                        isUnconfirmed={pending.has(finding.id) || desk.sending.has(finding.id)}
                        isShown={finding.id === shownId}
                        onJudged={onJudged}
                        onRevise={onRevise}
                        onMarkGold={setGolden}
                      />
                    )}
                  </FindingGroupList>
                ))}
            </div>
          )}
        </div>
        <GoldDialog
          isOpen={golden !== null}
          onClose={() => setGolden(null)}
          sourceRefs={golden === null ? [] : [refOfFinding(sidebar.ref, golden)]}
          sidebarId={sidebar.id}
        />
      </div>
    </div>
  );
};

const Task = ({ sidebar }: { readonly sidebar: Sidebar }) => (
  <section className="scratchpad-about scratchpad-task card" aria-labelledby="scratchpad-task">
    <h2 id="scratchpad-task">Task</h2>
    <p>{withReferences(sidebar.task)}</p>
    <dl className="scratchpad-facts">
      <div>
        <dt>Done when</dt>
        <dd>{sidebar.successCriteria === null ? <span className="faint">not set</span> : withReferences(sidebar.successCriteria)}</dd>
      </div>
      <div>
        <dt>Curator</dt>
        <dd>
          <Person id={sidebar.curator} isShort />
        </dd>
      </div>
    </dl>
  </section>
);

const Conflicts = ({ sidebar, desk }: { readonly sidebar: Sidebar; readonly desk: ReturnType<typeof useDesk> }) => {
  const { conflicts } = sidebar.scratchpad;
  const open = openConflicts(sidebar.scratchpad);
  const numbered = conflicts.map((conflict, n) => ({ conflict, number: n + 1, isOpen: open.includes(conflict) }));
  const settled = numbered.filter(({ isOpen }) => !isOpen);
  const shown = useShownItem('conflict');
  if (conflicts.length === 0) return null;
  return (
    <section className="scratchpad-conflicts" aria-labelledby="scratchpad-conflicts">
      <h2 id="scratchpad-conflicts" className={open.length === 0 ? 'visually-hidden' : undefined}>
        Conflicts
      </h2>
      {numbered
        .filter(({ isOpen }) => isOpen)
        .map((one) => (
          <ConflictCard key={one.conflict.id} sidebar={sidebar} desk={desk} {...one} />
        ))}
      {settled.length === 0 ? null : (
        <details className="scratchpad-settled" open={settled.some(({ number }) => number === shown) || undefined}>
          <summary>
            Resolved conflicts <Count of={settled.length} />
          </summary>
          {settled.map((one) => (
            <ConflictCard key={one.conflict.id} sidebar={sidebar} desk={desk} {...one} />
          ))}
        </details>
      )}
    </section>
  );
};

/** Focuses an element once the result of an action is drawn. */
const useFocus = (): ((elementId: string) => void) => {
  const [wanted, setWanted] = useState<{ readonly elementId: string } | null>(null);
  useEffect(() => {
    if (wanted !== null) document.getElementById(wanted.elementId)?.focus();
  }, [wanted]);
  return useCallback((elementId: string) => setWanted({ elementId }), []);
};
