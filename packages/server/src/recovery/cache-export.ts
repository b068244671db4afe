import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { maskJson, textOfDocument, type EmergencyDocument, type PendingWrite } from '@yarnboard/domain';
import { sha256 } from '@yarnboard/store';

/** REC-21: renders a cache for reading elsewhere. Masked unless `reveal` is set. */
export const exportOf = (document: EmergencyDocument, reveal: boolean): { readonly json: string; readonly markdown: string } => {
  const fields: unknown = JSON.parse(textOfDocument(document, sha256));
  const shown = reveal ? document : (maskJson(document) as EmergencyDocument); // the same fields
  return { json: `${JSON.stringify(reveal ? fields : maskJson(fields), null, 2)}\n`, markdown: markdownOf(shown) };
};

/** Writes both formats next to each other, unmasked: after a discard this is the only copy. Returns the path of the JSON file. */
export const writeExport = async (folder: string, document: EmergencyDocument): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { json, markdown } = exportOf(document, true);
  const path = join(folder, `${document.cacheId}.json`);
  await writeFile(path, json, { mode: 0o600, flush: true });
  await writeFile(join(folder, `${document.cacheId}.md`), markdown, { mode: 0o600, flush: true });
  return path;
};

const markdownOf = (document: EmergencyDocument): string => {
  const { cacheId, reason, host, createdAt, updatedAt, head, resolvedAt, recoveryNotes } = document;
  const sidebars = Object.values(document.sidebarSnapshots);
  return [
    `# Emergency cache ${cacheId}`,
    `Reason: ${reason}. Written on ${host} from ${createdAt} to ${updatedAt}. The log was known up to entry ${head.position}.`,
    resolvedAt === null ? 'Not resolved.' : `Resolved at ${resolvedAt}: ${document.resolutionNotes ?? ''}`,
    ...(recoveryNotes.length === 0 ? [] : ['## Notes', recoveryNotes.map((note) => `- ${note}`).join('\n')]),
    `## Pending writes (${document.pendingWrites.length})`,
    ...document.pendingWrites.map(writeSection),
    ...(document.pendingArchives.length === 0
      ? []
      : [`## Pending archives (${document.pendingArchives.length})`, ...document.pendingArchives.map(writeSection)]),
    `## Sidebars at work (${sidebars.length})`,
    sidebars.map(({ sidebarId, status, lastActivity }) => `- ${sidebarId} (${status}), last active ${lastActivity}`).join('\n'),
    '',
  ].join('\n\n');
};

const writeSection = ({ n, sender, queuedAt, context, command, outcome, wouldDo }: PendingWrite): string =>
  [
    `### ${n}. ${command.type} by ${sender.id}`,
    `Sent ${queuedAt}${context === null ? '' : ` in ${context}`}. Outcome: ${outcome.kind}${outcome.kind === 'conflict' ? ` (${outcome.code}: ${outcome.message})` : ''}.${wouldDo === '' ? '' : ` It would ${wouldDo}.`}`,
    fenced(JSON.stringify(command, null, 2)),
  ].join('\n\n');

/** The fence must be longer than any fence in the quoted text. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
};
