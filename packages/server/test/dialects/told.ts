import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DIALECTS,
  responseCountedAt,
  sidechainsOf,
  takenBackIn,
  type Json,
  type JsonObject,
  type Node,
  type Session,
  type Usage,
} from '@yarnboard/transcript';
import { discover } from '../../src/ingest/discover.ts';
import { readGroup } from '../../src/ingest/group.ts';
import { planGroups, type Group } from '../../src/ingest/plan.ts';
import { fileRecords } from '../../src/sessions/file-records.ts';

/** What the real CLI wrote; other versions are tried by naming their folder. */
export const fixturesOf = (tool: string): string => namedFor(tool) ?? fileURLToPath(new URL(`../../../../fixtures/${tool}`, import.meta.url));

/** The same as others have it, with whatever else the CLI left there; null where that is not at hand. */
export const sharedFixturesOf = (tool: string): string | null => {
  const shared = fileURLToPath(new URL(`../../../../../shared/fixtures/${tool}`, import.meta.url));
  return namedFor(tool) === undefined && existsSync(shared) ? shared : null;
};

const namedFor = (tool: string): string | undefined => process.env[`YARNBOARD_${tool.toUpperCase()}_FIXTURES`];

export type ExpectedCall = {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly result?: string | null;
  readonly failed?: boolean;
  readonly result_stored?: boolean;
};

type ExpectedUsage = { readonly input: number; readonly cached: number; readonly output: number };

export type ExpectedMessage = {
  readonly role: 'user' | 'assistant' | 'compaction';
  readonly text?: string;
  readonly thinking?: string;
  readonly summary?: string;
  readonly model?: string;
  readonly usage?: ExpectedUsage;
  readonly tool_calls?: readonly ExpectedCall[];
  readonly dropped?: boolean;
  readonly stored?: boolean;
  readonly injected?: boolean;
  readonly interrupted?: boolean;
};

export type ExpectedSession = {
  readonly id: string;
  readonly kind: 'main' | 'subagent' | 'fork' | null;
  readonly deleted?: boolean;
  readonly parent?: string;
  readonly spawned_by_call?: string;
  readonly forked_from?: string;
  readonly title?: string;
  readonly models: readonly string[];
  readonly cwd: string;
  readonly git_branch: string;
  /** Absent where it is in the file of another. */
  readonly files?: readonly string[];
  readonly messages: readonly ExpectedMessage[];
  readonly usage: ExpectedUsage;
  readonly usage_in_files?: ExpectedUsage;
  readonly own_requests?: readonly { readonly kind?: string; readonly usage: ExpectedUsage }[];
};

export type Scenario = { readonly name: string; readonly folder: string; readonly sessions: readonly ExpectedSession[] };

export const scenarios = (tool: string): readonly Scenario[] => [fixturesOf(tool), sharedFixturesOf(tool) ?? []].flat().flatMap(scenariosIn);

export const scenariosIn = (root: string): readonly Scenario[] =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: version }) =>
      readdirSync(join(root, version)).map((scenario) => {
        const folder = join(root, version, scenario);
        // Ours, beside what the CLI wrote: trusted as the tests themselves.
        const { sessions } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as { readonly sessions: readonly ExpectedSession[] };
        return { name: `${version} ${scenario}`, folder, sessions };
      }),
    );

export type Read = { readonly group: Group; readonly session: Session; readonly recordOf: (node: Node) => JsonObject };

export const readScenario = (folder: string): { readonly read: readonly Read[]; readonly close: () => void } => {
  const { groups } = planGroups(discover([folder], DIALECTS), DIALECTS);
  const closing: (() => void)[] = [];
  const read = groups.map((group) => {
    const records = fileRecords(group, { dialects: DIALECTS });
    closing.push(records.close);
    return { group, session: readGroup(group).session, recordOf: (node: Node) => records.recordOf(node) ?? {} };
  });
  return { read, close: () => closing.forEach((close) => close()) };
};

export const nodesOf = (session: Session, id: string): readonly Node[] => {
  const nodes = session.id === id ? session.main.nodes : (session.agents.get(id)?.nodes ?? []);
  const begunAt = session.forkedFrom.size === 0 ? 0 : begunIn(session.files[0]?.path ?? '');
  // Copies in a fork of pi have the names of the originals, which tell nothing but their time.
  return nodes.filter(({ uuid, entry }) => (uuid.startsWith('pi/') ? entry.at >= begunAt : !uuid.includes('/') || uuid.split('/')[1] === id));
};

const begunIn = (path: string): number => {
  const [first = ''] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return Date.parse(/"timestamp":"([^"]+)"/u.exec(first)?.[1] ?? '');
};

