import type { Sidebar } from '@yarnboard/domain';
import { useBoard, useLive } from '../../live/hooks.tsx';

/** The first thing done to a sidebar that is not on the log yet, by its id; what is said has a mark of its own. Null when there is none. */
export const useUnconfirmed = ({ contextId }: Sidebar): string | null => {
  const { replica } = useLive();
  return useBoard(
    () => replica.proposed().find((event) => event.contextId === contextId && event.type !== 'chat.message')?.uuid ?? null,
    [contextId],
  );
};
