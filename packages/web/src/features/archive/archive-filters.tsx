import { ARCHIVE_REASONS, type Status } from '@yarnboard/domain';
import { ChevronDown, FilterX } from 'lucide-react';
import { useId, useState } from 'react';
import { useAsk } from '../../live/hooks.tsx';
import { nameOf } from '../../shared/names.ts';
import { SpanFilter } from '../../shared/span-filter.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckMenu, type CheckChoice } from '../../ui/check-menu.tsx';
import { Select, type Choice } from '../../ui/field.tsx';
import { countOf, projectName } from '../../ui/wording.ts';
import { hasArchiveFilters, hasFurtherFilters, isSidebarName, OUTCOMES, type ArchiveWish } from './archive-address.ts';
import { endingLook, reasonWords } from './archive-words.ts';
import { NameField } from './name-field.tsx';

export type ArchiveFiltersProps = {
  readonly wish: ArchiveWish;
  readonly onChange: (part: Partial<ArchiveWish>) => void;
  readonly onClear: () => void;
};

/** PAGE-501: filters the archive; the address holds all of them. */
export const ArchiveFilters = ({ wish, onChange, onClear }: ArchiveFiltersProps) => {
  const { data } = useAsk('archive_search', { facets: 'true', limit: 1 }, { staleMs: 30_000, keepsPrevious: true });
  const [isOpen, setIsOpen] = useState(hasFurtherFilters(wish));
  const further = useId();
  const facets = data?.facets ?? null;
  return (
    <>
      <div className="archive-filters" role="group" aria-label="Filters">
        <CheckMenu
          label="Outcome"
          choices={OUTCOMES.map((value) => ({ value, label: endingLook(value).word }))}
          value={OUTCOMES.filter((one) => wish.outcomes.includes(one))}
          onChange={(outcomes: readonly Status[]) => onChange({ outcomes })}
        />
        <CheckMenu label="Type" choices={menuOf(facets?.taskTypes, wish.types)} value={wish.types} onChange={(types) => onChange({ types })} />
        <CheckMenu
          label="People"
          choices={menuOf(facets?.participants, wish.people, nameOf)}
          value={wish.people}
          onChange={(people) => onChange({ people })}
        />
        <CheckMenu label="Tags" choices={menuOf(facets?.tags, wish.tags)} value={wish.tags} onChange={(tags) => onChange({ tags })} />
        <SpanFilter since={wish.since} until={wish.until} onChange={onChange} />
        <Select
          label="GOLD"
          isLabelHidden
          choices={[
            { value: '', label: 'With or without GOLD' },
            { value: 'with', label: 'With GOLD' },
            { value: 'without', label: 'Without GOLD' },
          ]}
          value={wish.gold}
          onChange={({ target: { value } }) => onChange({ gold: value === 'with' || value === 'without' ? value : '' })}
        />
        <Button icon={ChevronDown} aria-expanded={isOpen} aria-controls={further} onClick={() => setIsOpen(!isOpen)}>
          More filters
        </Button>
        {hasArchiveFilters(wish) ? (
          <Button variant="quiet" size="small" icon={FilterX} onClick={onClear}>
            Clear filters
          </Button>
        ) : null}
      </div>
      <div id={further} hidden={!isOpen} className="archive-further card" role="group" aria-label="More filters">
        <FurtherFilters wish={wish} onChange={onChange} people={facets?.archivedBy ?? []} projects={facets?.projects ?? []} />
      </div>
    </>
  );
};

type Occurring = readonly { readonly value: string; readonly sidebars: number }[];

type FurtherProps = Pick<ArchiveFiltersProps, 'wish' | 'onChange'> & { readonly people: Occurring; readonly projects: Occurring };

const FurtherFilters = ({ wish, onChange, people, projects }: FurtherProps) => (
  <>
    <Select
      label="Spelling"
      choices={percents(wish.alike, ['100', '90', '60', '40'], 'Close (80%)', (n) => (n === '100' ? 'Exact (100%)' : `At least ${n}% alike`))}
      value={wish.alike}
      onChange={(event) => onChange({ alike: event.target.value })}
    />
    <Select
      label="Closeness in meaning"
      choices={percents(wish.near, ['90', '50', '30', '0'], 'Close (70%)', (n) => (n === '0' ? 'Any' : `At least ${n}%`))}
      value={wish.near}
      onChange={(event) => onChange({ near: event.target.value })}
    />
    <Select
      label="Project"
      choices={choicesOf('All projects', projects, wish.project, projectName)}
      value={wish.project}
      onChange={(event) => onChange({ project: event.target.value })}
    />
    <Select
      label="Archived by"
      choices={choicesOf('Anyone', people, wish.by, nameOf)}
      value={wish.by}
      onChange={(event) => onChange({ by: event.target.value })}
    />
    <div className="field">
      <span className="field-label" aria-hidden>
        Why archived
      </span>
      <CheckMenu
        label="Reason"
        choices={ARCHIVE_REASONS.map((value) => ({ value, label: reasonWords(value) }))}
        value={ARCHIVE_REASONS.filter((one) => wish.reasons.includes(one))}
        onChange={(reasons: readonly string[]) => onChange({ reasons })}
      />
    </div>
    <NameField label="Branched off" placeholder="SB-3, MSG-12 or a session ID" value={wish.from} onChange={(from) => onChange({ from })} />
    {SIDEBAR_FIELDS.map(({ name, label }) => (
      <NameField
        key={name}
        label={label}
        placeholder="SB-3"
        value={wish[name]}
        isFitting={isSidebarName}
        wanted="Type a sidebar as SB-3."
        onChange={(value) => onChange({ [name]: value })}
      />
    ))}
  </>
);

const SIDEBAR_FIELDS = [
  { name: 'sidebar', label: 'Sidebar' },
  { name: 'child', label: 'Children of' },
  { name: 'fork', label: 'Forks of' },
  { name: 'forked', label: 'Forked into' },
] as const satisfies readonly { readonly name: keyof ArchiveWish; readonly label: string }[];

/** The values that occur, plus those that the address asks for. */
const menuOf = (
  occurring: Occurring = [],
  chosen: readonly string[],
  label: (value: string) => string = (value) => value,
): readonly CheckChoice<string>[] => [
  ...chosen.filter((one) => !occurring.some(({ value }) => value === one)).map((value) => ({ value, label: label(value) })),
  ...occurring.map(({ value, sidebars }) => ({ value, label: label(value), hint: countOf(sidebars) })),
];

const choicesOf = (any: string, occurring: Occurring, chosen: string, label: (value: string) => string): readonly Choice[] => [
  { value: '', label: any },
  ...menuOf(occurring, chosen === '' ? [] : [chosen], label).map(({ value, label: name }) => ({ value, label: name })),
];

const percents = (chosen: string, offered: readonly string[], usual: string, label: (percent: string) => string): readonly Choice[] => [
  { value: '', label: usual },
  ...(chosen === '' || offered.includes(chosen) ? [] : [{ value: chosen, label: label(chosen) }]),
  ...offered.map((value) => ({ value, label: label(value) })),
];
