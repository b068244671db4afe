import { agentIdOf } from '@yarnboard/domain';
import { Person } from '../../shared/people.tsx';

export type MentionListProps = {
  readonly id: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onTake: (name: string) => void;
};

/** Whom an @ could mean. The keys are those of the text it stands above, which keeps the focus. */
export const MentionList = ({ id, names, chosen, onTake }: MentionListProps) => (
  <div id={`${id}-names`} className="mention-list" role="listbox" aria-label="People and agents">
    {names.map((name, n) => (
      <div
        key={name}
        id={`${id}-name-${n}`}
        className="mention-one"
        role="option"
        tabIndex={-1}
        aria-selected={n === chosen}
        // Not on click: by then the text would have lost the focus, and the list would be gone.
        onPointerDown={(event) => {
          event.preventDefault();
          onTake(name);
        }}
      >
        <Person id={agentIdOf(name)} />
      </div>
    ))}
  </div>
);