/** A session as it is told: messages by role and order, each response once. */
export const toldOf = ({ session, recordOf }: Read, id: string): readonly ExpectedMessage[] => {
  const takenBack = takenBackIn(session);
  const told: ExpectedMessage[] = [];
  const byResponse = new Map<string, { at: number; text: string; thinking: string; calls: ExpectedCall[] }>();
  const results = new Map<string, { readonly text: string; readonly failed: boolean }>();
  for (const node of nodesOf(session, id)) {
    for (const block of blocksOf(recordOf(node))) {
      if (block['type'] === 'tool_result')
        results.set(wordsAt(block['tool_use_id']), { text: textIn(block['content']), failed: block['is_error'] === true });
    }
  }
  for (const node of nodesOf(session, id)) {
    const { role, model, messageId } = node.entry;
    const record = recordOf(node);
    const dropped = takenBack.has(node) ? { dropped: true } : {};
    if (role === 'prompt') told.push({ role: 'user', text: textIn((record['message'] as JsonObject)['content']), ...dropped });
    if (role === 'summary') told.push({ role: 'compaction', summary: textIn((record['message'] as JsonObject)['content']) });
    if (role !== 'reply' || messageId === null) continue;
    const blocks = blocksOf(record);
    const known = byResponse.get(messageId) ?? { at: -1, text: '', thinking: '', calls: [] };
    if (known.at === -1 && blocks.length === 0) continue;
    if (known.at === -1) known.at = told.push({ role: 'assistant' }) - 1;
    byResponse.set(messageId, known);
    for (const block of blocks) {
      if (block['type'] === 'text') known.text += wordsAt(block['text']);
      if (block['type'] === 'thinking') known.thinking += wordsAt(block['thinking']);
      if (block['type'] !== 'tool_use') continue;
      const result = results.get(wordsAt(block['id']));
      known.calls.push({
        id: wordsAt(block['id']),
        name: wordsAt(block['name']),
        input: block['input'],
        ...(result === undefined ? {} : { result: result.text, ...(result.failed ? { failed: true } : {}) }),
      });
    }
    const counted = nodesOf(session, id).find((one) => one.entry.messageId === messageId && responseCountedAt(session.responses, one) !== null);
    const usage = counted === undefined ? null : counted.entry.usage;
    told[known.at] = {
      role: 'assistant',
      ...(model === null ? {} : { model }),
      text: known.text,
      ...(known.thinking === '' ? {} : { thinking: known.thinking }),
      ...(known.calls.length === 0 ? {} : { tool_calls: known.calls }),
      ...(usage === null ? {} : { usage: usageIn(usage) }),
      ...dropped,
    };
  }
  return told;
};

export const usageIn = ({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): ExpectedUsage => ({
  input: input + cacheRead + cacheWrite5m + cacheWrite1h,
  cached: cacheRead,
  output,
});

/** What else is told of a session: which branch it was on, how often it was interrupted, how often the API did not answer, and where it lies. */
export const aroundOf = ({ session, recordOf, group }: Read, id: string, folder: string) => {
  const nodes = nodesOf(session, id);
  return {
    branches: [...new Set(nodes.flatMap((node) => recordOf(node)['gitBranch'] ?? []))],
    interruptions: nodes.filter(({ entry }) => entry.role === 'interruption').length,
    errors: nodes.filter(({ entry }) => entry.isApiError).length,
    files: group.files
      .filter(({ agentId }) => (agentId ?? group.sessionId) === id)
      .map(({ path }) => relative(folder, path))
      .sort(),
  };
};

/** What of that is expected. A tool that does not write down a branch, or an interruption, is not guessed at. */
export type Around = {
  readonly hasBranch: boolean;
  /** Scenarios that end with a word on the interruption. */
  readonly interrupted: RegExp;
  readonly hasErrors: boolean;
  /** Whether a session is a file, or some. */
  readonly hasFiles: boolean;
};

export const expectedAround = (session: ExpectedSession, { name }: Scenario, around: Around) => ({
  branches: around.hasBranch ? [session.git_branch] : [],
  interruptions: around.interrupted.test(name) ? 1 : 0,
  // One that is tried again, with success, leaves nothing.
  errors: around.hasErrors && name.endsWith(' err400') ? 1 : 0,
  files: around.hasFiles ? (session.files ?? []).filter((file) => /\.jsonl(?:\.zst)?$|chats\/session-[^/]*\.json$/u.test(file)).sort() : [],
});

export const sidechainOf = ({ session }: Read, id: string) => sidechainsOf(session).find((one) => one.id === id);

const wordsAt = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value));

const blocksOf = (record: JsonObject): readonly JsonObject[] => {
  const content = (record['message'] as JsonObject | undefined)?.['content'];
  return Array.isArray(content) ? (content as readonly JsonObject[]) : [];
};

const textIn = (content: unknown): string =>
  typeof content === 'string' ? content : (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n');
