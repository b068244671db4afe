import { OPERATOR } from '@yarnboard/domain';
import { resumeCommandOf } from '@yarnboard/transcript';
import {
  Download,
  Ellipsis,
  FileDiff,
  Gauge,
  GitBranch,
  ListTree,
  Link2,
  Network,
  Search,
  ShieldCheck,
  TableOfContents,
  Terminal,
  Waypoints,
} from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useActor } from '../../live/hooks.tsx';
import { isUsual } from '../../shared/tools.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useToast } from '../../ui/toast.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useMedia } from '../sidebars/media.ts';
import { tracePath } from '../../shared/trace-link.tsx';
import type { SessionDetail } from './session-head.tsx';
import { useLabelling } from './session-labels.tsx';
import { ReaderMenu } from './reader.tsx';

const SessionRules = lazy(async () => ({ default: (await import('../permissions/session-rules.tsx')).SessionRules }));

export type SessionActionsProps = {
  readonly sessionId: string;
  /** The coding agent it is a session of; null until known. */
  readonly tool: string | null;
  /** The directory it began in; null if unknown. */
  readonly project: string | null;
  readonly isFinding: boolean;
  readonly onFind: () => void;
  readonly isShowingContext: boolean;
  readonly onContext: () => void;
  readonly isCounting: boolean;
  readonly onCount: () => void;
  readonly onBranch: () => void;
  readonly onExport: () => void;
  /** Undefined until it has loaded. */
  readonly session: SessionDetail | undefined;
  readonly isOutlined: boolean;
  readonly onOutline: () => void;
};

export const SessionActions = ({
  sessionId,
  tool,
  project,
  isFinding,
  onFind,
  isShowingContext,
  onContext,
  isCounting,
  onCount,
  onBranch,
  onExport,
  session,
  isOutlined,
  onOutline,
}: SessionActionsProps) => {
  // On narrow screens they move into the menu.
  const isNarrow = useMedia('(max-width: 40rem)');
  const labelling = useLabelling(session);
  const [areRulesOpen, setAreRulesOpen] = useState(false);
  const isOperator = useActor()?.id === OPERATOR.id;
  const tell = useToast();
  const [, navigate] = useLocation();
  const resume = tool === null ? null : resumeCommandOf(tool, sessionId, project);
  const copy = (text: string, title: string) => (): void => {
    navigator.clipboard.writeText(text).then(
      () => tell({ tone: 'good', title, text }),
      () => tell({ tone: 'bad', title: 'Couldn’t copy', text }),
    );
  };
  return (
    <>
      <IconButton variant="plain" icon={TableOfContents} label="Outline (o)" isPressed={isOutlined} onClick={onOutline} aria-keyshortcuts="o" />
      <ReaderMenu />
      <IconButton variant="plain" icon={Search} label="Find in this session (f)" isPressed={isFinding} onClick={onFind} aria-keyshortcuts="f" />
      {isNarrow ? null : (
        <>
          <Tooltip text="Changes">
            <Link
              href={`/sessions/${encodeURIComponent(sessionId)}/changes`}
              className="button button-plain button-normal button-icon"
              aria-label="Changes"
            >
              <FileDiff aria-hidden />
            </Link>
          </Tooltip>
          <Tooltip text="Graph">
            <Link
              href={`/sessions/${encodeURIComponent(sessionId)}/graph`}
              className="button button-plain button-normal button-icon"
              aria-label="Graph"
            >
              <Network aria-hidden />
            </Link>
          </Tooltip>
        </>
      )}
      <Menu
        items={[
          ...(resume === null ? [] : [{ label: 'Copy resume command', icon: Terminal, onSelect: copy(resume, 'Command copied') }]),
          { label: 'Copy link', icon: Link2, onSelect: copy(location.href, 'Link copied') },
          ...(isNarrow
            ? [
                { label: 'Changes', icon: FileDiff, onSelect: () => navigate(`/sessions/${encodeURIComponent(sessionId)}/changes`) },
                { label: 'Graph', icon: Network, onSelect: () => navigate(`/sessions/${encodeURIComponent(sessionId)}/graph`) },
              ]
            : []),
          { label: 'New sidebar from latest message…', icon: GitBranch, onSelect: onBranch },
          { label: 'Trace', icon: Waypoints, onSelect: () => navigate(tracePath(sessionId)) },
          { label: 'Export…', icon: Download, onSelect: onExport },
          ...(isOperator && tool !== null && isUsual(tool)
            ? [{ label: 'Always allowed…', icon: ShieldCheck, onSelect: () => setAreRulesOpen(true) }]
            : []),
          ...(labelling.items.length === 0 ? [] : [{ kind: 'line' as const }, ...labelling.items]),
          { kind: 'line' },
          { label: isShowingContext ? 'Hide context window' : 'Show context window', icon: Gauge, onSelect: onContext },
          { label: isCounting ? 'Hide counts' : 'Show counts', icon: ListTree, onSelect: onCount },
        ]}
      >
        <button type="button" className="button button-plain button-normal button-icon" aria-label="More actions">
          <Ellipsis aria-hidden />
        </button>
      </Menu>
      {labelling.dialog}
      {areRulesOpen ? (
        <Suspense fallback={null}>
          <SessionRules sessionId={sessionId} onClose={() => setAreRulesOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
};
