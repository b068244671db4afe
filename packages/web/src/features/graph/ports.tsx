import { Position, type NodeHandle } from '@xyflow/react';
import './ports.css';
import type { Size } from './surroundings.ts';

/** React Flow finds where lines end by these. Its own component for it watches for connections being made, which nobody can make here. */
export const Ports = () =>
  PORTS.map(({ id, type, position }) => (
    <span key={id} className={`port port-${position} ${type}`} data-handleid={id} data-handlepos={position} aria-hidden />
  ));

/** Lines lead to cards that are out of view and were never measured, too. */
export const handlesOf = ({ width, height }: Size): NodeHandle[] => {
  const places = {
    [Position.Top]: { x: width / 2, y: 0 },
    [Position.Bottom]: { x: width / 2, y: height },
    [Position.Left]: { x: 0, y: height / 2 },
    [Position.Right]: { x: width, y: height / 2 },
  };
  return PORTS.map(({ id, type, position }) => ({ id, type, position, width: 1, height: 1, ...places[position] }));
};

/** What goes on leaves at the bottom and arrives at the top; what stands beside is reached from the side. */
const PORTS = [
  { id: 'in', type: 'target', position: Position.Top },
  { id: 'out', type: 'source', position: Position.Bottom },
  { id: 'beside', type: 'target', position: Position.Left },
  { id: 'aside', type: 'source', position: Position.Right },
] as const;
