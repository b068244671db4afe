import { maskJson, maskSecrets } from '@yarnboard/domain';
import { encodeShowHead, encodeShowStep } from '@yarnboard/protocol';
import { maskedText } from '@yarnboard/store';
import {
  assertNever,
  type JsonObject,
  jsonText,
  type MergedBehind,
  type Node,
  partsOf,
  type PriceTable,
  reconstruct,
  type Reconstruction,
  renderHtml,
  renderMarkdown,
  renderText,
  type Session,
  type Source,
  type Step,
} from '@yarnboard/transcript';

export const DOCUMENT_FORMATS = ['html', 'md', 'json', 'text'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** The source of a document. */
export type DocumentSource = {
  readonly session: Session;
  readonly title: string | null;
  readonly project: string | null;
  /** The records of some nodes, without those whose words are gone. */
  readonly records: (nodes: readonly Node[]) => Promise<ReadonlyMap<Node, JsonObject>>;
  /** A large tool output that was saved beside the transcript; null if it is missing. */
  readonly output: (savedAs: string) => Promise<string | null>;
  /** What sidebars merged into the session. */
  readonly merged: MergedBehind;
};

export type DocumentOptions = {
  readonly format: DocumentFormat;
  /** A record on the branch to export; defaults to the active branch. */
  readonly through?: Node;
  readonly now: number;
  readonly prices: PriceTable;
  readonly markdown: (text: string) => string;
};

/**
 * PAGE-203: a session as a document in pieces, with secrets masked as everywhere. Only the records of the next steps are in memory, however long the
 * session is.
 */
export async function* documentOf(from: DocumentSource, options: DocumentOptions): AsyncGenerator<string, void, undefined> {
  const { format, through, now, prices, markdown } = options;
  const whole = reconstruct(from.session, { now, merged: from.merged, ...(through === undefined ? {} : { through }) });
  const ahead = createReadingAhead(from, whole, format === 'json' ? () => true : isRendered);
  const source: Source = {
    session: from.session,
    title: from.title === null ? null : maskSecrets(from.title).text,
    project: from.project === null ? null : maskSecrets(from.project).text,
    recordOf: ahead.recordOf,
    outputOf: ahead.outputOf,
  };
  const told: Reconstruction = { ...whole, steps: ahead.steps };
  const pieces = piecesOf(format, source, told, prices, markdown);
  for (;;) {
    await ahead.fill();
    const { done, value } = pieces.next();
    if (done === true) return;
    yield value;
  }
}

const piecesOf = (
  format: DocumentFormat,
  source: Source,
  told: Reconstruction,
  prices: PriceTable,
  markdown: (text: string) => string,
): Generator<string, void, undefined> => {
  switch (format) {
    case 'html':
      return masked(renderHtml(source, told, { markdown }));
    case 'md':
      return masked(renderMarkdown(source, told));
    case 'text':
      return masked(renderText(source, told));
    case 'json':
      return jsonPieces(source, told, prices);
    default:
      return assertNever(format);
  }
};

/** Records were already masked one by one; this masks names and headings. */
function* masked(pieces: Iterable<string>): Generator<string, void, undefined> {
  for (const piece of pieces) yield maskSecrets(piece).text;
}

function* jsonPieces(source: Source, told: Reconstruction, prices: PriceTable): Generator<string, void, undefined> {
  const context = { source, reconstruction: told, prices };
  yield `${jsonText(maskJson(encodeShowHead(context))).slice(0, -1)},"messages":[`;
  let separator = '';
  for (const step of told.steps()) {
    const message = encodeShowStep(context, step);
    // One piece per step, so that the next step's records can be loaded in between.
    yield message === null ? '' : `${separator}\n${jsonText(maskJson(message))}`;
    if (message !== null) separator = ',';
  }
  yield '\n]}\n';
}

/**
 * Renderers ask for records synchronously, and pause only after a step that produced output. So the next steps are loaded here with their records,
 * without steps that produce no output.
 */
const createReadingAhead = (
  { records, output }: DocumentSource,
  { steps }: Reconstruction,
  isKept: (step: Step, record: JsonObject | null) => boolean,
) => {
  const all = steps();
  const near = new Map<Node, JsonObject>();
  const outputs = new Map<string, string>();
  const queue: Step[] = [];
  const recordOf = (node: Node): JsonObject | null => near.get(node) ?? null;

  const nextSteps = (): readonly Step[] => {
    const batch: Step[] = [];
    for (let next = all.next(); next.done !== true; next = all.next()) {
      batch.push(next.value);
      if (batch.length === STEPS_AHEAD) break;
    }
    return batch;
  };

  return {
    /** Await this before each piece. */
    fill: async (): Promise<void> => {
      while (queue.length === 0) {
        const batch = nextSteps();
        if (batch.length === 0) return;
        near.clear();
        const found = await records(batch.flatMap((step) => ('node' in step ? [step.node] : [])));
        for (const [node, record] of found) near.set(node, maskJson(record) as JsonObject); // same shape, texts masked
        outputs.clear();
        for (const savedAs of [...near.values()].flatMap(outputsIn)) {
          const text = await output(savedAs);
          if (text !== null) outputs.set(savedAs, maskedText(text));
        }
        queue.push(...batch.filter((step) => isKept(step, 'node' in step ? recordOf(step.node) : null)));
      }
    },
    steps: () => taken(queue),
    recordOf,
    outputOf: (savedAs: string): string | null => outputs.get(savedAs) ?? null,
  };
};

function* taken<T>(queue: T[]): Generator<T, void, undefined> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield next;
}

const outputsIn = (record: JsonObject): readonly string[] =>
  partsOf(record).flatMap((part) => (part.kind === 'tool-result' && part.savedAs !== null ? [part.savedAs] : []));

/** Rendered formats skip messages without anything to show; JSON has all of them. */
const isRendered = (step: Step, record: JsonObject | null): boolean => step.kind !== 'message' || record === null || partsOf(record).length > 0;

const STEPS_AHEAD = 64;
