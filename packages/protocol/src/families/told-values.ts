import { contextIdOf, type CitationSource, type Context, type MergePackage, type Recorded } from '@yarnboard/domain';
import type { EventNames } from './definition.ts';

/** Wire values that events of all families share. */
export const here = (names: EventNames, event: Recorded): string => names.context(event.contextId);

export const contextName = (names: EventNames, context: Context | null): string | null =>
  context === null ? null : names.context(contextIdOf(context));

export const encodePackage = (merged: MergePackage) => ({
  summary: merged.summary,
  key_findings: [...merged.keyFindings],
  new_citations: [...merged.newCitations],
  recommendations: merged.recommendations,
  gold_candidates: [...merged.goldCandidates],
});

/** The reference of a file with its lines; null without a hash. */
export const fileRefOf = ({ hash, from, to }: Extract<CitationSource, { kind: 'file' }>): string | null =>
  hash === null ? null : `FILE-${hash.slice(0, 12)}${from === null ? '' : `:${from}${to === null || to === from ? '' : `-${to}`}`}`;

export const encodeSource = (source: CitationSource) => ({
  type: source.kind,
  ref: source.kind === 'reference' ? source.ref : null,
  path: source.kind === 'file' ? source.path : null,
  file_ref: source.kind === 'file' ? fileRefOf(source) : null,
  lines: source.kind === 'file' && source.from !== null ? { from: source.from, to: source.to ?? source.from } : null,
  url: source.kind === 'external' ? source.url : null,
  title: source.kind === 'external' ? source.title : null,
});
