import { printableLine } from '@yarnboard/transcript';
import { PanelRightOpen } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import { Link } from 'wouter';
import { IconButton } from '../ui/button.tsx';
import { useBeside } from './beside.ts';
import { pathOfSidebar } from './names.ts';

type Named = { readonly ref: string; readonly id: string };

/** PAGE-600: opens a sidebar beside the current view; in a tab of its own it is a page. */
export const BesideLink = ({ sidebar, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { readonly sidebar: Named }) => {
  const beside = useBeside();
  const onClick = (event: MouseEvent<HTMLAnchorElement>): void => {
    rest.onClick?.(event);
    if (beside === null || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    beside.open(nameIn(sidebar));
  };
  return <Link {...rest} href={pathOfSidebar(sidebar)} onClick={onClick} />;
};

/** Opens a sidebar beside a view whose links lead to pages. */
export const BesideButton = ({ name, search = '' }: { /** SB-n, or an id. */ readonly name: string; readonly search?: string }) => {
  const beside = useBeside();
  if (beside === null) return null;
  return (
    <IconButton icon={PanelRightOpen} label={printableLine(`Open ${name} beside this`)} size="small" onClick={() => beside.open(name, search)} />
  );
};

export const nameIn = ({ ref, id }: Named): string => (ref === '' ? id : ref);
