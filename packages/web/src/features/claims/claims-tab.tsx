import { stateTtl, type Claim, type Sidebar } from '@yarnboard/domain';
import { SearchX, ShieldQuestion, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useBoard } from '../../live/hooks.tsx';
import { useShownItem } from '../../shared/shown-item.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.tsx';
import { Empty } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import { ClaimCard } from './claim-card.tsx';
import { CLASS_CHOICES, claimsThatFit, filterIn, isOpenClaim, MARK_CHOICES, typeChoices } from './claim-filter.ts';
import './claims-tab.css';

/** PAGE-470: all claims of a sidebar, latest first, filtered by mark, type and class. */
export const ClaimsTab = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const { claims, id, ref } = sidebar;
  const [params, setParams] = useSearchParams();
  const now = useNow();
  const ttl = useBoard(stateTtl);
  const filter = filterIn(params);
  const fitting = claimsThatFit(claims, filter, now, ttl);
  const asked = Number(params.get('claim') ?? '0');
  const askedClaim = claims.find(({ number }) => number === asked);
  const [most, setMost] = useState(() => Math.max(AT_ONCE, askedClaim === undefined ? 0 : fitting.indexOf(askedClaim) + 1));
  useShownItem('claim', askedClaim !== undefined);
  const about = useMemo(() => ({ id, ref }), [id, ref]);
  const set = (name: string, value: string): void =>
    setParams((before) => new URLSearchParams([...[...before].filter(([key]) => key !== name), ...(value === '' ? [] : [[name, value]])]), {
      replace: true,
    });
  const clear = (): void => setParams((before) => new URLSearchParams([...before].filter(([key]) => !FILTERS.has(key))), { replace: true });
  if (claims.length === 0) return <NoClaims sidebar={sidebar} />;
  const isFiltered = filter.mark !== null || filter.type !== null || filter.class !== null;
  return (
    <div className="claims-tab">
      <div className="claims-filters" role="search" aria-label="Filter claims">
        <Select label="Mark" isLabelHidden choices={MARK_CHOICES} value={filter.mark ?? ''} onChange={({ target }) => set('mark', target.value)} />
        <Select
          label="Type"
          isLabelHidden
          choices={typeChoices(claims, filter.type)}
          value={filter.type ?? ''}
          onChange={({ target }) => set('type', target.value)}
        />
        <Select
          label="Class"
          isLabelHidden
          choices={CLASS_CHOICES}
          value={filter.class ?? ''}
          onChange={({ target }) => set('class', target.value)}
        />
        {isFiltered ? (
          <Button variant="quiet" size="small" icon={X} onClick={clear}>
            Clear filters
          </Button>
        ) : null}
        <p className="small soft" role="status">
          {isFiltered ? `${fitting.length} of ${counted(claims.length, 'claim')}` : summaryOf(claims)}
        </p>
      </div>
      {asked > 0 && askedClaim === undefined ? <Notice>There is no claim {asked} in this sidebar.</Notice> : null}
      {fitting.length === 0 ? (
        <Empty icon={SearchX} title="No matching claims" action={<Button onClick={clear}>Clear filters</Button>} />
      ) : (
        <ul className="claims-list" aria-label="Claims">
          {fitting.slice(0, most).map((claim) => (
            <li key={claim.id}>
              <ClaimCard sidebar={about} claim={claim} now={now} />
            </li>
          ))}
        </ul>
      )}
      {fitting.length > most ? (
        <div className="actions">
          <Button onClick={() => setMost((before) => before + AT_ONCE)}>Show {Math.min(AT_ONCE, fitting.length - most)} more</Button>
        </div>
      ) : null}
    </div>
  );
};

const NoClaims = ({ sidebar: { origin } }: { readonly sidebar: Sidebar }) => (
  <Empty icon={ShieldQuestion} title="No claims yet">
    {origin.kind === 'none'
      ? 'Claims are statements that a sidebar inherits. This one inherited nothing.'
      : 'Claims are statements this sidebar inherited. They’re listed here once someone judges or checks them: open a mark above the line in the conversation.'}
  </Empty>
);

const summaryOf = (claims: readonly Claim[]): string => {
  const open = claims.filter(isOpenClaim).length;
  return `${counted(claims.length, 'claim')}${open === 0 ? '' : `, ${counted(open, 'decision')} needed`}`;
};

const FILTERS: ReadonlySet<string> = new Set(['mark', 'type', 'class']);
const AT_ONCE = 50;
