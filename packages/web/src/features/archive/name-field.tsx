import { useState } from 'react';
import { TextField } from '../../ui/field.tsx';

export type NameFieldProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What can be asked for; anything, unless given. */
  readonly isFitting?: (text: string) => boolean;
  /** What to type instead, for what does not fit. */
  readonly wanted?: string;
};

/** PAGE-501: a reference to filter by. It counts once Enter is pressed or the field is left: half of it is another one's name. */
export const NameField = ({ label, placeholder, value, onChange, isFitting, wanted }: NameFieldProps) => {
  const [{ text, of }, setTyped] = useState({ text: value, of: value });
  const [isWrong, setIsWrong] = useState(false);
  // Whatever else changes the address changes what stands here.
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
