import { findingNamed, type Merged } from '@yarnboard/domain';
import { GitMerge } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useBoard } from '../../live/hooks.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference } from '../../ui/reference.tsx';
import { SidebarLink } from '../../shared/context-link.tsx';
import { inShort, nameOf } from '../../shared/names.ts';
import { useSessionSidebars, useSoughtRef } from './session-sidebars-context.tsx';
import type { SessionSidebar } from './session-sidebars.ts';
import './sidebar-chips.css';
import { comeIntoSight } from './session-sidebars-sight.ts';

export type SidebarMergedProps = {
  readonly of: SessionSidebar;
  readonly merged: Merged;
  /** Whether it appears in the conversation. */ readonly isInFlow: boolean;
};

/** PAGE-166: what a sidebar merged into the session. */
export const SidebarMerged = ({ of: { sidebar }, merged: { ref, at, by }, isInFlow }: SidebarMergedProps) => {
  const card = useRef<HTMLElement>(null);
  const isSought = useSoughtRef() === ref && ref !== '';
  const { arrived } = useSessionSidebars();
  useEffect(() => {
    if (!isSought || card.current === null || arrived.current === ref) return undefined;
    return comeIntoSight(card.current, () => {
      arrived.current = ref;
    });
  }, [isSought, ref, arrived]);
  const { merge, scratchpad } = sidebar;
  const summary = scratchpad.finalSummary ?? merge?.package.summary ?? '';
  return (
    <section
      ref={card}
      id={isInFlow && ref !== '' ? ref : undefined}
      className="sidebar-merged"
      data-sought={isSought || undefined}
      aria-label={`Merged from ${sidebar.ref}${ref === '' ? '' : `, ${ref}`}`}
    >
      <header className="sidebar-merged-head">
        <GitMerge aria-hidden />
        {isInFlow ? (
          <>
            <span>Merged from</span>
            <SidebarLink id={sidebar.id} />
          </>
        ) : (
          <span>Merged as</span>
        )}
        {ref === '' ? null : (
          <>
            <Reference to={ref} />
            <CopyButton text={ref} label={`Copy ${ref}`} />
          </>
        )}
        <span className="sidebar-merged-when">
          {nameOf(by)}, <Moment at={at} />
        </span>
      </header>
      <FoldedText text={`Sidebar ${sidebar.ref} completed: ${summary}`}>{(text) => <Markdown text={text} />}</FoldedText>
      <Findings refs={merge?.package.keyFindings ?? []} />
    </section>
  );
};

const Findings = ({ refs }: { readonly refs: readonly string[] }) => {
  const findings = useBoard(
    (board) => refs.slice(0, MOST_FINDINGS).map((ref) => ({ ref, finding: findingNamed(board, ref)?.finding ?? null })),
    [refs.join()],
  );
  if (findings.length === 0) return null;
  return (
    <ul className="sidebar-merged-findings" aria-label="Findings">
      {findings.map(({ ref, finding }) => (
        <li key={ref}>
          <Reference to={ref} />
          {finding === null ? null : <span>{inShort(finding.content)}</span>}
        </li>
      ))}
      {refs.length > MOST_FINDINGS ? <li className="faint">and {refs.length - MOST_FINDINGS} more</li> : null}
    </ul>
  );
};

const MOST_FINDINGS = 6;
