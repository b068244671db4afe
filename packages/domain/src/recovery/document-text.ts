import type { Sha256 } from '../chain.ts';
import { camelOf, snakeOf } from '../names.ts';
import { err, ok, type Result } from '../result.ts';
import { EMERGENCY_FORMAT, emergencyAddition, emergencyDocument, type EmergencyAddition, type EmergencyDocument } from './document.ts';

/** Why a text can't be trusted. It is reported and left alone: somebody may still be able to use it. */
export type UnreadableDocument = { readonly kind: 'torn' | 'foreign' | 'newer' | 'forged'; readonly why: string };

/** REC-2: the canonical text of a document: fields in the order of its schema, and at the end the checksum of everything else. */
export const textOfDocument = (document: EmergencyDocument, sha256: Sha256): string => sealed(outside(emergencyDocument.parse(document)), sha256);

/** REC-2: accepted only if it is complete, ours, in a known format, and matches its checksum. */
export const readDocument = (text: string, sha256: Sha256): Result<EmergencyDocument, UnreadableDocument> => {
  const json = jsonIn(text);
  if (json === null) return err({ kind: 'torn', why: 'it is not a whole JSON document' });
  const { sha256: checksum, ...fields } = json;
  if (typeof fields['format'] !== 'number' || typeof fields['cache_id'] !== 'string')
    return err({ kind: 'foreign', why: 'it is not an emergency document' });
  if (fields['format'] > EMERGENCY_FORMAT)
    return err({ kind: 'newer', why: `a newer Yarnboard wrote it (format ${fields['format']}); upgrade this one to read it` });
  const read = emergencyDocument.safeParse(inside(fields));
  if (!read.success) return err({ kind: 'foreign', why: firstIssue(read.error.issues) });
  const document = read.data as EmergencyDocument; // readonly from here on
  return checksum === checksumOf(outside(document), sha256) ? ok(document) : err({ kind: 'forged', why: 'its checksum does not fit its content' });
};

/** The message to those who wait for the end of an emergency. */
export const resolutionText = ({ cacheId, reason, resolvedAt, resolutionNotes }: EmergencyDocument): string =>
  JSON.stringify(outside({ cacheId, reason, resolvedAt, resolutionNotes }));

/** One line per addition. */
export const lineOfAddition = (addition: EmergencyAddition, sha256: Sha256): string => `${sealed(outside(addition), sha256)}\n`;

export const readAddition = (line: string, sha256: Sha256): Result<EmergencyAddition, UnreadableDocument> => {
  const json = jsonIn(line);
  if (json === null) return err({ kind: 'torn', why: 'it is not a whole line' });
  const { sha256: checksum, ...fields } = json;
  const read = emergencyAddition.safeParse(inside(fields));
  if (!read.success) return err({ kind: 'foreign', why: firstIssue(read.error.issues) });
  const addition = read.data as EmergencyAddition; // readonly from here on
  return checksum === checksumOf(outside(addition), sha256) ? ok(addition) : err({ kind: 'forged', why: 'its checksum does not fit its content' });
};

/** A part of a document with wire names, or with ours. Names chosen by people, and content kept as sent, stay unchanged. */
const outside = (value: unknown): unknown => renamed(value, snakeOf);
const inside = (value: unknown): unknown => renamed(value, camelOf);

const renamed = (value: unknown, rename: (key: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = camelOf(key);
      if (AS_IT_IS.has(name)) return [rename(key), inner];
      if (!NAMED_BY_PEOPLE.has(name)) return [rename(key), renamed(inner, rename)];
      return [rename(key), Object.fromEntries(Object.entries(inner ?? {}).map(([named, one]) => [named, renamed(one, rename)]))];
    }),
  );
};

const AS_IT_IS = new Set(['command', 'circumstances', 'claims', 'dataRefs', 'scratchpadStates']);
const NAMED_BY_PEOPLE = new Set(['sidebarSnapshots', 'agentCapabilities']);

const checksumOf = (fields: unknown, sha256: Sha256): string =>
  [...sha256(JSON.stringify(fields))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const sealed = (fields: unknown, sha256: Sha256): string => JSON.stringify({ ...(fields as object), sha256: checksumOf(fields, sha256) }); // a document's or an addition's

const jsonIn = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Readonly<Record<string, unknown>>) : null; // an object
  } catch {
    return null; // reported as torn
  }
};

const firstIssue = (issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string => {
  const [first] = issues;
  return first === undefined ? 'it is not an emergency document' : `${first.path.map(String).join('.')}: ${first.message}`;
};
