import { useLocation } from 'wouter';
import { Tree } from '../../ui/tree.tsx';
import type { DrawnItem } from './drawing-desk.ts';
import { placeOf, useGist } from './gist.ts';
import { lookOf, marksOf, spoken } from './item-words.ts';
import './outline.css';

export type OutlineProps = {
  readonly sessionId: string;
  readonly items: readonly DrawnItem[];
  readonly current: string | null;
  /** Called when an item is selected here, so that the canvas can bring it into view. */
  readonly onVisit: (id: string) => void;
  readonly onToggle: (id: string, isOpen: boolean) => void;
};

/** The graph as a list: everything you can see or do on the canvas, for keyboards and screen readers. */
export const Outline = ({ sessionId, items, current, onVisit, onToggle }: OutlineProps) => {
  const [, navigate] = useLocation();
  return (
    <Tree
      label="Outline of the graph"
      rows={items}
      current={current}
      onVisit={onVisit}
      onToggle={onToggle}
      onOpen={(item) => navigate(placeOf(sessionId, item))}
      classOf={({ kind, isActive }) => `graph-row graph-row-${kind}${isActive ? ' graph-row-active' : ''}`}
      indentOf={({ level, kind }) => level - (kind === 'agent' ? 0 : 1)}
    >
      {(item, index) => <RowWords sessionId={sessionId} item={item} isRepeated={isRepeated(items[index - 1], item)} />}
    </Tree>
  );
};

const RowWords = ({ sessionId, item, isRepeated }: { readonly sessionId: string; readonly item: DrawnItem; readonly isRepeated: boolean }) => {
  const gist = useGist(sessionId, item);
  const { icon: Icon, name } = lookOf(item);
  return (
    <>
      <Icon className="graph-row-icon" aria-hidden />
      <span className="visually-hidden">{spoken(item, gist)}</span>
      <span className="one-line" aria-hidden>
        {gist ?? name}
      </span>
      <span className="graph-row-end tiny faint numbers" aria-hidden>
        {marksOf(item).map(({ kind, text, icon: MarkIcon }) =>
          kind === 'branch' && isRepeated ? null : kind === 'branch' ? (
            <span key={kind} className="graph-mark graph-mark-branch">
              {text}
            </span>
          ) : (
            <MarkIcon key={kind} className={`graph-mark-${kind}`} aria-hidden>
              <title>{text}</title>
            </MarkIcon>
          ),
        )}
        {item.kind === 'message' ? null : item.messages}
      </span>
    </>
  );
};

/** Whether the line above already named this item's branch. */
const isRepeated = (above: DrawnItem | undefined, { branch, level }: DrawnItem): boolean =>
  above?.isOpen === true && above.level < level && above.branch?.at === branch?.at && above.branch?.of === branch?.of;
