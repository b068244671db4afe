import type { Context, Sidebar } from '@yarnboard/domain';
import { FolderTree, MessagesSquare } from 'lucide-react';
import { Link } from 'wouter';
import { useAsk, useBoard, useLive } from '../live/hooks.tsx';
import { Reference } from '../ui/reference.tsx';
import './context-link.css';
import { inShort, shortId } from './names.ts';
import { STATUS_LOOKS } from './status-badge.tsx';

/** A link to a session or a sidebar, by its usual name. */
export const ContextLink = ({ context, at = null }: { readonly context: Context; /** A message of it. */ readonly at?: string | null }) =>
  context.kind === 'session' ? <SessionLink id={context.sessionId} at={at} /> : <SidebarLink id={context.sidebarId} at={at} />;

/** PAGE-168: a link to where a sidebar was merged, at the message it left there. */
export const MergedLink = ({ sidebar: { mergedAs }, into }: { readonly sidebar: Sidebar; readonly into: Context }) => {
  const ref = mergedAs?.ref ?? '';
  return (
    <span className="context-link-merged">
      <ContextLink context={into} at={ref === '' ? null : ref} />
      {ref === '' ? null : (
        <span>
          as <Reference to={ref} />
        </span>
      )}
    </span>
  );
};

const queryOf = (at: string | null): string => (at === null ? '' : `?at=${encodeURIComponent(at)}`);

const SessionLink = ({ id, at }: { readonly id: string; readonly at: string | null }) => {
  const { data } = useAsk('session', { id }, { staleMs: 5 * 60_000 });
  return (
    <Link href={`/sessions/${encodeURIComponent(id)}${queryOf(at)}`} className="context-link" title={`Session ${id}`}>
      <FolderTree aria-hidden />
      <span className="one-line">{inShort(data?.title ?? `session ${shortId(id)}`)}</span>
    </Link>
  );
};

export const SidebarLink = ({ id, isShort = false, at = null }: { readonly id: string; readonly isShort?: boolean; readonly at?: string | null }) => {
  const { replica } = useLive();
  const { row, ref } = useBoard((board) => ({ row: board.sidebars.get(id), ref: replica.refOf(id) }), [id]);
  const Icon = row === undefined ? MessagesSquare : STATUS_LOOKS[row.status].icon;
  const name = (row?.ref ?? '') === '' ? (ref ?? shortId(id)) : (row?.ref ?? '');
  return (
    <Link
      href={`/sidebars/${name.startsWith('SB-') ? name : id}${queryOf(at)}`}
      className="context-link"
      title={row === undefined ? name : `${STATUS_LOOKS[row.status].word}: ${inShort(row.task)}`}
    >
      <Icon aria-hidden />
      <span className="one-line">
        <span className="context-link-ref">{name}</span>
        {isShort || row === undefined ? null : ` ${inShort(row.task)}`}
      </span>
    </Link>
  );
};
