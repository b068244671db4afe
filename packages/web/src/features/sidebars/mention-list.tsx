import { agentIdOf } from '@yarnboard/domain';
import { useChosenInSight } from '../../shared/chosen-in-sight.ts';
import { Person } from '../../shared/people.tsx';

export type MentionListProps = {
  readonly id: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onTake: (name: string) => void;
};

/** Suggests names after an @. The text field keeps the focus and handles the keys. */
export const MentionList = ({ id, names, chosen, onTake }: MentionListProps) => (
  <div ref={useChosenInSight(chosen, names.length)} id={id} className="mention-list" role="listbox" aria-label="People and agents">
    {names.map((name, n) => (
      <div
        key={name}
        id={`${id}-${n}`}
        className="mention-one"
        role="option"
        tabIndex={-1}
        aria-selected={n === chosen}
        // Not on click: by then the text field would have lost the focus, and the list would be gone.
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
