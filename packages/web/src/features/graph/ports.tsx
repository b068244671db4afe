import { Position, type NodeHandle } from '@xyflow/react';
import './ports.css';
import type { Size } from './surroundings.ts';

/** React Flow finds line ends by these. Its own Handle component listens for new connections, which nobody can make here. */
export const Ports = () =>
  PORTS.map(({ id, type, position }) => (
    <span key={id} className={`port port-${position} ${type}`} data-handleid={id} data-handlepos={position} aria-hidden />
  ));

/** Lines also lead to cards out of view, which were never measured. */
export const handlesOf = ({ width, height }: Size): NodeHandle[] => {
  const places = {
    [Position.Top]: { x: width / 2, y: 0 },
    [Position.Bottom]: { x: width / 2, y: height },
    [Position.Left]: { x: 0, y: height / 2 },
    [Position.Right]: { x: width, y: height / 2 },
  };
  return PORTS.map(({ id, type, position }) => ({ id, type, position, width: 1, height: 1, ...places[position] }));
};

/** A continuation leaves at the bottom and arrives at the top; a card beside another is reached from the side. */
const PORTS = [
  { id: 'in', type: 'target', position: Position.Top },
  { id: 'out', type: 'source', position: Position.Bottom },
  { id: 'beside', type: 'target', position: Position.Left },
  { id: 'aside', type: 'source', position: Position.Right },
] as const;
