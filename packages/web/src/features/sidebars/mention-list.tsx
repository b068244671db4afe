import { agentIdOf } from '@yarnboard/domain';
import { OfferList } from '../../shared/offer-list.tsx';
import { Person } from '../../shared/people.tsx';

export type MentionListProps = {
  readonly id: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onTake: (name: string) => void;
};

/** Suggests names after an @. */
export const MentionList = ({ id, names, chosen, onTake }: MentionListProps) => (
  <OfferList id={id} label="People and agents" items={names} nameOf={(name) => name} chosen={chosen} onTake={onTake}>
    {(name) => <Person id={agentIdOf(name)} />}
  </OfferList>
);
