import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import { isUsual } from '../../shared/tools.ts';
import { ForkContext, type ForkPoint } from './fork-context.ts';
import { useIsOperator } from './holder.ts';

const ForkDialog = lazy(async () => ({ default: (await import('./fork-dialog.tsx')).ForkDialog }));

/** PAGE-420: lets whoever may start runs fork a Claude Code session wherever it is shown. */
export const ForkProvider = ({
  sessionId,
  tool,
  children,
}: {
  readonly sessionId: string;
  /** Null until known. */
  readonly tool: string | null;
  readonly children: ReactNode;
}) => {
  const isOperator = useIsOperator();
  const [from, setFrom] = useState<ForkPoint | undefined>(undefined);
  const fork = useCallback((point: ForkPoint) => setFrom(point), []);
  return (
    <ForkContext value={isOperator && tool !== null && isUsual(tool) ? fork : null}>
      {children}
      {from === undefined ? null : (
        <Suspense fallback={null}>
          <ForkDialog sessionId={sessionId} from={from} onClose={() => setFrom(undefined)} />
        </Suspense>
      )}
    </ForkContext>
  );
};
