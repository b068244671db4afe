import { FilterX } from 'lucide-react';
import { nameOf } from '../../shared/names.ts';
import { SpanFilter } from '../../shared/span-filter.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckMenu } from '../../ui/check-menu.tsx';
import { Select } from '../../ui/field.tsx';
import { KIND_LOOKS, wordsOfKind } from './card-words.ts';
import { NO_FILTERS } from './yarn-address.ts';
import type { YarnFilters as Filters } from './yarn-board.ts';
import type { Offered } from './use-trace.ts';

export type YarnFiltersProps = {
  readonly filters: Filters;
  /** The available choices. */
  readonly offered: Offered;
  readonly onChange: (change: Partial<Filters>) => void;
};

/** PAGE-238: narrows what the board shows; the URL holds all of it. */
export const YarnFilters = ({ filters, offered, onChange }: YarnFiltersProps) => {
  const { strings, cards, person, since, until } = filters;
  const people = [...new Set([...offered.people, ...(person === '' ? [] : [person])])];
  const isNarrowed = strings.length + cards.length > 0 || person !== '' || since !== '' || until !== '';
  return (
    <div className="yarn-filters" role="group" aria-label="Filters">
      <CheckMenu
        label="Strings"
        choices={offered.strings.map((value) => ({ value, label: wordsOfKind(value) }))}
        value={strings}
        onChange={(value) => onChange({ strings: value })}
      />
      <CheckMenu
        label="Cards"
        choices={offered.cards.map((value) => ({ value, label: KIND_LOOKS[value].name }))}
        value={cards}
        onChange={(value) => onChange({ cards: value })}
      />
      <Select
        label="Person"
        isLabelHidden
        choices={[{ value: '', label: 'Anyone' }, ...people.map((value) => ({ value, label: nameOf(value) }))]}
        value={person}
        onChange={(event) => onChange({ person: event.target.value })}
      />
      <SpanFilter since={since} until={until} onChange={onChange} />
      {isNarrowed ? (
        <Button variant="quiet" size="small" icon={FilterX} onClick={() => onChange(NO_FILTERS)}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
};
