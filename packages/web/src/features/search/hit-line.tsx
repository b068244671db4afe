import { assertNever } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import {
  Bot,
  FoldVertical,
  NotebookPen,
  Paperclip,
  Settings2,
  Sparkle,
  Sparkles,
  SquareSlash,
  SquareTerminal,
  TriangleAlert,
  UserRound,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { shortName } from '../../ui/reference.tsx';
import { projectName } from '../../ui/wording.ts';
import { MARK_LOOKS } from '../../shared/mark-looks.ts';
import { sessionTitle } from '../../shared/titles.ts';
import { ToolSign } from '../../shared/tool-sign.tsx';
import { Highlighted } from '../../shared/highlighted.tsx';
import { isSidebar, placeOfMessage } from './reference-place.ts';
import type { Hit } from './use-search.ts';

/** Everything with a reference of its own opens by that reference, except messages. */
export const placeOfHit = ({ sessionId, agentId, ref, uuid, type }: Pick<Hit, 'sessionId' | 'agentId' | 'ref' | 'uuid' | 'type'>): string => {
  // PAGE-169: actions in a sidebar have no reference, unlike messages: the link opens the sidebar's tab that shows them.
  if (ref === null && isSidebar(sessionId)) return `/sidebars/${sessionId}${PARTS.get(type) ?? ''}`;
  return ref === null || /^(?:MSG|EXCH)-/u.test(ref) ? placeOfMessage({ sessionId, agentId, ref, uuid }) : `/refs/${encodeURIComponent(ref)}`;
};

const PARTS: ReadonlyMap<string, string> = new Map([
  ['finding.validated', '?tab=scratchpad'],
  ['finding.annotated', '?tab=scratchpad'],
  ['checkpoint.created', '?tab=checkpoints'],
  ['episodic.archived', '?tab=checkpoints'],
]);

/** Where a hit is and who said it. */
export const HitSource = ({ hit, hasIcon = true }: { readonly hit: Hit; readonly hasIcon?: boolean }) => {
  const { ref, sessionId, sessionTitle: title, project, tool, timestamp } = hit;
  const { icon: Icon, name } = speakerOf(hit);
  return (
    <span className="hit-source">
      <span className="hit-who">
        {hasIcon ? <Icon aria-hidden /> : null}
        {name}
      </span>
      <span className="one-line">
        {isSidebar(sessionId) ? `${sessionId} · ` : ''}
        {title === null ? printableLine(sessionId) : sessionTitle(title)}
      </span>
      {project === null ? null : <span className="one-line hit-project">{projectName(project)}</span>}
      {tool === null ? null : <ToolSign tool={tool} />}
      {ref === null || ref === sessionId ? null : <span className="numbers">{ref}</span>}
      <HitMarks hit={hit} />
      <HitFound hit={hit} />
      <Moment at={timestamp} />
    </span>
  );
};

/** PAGE-243: badges for hits that no longer stand as they were said. */
const HitMarks = ({ hit: { marks, supersededBy } }: { readonly hit: Pick<Hit, 'marks' | 'supersededBy'> }) =>
  marks.map((mark) => {
    const { icon, word, tone } = MARK_LOOKS[mark];
    return (
      <Badge key={mark} tone={tone} icon={icon}>
        {mark === 'superseded' && supersededBy !== null ? `${word} by ${shortName(supersededBy)}` : word}
      </Badge>
    );
  });

/** PAGE-242: how the hit was found, if not by its words alone. */
const HitFound = ({ hit: { by } }: { readonly hit: Pick<Hit, 'by'> }) => {
  if (by === 'words') return null;
  return (
    <span className="hit-found">
      <Sparkles aria-hidden />
      {by === 'both' ? 'words and meaning' : 'by meaning'}
    </span>
  );
};

/** PAGE-242: how much of the log is indexed by meaning so far, or why meaning wasn't searched; null when everything is indexed. */
export const coverageText = (coverage: InsideOutput<'search'>['coverage']): string | null => {
  if (coverage === null) return null;
  if (coverage.problem !== undefined) return `Searched by words only (${coverage.problem})`;
  if (coverage.unknown === true) return 'None of these words is known to the model, so meaning went by their characters';
  if (coverage.position >= coverage.of || coverage.of === 0) return null;
  return `Only ${Math.floor((coverage.position / coverage.of) * 100)}% indexed by meaning so far`;
};

export const HitText = ({ hit: { snippet, highlights } }: { readonly hit: Hit }) => <Highlighted text={snippet} places={highlights} />;

type Speaker = { readonly icon: LucideIcon; readonly name: string };

/** PAGE-187: who said it, or what it is if nobody said it. */
export const speakerOf = ({ actor, agentId, role }: Pick<Hit, 'actor' | 'agentId' | 'role'>): Speaker => {
  const unsaid = UNSAID.get(role ?? '');
  if (unsaid !== undefined) return unsaid;
  if (agentId !== null) return { icon: Bot, name: 'Sub-agent' };
  const who = ACTORS.find((one) => one === actor) ?? 'system';
  switch (who) {
    case 'human':
      return { icon: UserRound, name: 'Person' };
    case 'agent':
      return { icon: Sparkle, name: 'Agent' };
    case 'system':
      return { icon: Settings2, name: 'System' };
    default:
      return assertNever(who);
  }
};

const UNSAID: ReadonlyMap<string, Speaker> = new Map([
  ['result', { icon: Wrench, name: 'Tool result' }],
  ['command', { icon: SquareSlash, name: 'Command' }],
  ['output', { icon: SquareTerminal, name: 'Command output' }],
  ['bash', { icon: SquareTerminal, name: 'Shell' }],
  ['memory', { icon: NotebookPen, name: 'Memory note' }],
  ['meta', { icon: Settings2, name: 'CLI context' }],
  ['summary', { icon: FoldVertical, name: 'Summary' }],
  ['notice', { icon: Bot, name: 'Sub-agent report' }],
  ['attachment', { icon: Paperclip, name: 'Attachment' }],
  ['synthetic', { icon: TriangleAlert, name: 'CLI message' }],
]);

const ACTORS = ['human', 'agent', 'system'] as const;
