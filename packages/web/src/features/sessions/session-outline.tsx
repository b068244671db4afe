import { printableLine } from '@yarnboard/transcript';
import { FoldVertical, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { ClockTime } from '../../ui/moment.tsx';
import { Failure, Skeleton } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import { Segmented } from '../../ui/segmented.tsx';
import type { FlowAddress } from './flow-pages.ts';
import { useOutline, type OutlineItem } from './prompts.ts';
import { SessionOperations } from './session-operations.tsx';
import './session-outline.css';
import { TaskListView } from './task-list.tsx';

type SessionOutlineProps = {
  readonly address: FlowAddress;
  /** The message that the URL asks for. */
  readonly at: string | null;
  readonly onGo: (ref: string) => void;
  readonly onClose: () => void;
};

/** PAGE-610: the prompts of a conversation, next to it, and its task list. */
export const SessionOutline = ({ address, at, onGo, onClose }: SessionOutlineProps) => {
  const { data, error, refetch } = useOutline(address);
  const [kind, setKind] = useState<Kind>('prompts');
  return (
    <aside className="outline-panel" aria-label="Outline">
      <header className="outline-panel-head">
        <h2>{data === undefined ? 'Outline' : counted(data.prompts, 'prompt')}</h2>
        <IconButton icon={X} label="Close outline (o)" size="small" onClick={onClose} aria-keyshortcuts="o" />
      </header>
      <div className="outline-kinds">
        <Segmented label="Show" isLabelHidden segments={KINDS} value={kind} onChange={setKind} />
      </div>
      {kind === 'calls' ? (
        <div className="outline-panel-body">
          <SessionOperations sessionId={address.sessionId} onGo={onGo} />
        </div>
      ) : (
        <div className="outline-panel-body">
          {error !== null && data === undefined ? <Failure title="Couldn’t load the outline" error={error} onRetry={() => void refetch()} /> : null}
          {error === null && data === undefined ? <Skeleton lines={8} label="Loading outline" /> : null}
          {data?.tasks == null || data.tasks.items.length === 0 ? null : <TaskListView tasks={data.tasks} onGo={onGo} />}
          {data === undefined ? null : data.items.length === 0 ? (
            <p className="outline-none">Prompts you send are listed here.</p>
          ) : (
            <ol className="outline-prompts" aria-label="Prompts">
              {data.items.map((item) => (
                <li key={item.uuid}>
                  <Prompt item={item} isHere={at !== null && (at === item.ref || at === item.uuid)} onGo={onGo} />
                </li>
              ))}
            </ol>
          )}
        </div>
      )}
    </aside>
  );
};

type Kind = 'prompts' | 'calls';

const KINDS: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'prompts', label: 'Prompts' },
  { value: 'calls', label: 'Tool calls' },
];

const Prompt = ({
  item: { kind, text, ref, uuid, at },
  isHere,
  onGo,
}: {
  readonly item: OutlineItem;
  readonly isHere: boolean;
  readonly onGo: (ref: string) => void;
}) => (
  <button
    type="button"
    className={`outline-prompt outline-prompt-${kind}`}
    aria-current={isHere ? 'true' : undefined}
    onClick={() => onGo(ref ?? uuid)}
  >
    {kind === 'compaction' ? (
      <span className="outline-compaction">
        <FoldVertical aria-hidden />
        Compacted
      </span>
    ) : (
      <span className="outline-words">{text === '' ? 'No text' : printableLine(text)}</span>
    )}
    <span className="outline-when numbers">{at === null ? null : <ClockTime at={at} />}</span>
  </button>
);
