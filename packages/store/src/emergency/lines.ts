import { readAddition, readDocument, type EmergencyAddition, type EmergencyDocument, type UnreadableDocument } from '@yarnboard/domain';
import { sha256 } from '../hash.ts';

export type ReadLines = { readonly documents: readonly EmergencyDocument[]; readonly additions: readonly EmergencyAddition[] };

/** Reads lines of one document or addition each. A line that can't be trusted is reported; the others count. */
export const readLines = (text: string, doubt: (one: UnreadableDocument) => void): ReadLines => {
  const documents: EmergencyDocument[] = [];
  const additions: EmergencyAddition[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const addition = readAddition(line, sha256);
    if (addition.ok) {
      additions.push(addition.value);
      continue;
    }
    const document = readDocument(line, sha256);
    if (document.ok) documents.push(document.value);
    else doubt(document.error.kind === 'foreign' ? addition.error : document.error);
  }
  return { documents, additions };
};
