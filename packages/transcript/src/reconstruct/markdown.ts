import { assertNever } from '../never.ts';
import type { Part } from './parts.ts';
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

/** The conversation as a Markdown document; sidechains are block quotes, one level each. */
export function* renderMarkdown(source: Source, reconstruction: Reconstruction): Generator<string, void, undefined> {
  const [title = '', ...facts] = heading(source, reconstruction);
  yield `# ${inline(title)}\n\n${facts.map(inline).join('  \n')}\n`;
  yield* renderSteps(reconstruction, (step, isHeaded) => markdownOfStep(source, step, isHeaded));
  const rest = describeRest(reconstruction);
  if (rest.length > 0) yield `\n---\n\n${rest.map(inline).join('  \n')}\n`;
}

const markdownOfStep = (source: Source, step: Step, isHeaded: boolean): string => {
  switch (step.kind) {
    case 'enter':
      return quote(step.depth, `**${inline(describeStart(step.sidechain, step.caller))}**`, step.depth - 1);
    case 'leave':
      return quote(step.depth, `*${inline(describeEnd(step.sidechain))}*`);
    case 'compaction':
      return quote(step.depth, `---\n\n*${inline(describeCompaction(step.node))}*`);
    case 'clearing':
      return quote(step.depth, `---\n\n*${CLEARED}*`);
    case 'merged':
      return quote(step.depth, `### ${inline(describeMerged(step.merged))}\n\n${escapeHtml(step.merged.text)}`);
    case 'apart':
      return quote(step.depth, `## ${inline(describeApart(step.stretch))}`);
    case 'message': {
      const parts = partsAt(source, step.node);
      if (parts.length === 0) return '';
      const { entry } = step.node;
      const to = step.sidechain !== null && entry.role === 'prompt' ? ` → ${step.sidechain.agent}` : '';
      const title = `### ${inline(step.actor.name + to)} <sub>${messageTime(step.node)}${entry.role === 'prompt' || entry.role === 'reply' ? '' : ` · ${entry.role}`}${step.isTakenBack ? ` · ${TAKEN_BACK}` : ''}</sub>`;
      return quote(step.depth, [...(isHeaded ? [title] : []), ...parts.map((part) => markdownOfPart(source, part))].join('\n\n'));
    }
    default:
      return assertNever(step);
  }
};

const markdownOfPart = (source: Source, part: Part): string => {
  switch (part.kind) {
    case 'text':
      return escapeHtml(part.text);
    case 'thinking':
      return folded('Thinking', escapeHtml(part.text));
    case 'tool-use':
      return folded(`▸ ${part.name}: ${usedLine(source, part)}`, fence(JSON.stringify(part.input, null, 2), 'json'));
    case 'tool-result': {
      const output = (part.savedAs === null ? null : source.outputOf(part.savedAs)) ?? part.text;
      return folded(part.isError ? '✗ error' : 'Result', fence(output, ''));
    }
    case 'image':
      return `*[image: ${inline(part.mediaType)}]*`;
    case 'other':
      return folded(part.type, fence(JSON.stringify(part.json, null, 2), 'json'));
    default:
      return assertNever(part);
  }
};

const folded = (title: string, body: string): string => `<details><summary>${escapeHtml(inlineText(title))}</summary>\n\n${body}\n\n</details>`;

// Longer than any run of backticks inside, so that the content can't close it.
const fence = (text: string, language: string): string => {
  const longest = (text.match(/`+/gu) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
};

/** SHOW-5: markup of a transcript stays text. The price is entities inside the text's own code spans and fences. */
export const escapeHtml = (text: string): string => text.replace(/&(?=#?\w+;)/gu, '&amp;').replace(/</gu, '&lt;');

export const inline = (text: string): string => escapeHtml(inlineText(text)).replace(/([\\`*_[\]#])/gu, '\\$1');

const inlineText = (text: string): string => text.replace(/\s+/gu, ' ');

// `after` is the depth of the empty line before it: a quote right after an HTML block would become part of it.
const quote = (depth: number, text: string, after = depth): string => {
  const side = margin('> ', depth);
  const lines = text.split('\n').map((line) => `${side}${line}`.trimEnd());
  return `${margin('> ', after).trimEnd()}\n${lines.join('\n')}\n`;
};
