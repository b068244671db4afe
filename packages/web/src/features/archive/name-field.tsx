import { useState } from 'react';
import { TextField } from '../../ui/field.tsx';

export type NameFieldProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Which names are valid; all, unless given. */
  readonly isFitting?: (text: string) => boolean;
  /** What to type instead of an invalid name. */
  readonly wanted?: string;
};

/** PAGE-501: a reference to filter by. It applies on Enter or on blur, because half a name may be another's name. */
export const NameField = ({ label, placeholder, value, onChange, isFitting, wanted }: NameFieldProps) => {
  const [{ text, of }, setTyped] = useState({ text: value, of: value });
  const [isWrong, setIsWrong] = useState(false);
  // A change from elsewhere, such as the address, replaces the text in the field.
  if (of !== value) {
    setTyped({ text: value, of: value });
    setIsWrong(false);
  }
  const commit = (): void => {
    const next = text.trim();
    const fits = next === '' || isFitting === undefined || isFitting(next);
    setIsWrong(!fits);
    if (fits && next !== value) onChange(next);
  };
  return (
    <TextField
      label={label}
      placeholder={placeholder}
      maxLength={4096}
      autoComplete="off"
      spellCheck={false}
      value={text}
      error={isWrong && wanted !== undefined ? wanted : undefined}
      onChange={({ target }) => {
        setTyped({ text: target.value, of: value });
        setIsWrong(false);
      }}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
    />
  );
};
