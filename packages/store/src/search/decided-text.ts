import type { EntryType } from '@yarnboard/domain';
import type { Json, JsonObject } from '@yarnboard/transcript';

/** What people and agents wrote in an entry that was decided upon, one piece a line; empty for a kind in which nobody writes. */
export const decidedTextOf = (type: string, payload: JsonObject): string =>
  (FIELDS.get(type) ?? []).flatMap((path) => textsAt(payload, path)).join('\n');

// Told by what counts, unlike in a record of Claude Code: the shapes are our own, and beside the words there are ids, states and whole files.
const WRITTEN = {
  'chat.message': ['content'],
  'sidebar.spawned': ['task', 'successCriteria'],
  'sidebar.tested': ['description', 'result'],
  'sidebar.archived': ['summary'],
  'memory.merged': ['text'],
  'finding.submitted': ['content', 'relevanceToTask'],
  'finding.validated': ['notes'],
  'finding.annotated': ['note'],
  'checkpoint.created': ['summary'],
  'citation.created': ['content', 'note', 'source.title', 'source.path', 'source.url'],
  'gold.created': ['keyInsight', 'reusePattern', 'triggerConditions'],
  // Its `content` is the file itself, in base64.
  'media.uploaded': ['filePath'],
} as const satisfies Partial<Record<EntryType, readonly string[]>>;

const FIELDS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(WRITTEN));

const textsAt = (payload: JsonObject, path: string): readonly string[] => {
  const value = path.split('.').reduce<Json | undefined>((here, name) => (isObject(here) ? here[name] : undefined), payload);
  const values: readonly (Json | undefined)[] = isList(value) ? value : [value];
  return values.filter((one) => typeof one === 'string' && one !== '').map(String);
};

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
