import { assertNever } from '../never.ts';
import type { Part } from './parts.ts';
import { printable } from './printable.ts';
import type { Source } from './source.ts';
import type { Reconstruction, Step } from './steps.ts';
import { usedLine } from './operation.ts';
import {
  CLEARED,
  describeApart,
  describeCompaction,
  describeEnd,
  describeMerged,
  describeRest,
  describeStart,
  heading,
  margin,
  messageTime,
  partsAt,
  renderSteps,
  TAKEN_BACK,
} from './words.ts';

/** The conversation for a terminal: plain text, indented by sidechain, long outputs cut with a count. */
export function* renderText(source: Source, reconstruction: Reconstruction, maxLines = 20): Generator<string, void, undefined> {
  yield `${heading(source, reconstruction).map(printable).join('\n')}\n`;
  yield* renderSteps(reconstruction, (step, isHeaded) => textOfStep(source, step, isHeaded, maxLines));
  for (const line of describeRest(reconstruction)) yield `\n${line}\n`;
}

const textOfStep = (source: Source, step: Step, isHeaded: boolean, maxLines: number): string => {
  const side = margin('│ ', step.kind === 'enter' || step.kind === 'leave' ? step.depth - 1 : step.depth);
  switch (step.kind) {
    case 'enter':
      return `${side}\n${side}┌─ ${printable(describeStart(step.sidechain, step.caller))}\n`;
    case 'leave':
      return `${side}└─ ${printable(describeEnd(step.sidechain))}\n`;
    case 'compaction':
      return `${side}\n${side}══ ${printable(describeCompaction(step.node))} ══\n`;
    case 'clearing':
      return `${side}\n${side}══ ${CLEARED} ══\n`;
    case 'merged':
      return `${side}\n${side}⇐ ${printable(describeMerged(step.merged))}\n${clip(step.merged.text, Number.POSITIVE_INFINITY)
        .map((line) => `${side}  ${line}\n`)
        .join('')}`;
    case 'apart':
      return `\n── ${describeApart(step.stretch)} ──\n`;
    case 'message': {
      const parts = partsAt(source, step.node);
      if (parts.length === 0) return '';
      const body = parts.flatMap((part) => linesOf(source, part, maxLines)).map((line) => `${side}  ${line}\n`);
      if (!isHeaded) return body.join('');
      const to = step.sidechain !== null && step.node.entry.role === 'prompt' ? ` → ${step.sidechain.agent}` : '';
      return `${side}\n${side}${printable(`${step.actor.name}${to}`)}${roleMark(step.node.entry.role)}${step.isTakenBack ? ` (${TAKEN_BACK})` : ''}  ${messageTime(step.node)}\n${body.join('')}`;
    }
    default:
      return assertNever(step);
  }
};

const linesOf = (source: Source, part: Part, maxLines: number): readonly string[] => {
  switch (part.kind) {
    case 'text':
      return clip(part.text, Number.POSITIVE_INFINITY);
    case 'thinking':
      return clip(part.text, maxLines).map((line) => `· ${line}`);
    case 'tool-use':
      return [`▸ ${printable(part.name)}: ${usedLine(source, part)}`];
    case 'tool-result': {
      const output = part.savedAs === null ? null : source.outputOf(part.savedAs);
      return [...(part.isError ? ['✗ error'] : []), ...clip(output ?? part.text, maxLines)];
    }
    case 'image':
      return [`[image: ${printable(part.mediaType)}]`];
    case 'other':
      return [`[${printable(part.type)}]`];
    default:
      return assertNever(part);
  }
};

const clip = (text: string, most: number): readonly string[] => {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end -= 1;
  const lines = text.slice(0, end).split('\n').map(printable);
  return lines.length <= most ? lines : [...lines.slice(0, most), `… ${lines.length - most} more lines`];
};

const roleMark = (role: string): string => (role === 'result' ? ' result' : MARKED.has(role) ? ` (${role})` : '');

const MARKED: ReadonlySet<string> = new Set(['summary', 'synthetic', 'meta', 'command', 'output', 'bash', 'memory', 'notice', 'interruption']);
