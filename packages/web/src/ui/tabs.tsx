import { Tabs as Radix } from 'radix-ui';
import { useEffect, useRef, type ReactNode } from 'react';
import { Count } from './badge.tsx';
import './tabs.css';

export type Tab = { readonly id: string; readonly label: string; readonly count?: number; readonly content: ReactNode };

export type TabsProps = { readonly label: string; readonly tabs: readonly Tab[]; readonly value: string; readonly onChange: (id: string) => void };

export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => {
  const list = useRef<HTMLDivElement>(null);
  // If there isn't room for all of them, the active one may be beyond the edge.
  useEffect(() => {
    const reveal = (): void => {
      const chosen = list.current?.querySelector<HTMLElement>('[data-state="active"]');
      if (chosen !== null && chosen !== undefined) list.current?.scrollTo({ left: chosen.offsetLeft - list.current.offsetLeft - EDGE });
    };
    reveal();
    window.addEventListener('resize', reveal);
    return () => window.removeEventListener('resize', reveal);
  }, [value]);
  return (
    <Radix.Root className="tabs" value={value} onValueChange={onChange}>
      <Radix.List ref={list} className="tabs-list" aria-label={label}>
        {tabs.map(({ id, label, count }) => (
          <Radix.Trigger key={id} value={id} className="tabs-tab">
            {label}
            {count === undefined ? null : <Count of={count} />}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className="tabs-content">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
};

/** Enough of the previous one to show that it exists. */
const EDGE = 48;
