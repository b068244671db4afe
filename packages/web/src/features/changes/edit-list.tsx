import { Button } from '../../ui/button.tsx';
import { Failure, Skeleton } from '../../ui/state.tsx';
import { EditCard } from './edit-card.tsx';
import type { Edits } from './use-edits.ts';

export type EditListProps = {
  readonly edits: Edits;
  readonly label: string;
  readonly nameOf: (agentId: string) => string | null;
  readonly isOfMany: boolean;
};

/** A list of edits, with a button that loads more. */
export const EditList = ({ edits, label, nameOf, isOfMany }: EditListProps) => {
  const { items, isLoading, error, more, isLoadingMore, refetch } = edits;
  if (isLoading) return <Skeleton lines={8} label="Loading edits" />;
  return (
    <section className="edit-list" aria-label={label}>
      {items.map((edit) => (
        <EditCard
          key={`${edit.sessionId} ${edit.uuid} ${edit.part}`}
          edit={edit}
          agent={edit.agentId === null ? null : nameOf(edit.agentId)}
          isOfMany={isOfMany}
        />
      ))}
      {error === null ? null : <Failure title="Couldn’t load the edits" error={error} onRetry={refetch} />}
      {more === null ? null : (
        <p className="edit-more">
          <Button isBusy={isLoadingMore} onClick={more}>
            Show more edits
          </Button>
        </p>
      )}
    </section>
  );
};
