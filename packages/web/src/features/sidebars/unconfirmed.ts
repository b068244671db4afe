import type { Sidebar } from '@yarnboard/domain';
import { useBoard, useLive } from '../../live/hooks.tsx';

/** The id of the first change to a sidebar that isn't on the log yet, or null. Ignores messages, which have a mark of their own. */
export const useUnconfirmed = ({ contextId }: Sidebar): string | null => {
  const { replica } = useLive();
  return useBoard(
    () => replica.proposed().find((event) => event.contextId === contextId && event.type !== 'chat.message')?.uuid ?? null,
    [contextId],
  );
};
