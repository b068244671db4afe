import type { ComponentProps, KeyboardEvent } from 'react';

export type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'onKeyDown'> & { readonly onSubmit: () => void };

/** A form in the page. PAGE-183: Ctrl-Enter in any of its fields presses the submit button. */
export const Form = ({ onSubmit, ...rest }: FormProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key is a shortcut for the button that submits it
  <form
    {...rest}
    onKeyDown={submitByKey}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);

/** By its button, so that a disabled button can't be bypassed. */
const submitByKey = (event: KeyboardEvent<HTMLFormElement>): void => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const button = [...event.currentTarget.elements].find((one) => one instanceof HTMLButtonElement && one.type === 'submit');
  if (button instanceof HTMLButtonElement) button.click();
};
