import { assertNever } from '../never.ts';
import type { Part } from './parts.ts';
import type { Source } from './source.ts';
import type { Actor, Reconstruction, Step } from './steps.ts';
import { STYLE } from './style.ts';
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
  messageTime,
  partsAt,
  renderSteps,
  TAKEN_BACK,
} from './words.ts';

export type HtmlOptions = {
  /** Markdown to safe HTML: it must escape markup and load nothing. Without it, texts appear as typed. */
  readonly markdown?: (text: string) => string;
};

/** SHOW-5: one self-contained page. It has no script and loads nothing; its policy forbids both even if something slipped through. */
export function* renderHtml(source: Source, reconstruction: Reconstruction, options: HtmlOptions = {}): Generator<string, void, undefined> {
  const [title = '', ...facts] = heading(source, reconstruction);
  yield pageHead(title, facts);
  yield* renderSteps(reconstruction, (step, isHeaded) => htmlOfStep(source, step, isHeaded, options));
  yield pageFoot(describeRest(reconstruction));
}

export const pageHead = (title: string, facts: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${escape(title)}</h1>${facts.map((fact) => `<p>${escape(fact)}</p>`).join('')}</header>
<main>
`;

export const pageFoot = (rest: readonly string[]): string => {
  const note = rest.length === 0 ? '' : `<footer>${rest.map(escape).join('<br>')}</footer>\n`;
  return `</main>\n${note}</body>\n</html>\n`;
};

const htmlOfStep = (source: Source, step: Step, isHeaded: boolean, options: HtmlOptions): string => {
  switch (step.kind) {
    case 'enter':
      return `<details class="sidechain ${step.sidechain.state}"${step.sidechain.state === 'orphaned' ? '' : ' open'}><summary>${escape(describeStart(step.sidechain, step.caller))}</summary>\n`;
    case 'leave':
      return `<p class="end">${escape(describeEnd(step.sidechain))}</p></details>\n`;
    case 'compaction':
      return `<p class="compaction" id="message-${escape(step.node.uuid)}"><span>${escape(describeCompaction(step.node))}</span></p>\n`;
    case 'clearing':
      return `<p class="compaction" id="message-${escape(step.node.uuid)}"><span>${escape(CLEARED)}</span></p>\n`;
    case 'merged':
      return `<article class="merged" id="message-${escape(step.merged.uuid)}"><h2>${escape(describeMerged(step.merged))}</h2>${written(step.merged.text, options)}</article>\n`;
    case 'apart':
      return `<h2 class="apart">${escape(describeApart(step.stretch))}</h2>\n`;
    case 'message': {
      const parts = partsAt(source, step.node);
      if (parts.length === 0) return '';
      const { role } = step.node.entry;
      const to = step.sidechain !== null && role === 'prompt' ? ` <span class="to">to ${escape(step.sidechain.agent)}</span>` : '';
      const mark = `${role === 'prompt' || role === 'reply' ? '' : ` <span class="role">${role}</span>`}${step.isTakenBack ? ` <span class="role">${TAKEN_BACK}</span>` : ''}`;
      const body = parts.map((part) => htmlOfPart(source, part, step.actor, role, options)).join('');
      const head = !isHeaded ? '' : `<h2>${escape(step.actor.name)}${to}${mark} <time>${messageTime(step.node)}</time></h2>`;
      const kind = `${step.actor.kind} ${role}${isHeaded ? '' : ' continues'}`;
      return `<article class="${kind}" id="message-${escape(step.node.uuid)}">${head}${body}</article>\n`;
    }
    default:
      return assertNever(step);
  }
};

const htmlOfPart = (source: Source, part: Part, actor: Actor, role: string, options: HtmlOptions): string => {
  switch (part.kind) {
    case 'text':
      if (QUIET.has(role)) return folded(firstLine(part.text), `<pre>${escape(part.text)}</pre>`, 'quiet');
      return actor.kind === 'claude' || actor.kind === 'agent' ? written(part.text, options) : `<div class="typed">${escape(part.text)}</div>`;
    case 'thinking':
      return folded('Thinking', `<div class="typed">${escape(part.text)}</div>`, 'thinking');
    case 'tool-use':
      return folded(`${part.name}: ${usedLine(source, part)}`, `<pre>${escape(JSON.stringify(part.input, null, 2))}</pre>`, 'use');
    case 'tool-result': {
      const output = (part.savedAs === null ? null : source.outputOf(part.savedAs)) ?? part.text;
      const lines = output.split('\n').length;
      const title = `${part.isError ? '✗ error' : 'Result'} · ${lines} line${lines === 1 ? '' : 's'} · ${firstLine(output)}`;
      return folded(title, `<pre>${escape(output)}</pre>`, part.isError ? 'result error' : 'result');
    }
    case 'image':
      return part.data !== null && IMAGE.test(part.mediaType) && BASE64.test(part.data)
        ? `<img alt="image in the transcript" src="data:${part.mediaType};base64,${part.data}">`
        : `<p class="quiet">[image: ${escape(part.mediaType)}]</p>`;
    case 'other':
      return folded(part.type, `<pre>${escape(JSON.stringify(part.json, null, 2))}</pre>`, 'quiet');
    default:
      return assertNever(part);
  }
};

export const written = (text: string, { markdown }: HtmlOptions): string =>
  markdown === undefined ? `<div class="typed">${escape(text)}</div>` : `<div class="markdown">${markdown(text)}</div>`;

const folded = (title: string, body: string, kind: string): string => `<details class="${kind}"><summary>${escape(title)}</summary>${body}</details>`;

const firstLine = (text: string): string => {
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
};

export const escape = (text: string): string => text.replace(/[&<>"']/gu, (sign) => ENTITIES.get(sign) ?? '');

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

const QUIET: ReadonlySet<string> = new Set(['meta', 'summary', 'output', 'notice', 'system']);
const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/u;
const BASE64 = /^[0-9A-Za-z+/=]+$/u;
