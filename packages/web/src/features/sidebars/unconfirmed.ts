import type { Sidebar } from '@yarnboard/domain';
import { useBoard, useLive } from '../../live/hooks.tsx';

/** Whether something was done here to a sidebar that the server has not confirmed yet; what is said has a mark of its own. */
export const useUnconfirmed = ({ contextId }: Sidebar): boolean => {
  const { replica } = useLive();
  return useBoard(() => replica.proposed().some((event) => event.contextId === contextId && event.type !== 'chat.message'), [contextId]);
};
