import { assertNever } from '@yarnboard/domain';
import { Bot, Settings2, Sparkle, UserRound, type LucideIcon } from 'lucide-react';
import { Moment } from '../../ui/moment.tsx';
import { projectName } from '../../ui/wording.ts';
import { Highlighted } from './highlighted.tsx';
import { isSidebar, placeOfMessage } from './reference-place.ts';
import type { Hit } from './use-search.ts';

/** What has a reference of its own, and is no message, is found by it. */
export const placeOfHit = ({ sessionId, agentId, ref, uuid }: Pick<Hit, 'sessionId' | 'agentId' | 'ref' | 'uuid'>): string =>
  ref === null || /^(?:MSG|EXCH)-/u.test(ref) ? placeOfMessage({ sessionId, agentId, ref, uuid }) : `/refs/${encodeURIComponent(ref)}`;

/** Where a hit is and who said it. */
export const HitSource = ({ hit, hasIcon = true }: { readonly hit: Hit; readonly hasIcon?: boolean }) => {
  const { ref, sessionId, sessionTitle, project, timestamp } = hit;
  const { icon: Icon, name } = speakerOf(hit);
  return (
    <span className="hit-source">
      <span className="hit-who">
        {hasIcon ? <Icon aria-hidden /> : null}
        {name}
      </span>
      <span className="one-line">
        {isSidebar(sessionId) ? `${sessionId} · ` : ''}
        {sessionTitle ?? sessionId}
      </span>
      {project === null ? null : <span className="one-line hit-project">{projectName(project)}</span>}
      {ref === null ? null : <span className="numbers">{ref}</span>}
      <Moment at={timestamp} />
    </span>
  );
};

export const HitText = ({ hit: { snippet, highlights } }: { readonly hit: Hit }) => <Highlighted text={snippet} places={highlights} />;

export const speakerOf = ({ actor, agentId }: Hit): { readonly icon: LucideIcon; readonly name: string } => {
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

const ACTORS = ['human', 'agent', 'system'] as const;
