import { Panel, ReactFlow, useReactFlow, useStoreApi, type BuiltInEdge, type Node, type ReactFlowProps } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { Maximize, Minus, Plus, type LucideIcon } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useTheme } from '../../ui/theme.tsx';
import './graph-canvas.css';
import { pace, unit } from './near.ts';
import { handlesOf } from './ports.tsx';
import type { Size } from './surroundings.ts';

/** From this zoom on, text is readable. */
export const NEAR = 0.5;
export const READABLE = 0.9;

type Listened = 'nodes' | 'edges' | 'nodeTypes' | 'onNodeClick' | 'onNodeDrag' | 'onNodeDragStop' | 'onEdgeMouseEnter' | 'onEdgeMouseLeave';

export type CardCanvasProps<N extends Node> = Pick<ReactFlowProps<N, BuiltInEdge>, Listened> & {
  readonly label: string;
  readonly className?: string;
  /** The smallest zoom allowed. */
  readonly farthest: number;
  readonly isMovable?: boolean;
  readonly onFit: () => void;
  /** The button that returns to the starting point. */
  readonly home: { readonly icon: LucideIcon; readonly label: string; readonly go: () => void; readonly isDisabled?: boolean };
  readonly children?: ReactNode;
};

/** The base of both canvases. Connecting, selecting and React Flow's own shortcuts are off: the cards handle their own keys. */
export const CardCanvas = <N extends Node>({
  label,
  className = '',
  farthest,
  isMovable = false,
  onFit,
  home,
  children,
  ...listened
}: CardCanvasProps<N>) => {
  const { shown } = useTheme();
  const flow = useReactFlow();
  return (
    <div className={`graph-canvas ${className}`} role="group" aria-label={label}>
      <ReactFlow<N, BuiltInEdge>
        {...listened}
        colorMode={shown}
        minZoom={farthest}
        maxZoom={2}
        onlyRenderVisibleElements
        nodesDraggable={isMovable}
        nodeDragThreshold={4}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        panOnScroll
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
      >
        <Panel position="bottom-left" className="graph-controls">
          <IconButton icon={Plus} label="Zoom in" size="small" onClick={() => void flow.zoomIn({ duration: pace() })} />
          <IconButton icon={Minus} label="Zoom out" size="small" onClick={() => void flow.zoomOut({ duration: pace() })} />
          <IconButton icon={Maximize} label="Fit to view" size="small" onClick={onFit} />
          <IconButton icon={home.icon} label={home.label} size="small" onClick={home.go} disabled={home.isDisabled ?? false} />
        </Panel>
        {children}
      </ReactFlow>
    </div>
  );
};

type Spot = { readonly x: number; readonly y: number };

/** Brings a card into view at a readable zoom; with `isQuiet`, only if it is out of sight. */
export const useShowCard = (card: Size): ((spot: Spot, isQuiet?: boolean) => void) => {
  const flow = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    (spot, isQuiet = false) => {
      const { x, y, zoom } = flow.getViewport();
      const { width, height } = store.getState();
      const [left, top] = [spot.x * zoom + x, spot.y * zoom + y];
      const isSeen = left >= 0 && top >= 0 && left <= width - card.width * zoom && top <= height - card.height * zoom;
      if (isSeen && (isQuiet || zoom >= NEAR)) return;
      void flow.setCenter(spot.x + card.width / 2, spot.y + card.height / 2, { zoom: Math.max(zoom, READABLE * unit()), duration: pace() });
    },
    [flow, store, card],
  );
};

/** The React Flow properties of every card. All cards have the same size, so React Flow need not measure them or add elements for line ends. */
export const cardNode = (card: Size) => ({
  width: card.width,
  height: card.height,
  measured: card,
  handles: handlesOf(card),
  domAttributes: { 'aria-roledescription': undefined },
});

/** The React Flow properties of every line: decoration only, because the outline says the same in words. */
export const LINE_EDGE = {
  ariaRole: 'presentation',
  ariaLabel: null as never, // the library accepts null for "none", but its type omits it
  domAttributes: { 'aria-roledescription': undefined },
} as const satisfies Partial<BuiltInEdge>;
