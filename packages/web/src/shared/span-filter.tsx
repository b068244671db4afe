import { useState } from 'react';
import { Select, TextField } from '../ui/field.tsx';
import { useNow } from '../ui/now.tsx';

export type SpanFilterProps = {
  /** Days, such as 2026-01-31; empty for none. */
  readonly since: string;
  readonly until: string;
  readonly onChange: (change: { readonly since?: string; readonly until?: string }) => void;
};

/** A time filter: one of a few spans up to now, or any days. */
export const SpanFilter = ({ since, until, onChange }: SpanFilterProps) => {
  const now = useNow();
  const span = SPANS.find(({ days }) => until === '' && since === dayBefore(now, days));
  const [isOwn, setIsOwn] = useState(false);
  const isBetween = isOwn || (span === undefined && (since !== '' || until !== ''));
  return (
    <>
      <Select
        label="When"
        isLabelHidden
        choices={[
          { value: '', label: 'Any time' },
          ...SPANS.map(({ days, label }) => ({ value: String(days), label })),
          { value: 'own', label: 'Custom range' },
        ]}
        value={isBetween ? 'own' : span === undefined ? '' : String(span.days)}
        onChange={({ target: { value } }) => {
          setIsOwn(value === 'own');
          if (value !== 'own') onChange({ since: value === '' ? '' : dayBefore(now, Number(value)), until: '' });
        }}
      />
      {isBetween ? (
        <>
          <TextField label="From" isLabelHidden type="date" value={since} max={until} onChange={(event) => onChange({ since: event.target.value })} />
          <TextField label="To" isLabelHidden type="date" value={until} min={since} onChange={(event) => onChange({ until: event.target.value })} />
        </>
      ) : null}
    </>
  );
};

const SPANS = [
  { days: 1, label: 'Since yesterday' },
  { days: 7, label: 'Last 7 days' },
  { days: 30, label: 'Last 30 days' },
  { days: 90, label: 'Last 90 days' },
] as const;

export const dayBefore = (now: number, days: number): string => new Date(now - days * 86_400_000).toISOString().slice(0, 10);
