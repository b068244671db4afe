import { Info, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import './notice.css';

type NoticeProps = {
  readonly tone?: 'info' | 'warn' | 'good';
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
  readonly action?: ReactNode;
};

/** A notice shown where it matters: beside an action, above a list. */
export const Notice = ({ tone = 'info', icon: Icon = Info, children, action }: NoticeProps) => (
  <div className={`notice notice-${tone}`}>
    <Icon aria-hidden />
    <div className="notice-text">{children}</div>
    {action}
  </div>
);
