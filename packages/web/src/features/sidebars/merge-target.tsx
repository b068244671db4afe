import { isEnded, rowsOf, type Board, type Context, type Sidebar } from '@yarnboard/domain';
import { useAsk, useBoard } from '../../live/hooks.tsx';
import { Select, type Choice } from '../../ui/field.tsx';
import { inShort, shortId } from '../../shared/names.ts';

/** A merge target: its id for the server, and its context for the domain. */
export type Target = { readonly parentId: string; readonly context: Context };

/** A root or a fork needs a target; any other sidebar merges into its parent. */
export const needsTarget = ({ parent }: Sidebar): boolean => parent === null;

export const targetNamed = (board: Board, name: string): Target | null => {
  if (name === '') return null;
  const sidebarId = board.ids.get(name.toUpperCase());
  return sidebarId === undefined
    ? { parentId: name, context: { kind: 'session', sessionId: name } }
    : { parentId: name, context: { kind: 'sidebar', sidebarId } };
};

export const TargetChoice = ({
  sidebar,
  value,
  onChange,
}: {
  readonly sidebar: Sidebar;
  readonly value: string;
  readonly onChange: (name: string) => void;
}) => {
  const sidebars = useBoard(
    (board) =>
      rowsOf(board.sidebars)
        .filter(({ id, status, ref }) => id !== sidebar.id && ref !== '' && !isEnded(status))
        .toSorted((a, b) => b.lastActivity - a.lastActivity)
        .slice(0, MOST_OFFERED)
        .map(({ ref, task }): Choice => ({ value: ref, label: `${ref}: ${inShort(task, 60)}` })),
    [sidebar.id],
  );
  const { data } = useAsk('sessions', { limit: 30 }, { staleMs: 60_000 });
  const sessions = (data?.items ?? []).map(({ sessionId, title }): Choice => ({
    value: sessionId,
    label: `Session: ${inShort(title ?? shortId(sessionId), 60)}`,
  }));
  const known = sidebar.mergeTarget;
  return (
    <Select
      label="Merge into"
      hint="This sidebar has no parent. Choose where its findings go."
      choices={[
        { value: '', label: known === null ? 'Choose…' : 'Same target as the original' },
        ...sidebars,
        ...sessions.filter(({ value: id }) => known?.kind !== 'session' || known.sessionId !== id),
      ]}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
};

const MOST_OFFERED = 50;
