import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import './tabs.css';

export type Tab = { readonly id: string; readonly label: string; readonly count?: number; readonly content: ReactNode };

export type TabsProps = { readonly label: string; readonly tabs: readonly Tab[]; readonly value: string; readonly onChange: (id: string) => void };

export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => (
  <Radix.Root className="tabs" value={value} onValueChange={onChange}>
    <Radix.List className="tabs-list" aria-label={label}>
      {tabs.map(({ id, label, count }) => (
        <Radix.Trigger key={id} value={id} className="tabs-tab">
          {label}
          {count === undefined ? null : <span className="tabs-count numbers">{count}</span>}
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
