import { X, type LucideIcon } from 'lucide-react';
import { useRef, type ComponentProps, type RefObject } from 'react';
import { IconButton } from '../../ui/button.tsx';

export type TypedBoxProps = Pick<ComponentProps<'input'>, 'placeholder' | 'onKeyDown'> & {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly box?: RefObject<HTMLInputElement | null>;
};

/** A box that searches as you type. */
export const TypedBox = ({ label, icon: Icon, value, onChange, box, ...rest }: TypedBoxProps) => {
  const own = useRef<HTMLInputElement>(null);
  const input = box ?? own;
  return (
    <div className="archive-box">
      <Icon aria-hidden />
      <input
        {...rest}
        ref={input}
        type="text"
        inputMode="search"
        aria-label={label}
        maxLength={4096}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {value === '' ? null : (
        <IconButton
          icon={X}
          label={`Clear ${label.toLowerCase()}`}
          size="small"
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
        />
      )}
    </div>
  );
};
