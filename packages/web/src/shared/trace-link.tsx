import { printableLine } from '@yarnboard/transcript';
import { Waypoints } from 'lucide-react';
import { Link } from 'wouter';
import { Tooltip } from '../ui/tooltip.tsx';

/** The path of a yarn board: for a reference, the id of a session, a path or an address. */
export const tracePath = (ref: string): string => `/trace/${encodeURIComponent(ref)}`;

/** PAGE-240: leads to where something comes from and what came of it. */
export const TraceLink = ({ to, name = to, size = 'small' }: { readonly to: string; readonly name?: string; readonly size?: 'small' | 'normal' }) => (
  <Tooltip text="Trace">
    <Link
      href={tracePath(to)}
      className={`button button-${size === 'small' ? 'quiet' : 'plain'} button-${size} button-icon`}
      aria-label={printableLine(`Trace ${name}`)}
    >
      <Waypoints aria-hidden />
    </Link>
  </Tooltip>
);
