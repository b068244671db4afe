import type { Agent } from '@yarnboard/domain';
import { useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { nameOf } from '../../shared/names.ts';
import { Person } from '../../shared/people.tsx';

export type PeopleChoiceProps = {
  readonly label: string;
  readonly hint: string;
  readonly people: readonly Agent[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/** Chooses any number of people and agents; a long list can be filtered. */
export const PeopleChoice = ({ label, hint, people, chosen, onChange }: PeopleChoiceProps) => {
  const [wanted, setWanted] = useState('');
  const shown = people.filter((agent) => textOf(agent).includes(wanted.trim().toLowerCase()) || chosen.includes(agent.id));
  return (
    <fieldset className="person-choice">
      <legend className="field-label">{label}</legend>
      {people.length > MANY ? (
        <TextField
          label="Filter people"
          isLabelHidden
          placeholder="Filter by name or skill"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      ) : null}
      {people.length === 0 ? null : (
        <div className="person-choice-list">
          {shown.map(({ id }) => (
            <label key={id} className="person-choice-one">
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={(event) => onChange(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
              />
              <Person id={id} />
            </label>
          ))}
        </div>
      )}
      <p className="field-hint">{people.length === 0 ? 'No agents yet. Add one under Agents.' : hint}</p>
    </fieldset>
  );
};

const textOf = ({ id, specialties }: Agent): string => [nameOf(id), ...specialties].join(' ').toLowerCase();

const MANY = 8;
