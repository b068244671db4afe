import type { Tally } from './planted.ts';
import type { Prose } from './prose.ts';
import type { Random } from './random.ts';
import type { Sheet } from './sheet.ts';
import { makeCall, type Call } from './tools.ts';

/** What all threads of a tree share. */
export type Workshop = { readonly random: Random; readonly prose: Prose; readonly tally: Tally };

/** One conversation while it is written: a session's main thread, or a sub-agent's file. */
export type Thread = {
  readonly sheet: Sheet;
  /** The fields that stand on all its records, as JSON text with a comma behind. */
  readonly frame: string;
  readonly sessionId: string;
  readonly isAgent: boolean;
  readonly model: string;
  /** The record that the next one hangs on. */
  tip: string | null;
  /** The newest prompt, reply or result: what a reader must find as the leaf. */
  leaf: string | null;
  /** Every record gets an instant of its own: a prompt with the instant and words of another would be its replay. */
  clock: number;
  messages: number;
  lastLine: string;
  /** Lines that a fork would copy; null when nobody will. */
  readonly copy: string[] | null;
};

export const writeRecord = (thread: Thread, line: string): void => {
  thread.sheet.write(line);
  thread.lastLine = line;
  thread.copy?.push(line);
};

const nextInstant = (shop: Workshop, thread: Thread): string => {
  thread.clock += shop.random.between(1, 9000);
  return new Date(thread.clock).toISOString();
};

const parentText = (parent: string | null): string => (parent === null ? 'null' : `"${parent}"`);

const countMessage = (shop: Workshop, thread: Thread): void => {
  thread.messages += 1;
  shop.tally.messages += 1;
};

export const writePrompt = (shop: Workshop, thread: Thread, text: string): string => {
  const uuid = shop.random.uuid();
  const at = nextInstant(shop, thread);
  writeRecord(
    thread,
    `{"parentUuid":${parentText(thread.tip)},${thread.frame}"type":"user","message":{"role":"user","content":"${text}"},"uuid":"${uuid}","timestamp":"${at}","permissionMode":"default"}`,
  );
  countMessage(shop, thread);
  thread.tip = uuid;
  thread.leaf = uuid;
  return uuid;
};

/** Records inside the parent chain that are no conversation. */
export const writeAttachment = (shop: Workshop, thread: Thread): void => {
  const uuid = shop.random.uuid();
  const at = nextInstant(shop, thread);
  writeRecord(
    thread,
    `{"parentUuid":${parentText(thread.tip)},${thread.frame}"attachment":{"type":"edited_text_file","filename":"${shop.prose.path()}","snippet":"${shop.prose.body(shop.random.spread(260, 1, 20_000))}"},"type":"attachment","uuid":"${uuid}","timestamp":"${at}"}`,
  );
  thread.tip = uuid;
};

export const writeSystem = (shop: Workshop, thread: Thread, subtype: string, fields: string): void => {
  const uuid = shop.random.uuid();
  const at = nextInstant(shop, thread);
  writeRecord(
    thread,
    `{"parentUuid":${parentText(thread.tip)},${thread.frame}"type":"system","subtype":"${subtype}",${fields}"timestamp":"${at}","uuid":"${uuid}","isMeta":false}`,
  );
  countMessage(shop, thread);
  thread.tip = uuid;
};

/** State without a place in the graph; `fields` ends without a comma. */
export const writeState = (shop: Workshop, thread: Thread, type: string, fields: string): void => {
  thread.sheet.write(`{"type":"${type}",${fields},"timestamp":"${nextInstant(shop, thread)}","sessionId":"${thread.sessionId}"}`);
};

export const writeProgress = (shop: Workshop, thread: Thread, parent: string, toolUseId: string, data: string): void => {
  const at = nextInstant(shop, thread);
  writeRecord(
    thread,
    `{"parentUuid":"${parent}",${thread.frame}"type":"progress","data":${data},"toolUseID":"${toolUseId}","parentToolUseID":"${toolUseId}","uuid":"${shop.random.uuid()}","timestamp":"${at}"}`,
  );
};

/** A use that was written and waits for its result. */
export type OpenUse = { readonly toolUseId: string; readonly uuid: string };

/**
 * One API response: a record for each block, chained, with the same message id. Half of the responses carry a placeholder output count on
 * all but their last record, as real files do: whoever keeps the first copy undercounts.
 */
export const writeReply = (shop: Workshop, thread: Thread, blocks: readonly Block[]): readonly OpenUse[] => {
  const { random, tally } = shop;
  const messageId = random.apiId('msg');
  const requestId = random.apiId('req');
  const usage = makeUsage(random);
  const hasPlaceholder = random.chance(0.5);
  tally.responses += 1;
  for (const key of TOKENS) tally.tokens[key] += usage[key];
  const uses: OpenUse[] = [];
  blocks.forEach((block, i) => {
    const isLast = i === blocks.length - 1;
    const uuid = random.uuid();
    const output = hasPlaceholder && !isLast ? 1 : usage.output;
    const at = nextInstant(shop, thread);
    let content = '';
    if (block.kind === 'use') {
      const toolUseId = random.apiId('toolu');
      content = `{"type":"tool_use","id":"${toolUseId}","name":"${block.name}","input":${block.input}}`;
      uses.push({ toolUseId, uuid });
      tally.toolUses += 1;
    } else if (block.kind === 'text') content = `{"type":"text","text":"${block.text}"}`;
    else content = `{"type":"thinking","thinking":"${block.text}","signature":"${SIGNATURE.slice(random.between(200, 500))}"}`;
    writeRecord(
      thread,
      `{"parentUuid":${parentText(thread.tip)},${thread.frame}"message":{"id":"${messageId}","type":"message","role":"assistant","model":"${thread.model}","content":[${content}],"stop_reason":${isLast ? (uses.length > 0 ? '"tool_use"' : '"end_turn"') : 'null'},"stop_sequence":null,"usage":{"input_tokens":${usage.input},"cache_creation_input_tokens":${usage.cacheWrite5m + usage.cacheWrite1h},"cache_read_input_tokens":${usage.cacheRead},"cache_creation":{"ephemeral_5m_input_tokens":${usage.cacheWrite5m},"ephemeral_1h_input_tokens":${usage.cacheWrite1h}},"output_tokens":${output},"service_tier":"standard"}},"requestId":"${requestId}","type":"assistant","uuid":"${uuid}","timestamp":"${at}"}`,
    );
    countMessage(shop, thread);
    thread.tip = uuid;
    thread.leaf = uuid;
  });
  return uses;
};

export type Block =
  { readonly kind: 'text' | 'thinking'; readonly text: string } | { readonly kind: 'use'; readonly name: string; readonly input: string };

/** `report` is the `toolUseResult`; sub-agents' files have none. */
export const writeResult = (shop: Workshop, thread: Thread, parent: string, use: OpenUse, content: string, report: string): void => {
  const uuid = shop.random.uuid();
  const at = nextInstant(shop, thread);
  const isError = shop.random.chance(0.04);
  writeRecord(
    thread,
    `{"parentUuid":"${parent}",${thread.frame}"type":"user","message":{"role":"user","content":[{"tool_use_id":"${use.toolUseId}","type":"tool_result","content":${content}${isError ? ',"is_error":true' : ''}}]},"uuid":"${uuid}","timestamp":"${at}",${thread.isAgent ? '' : `"toolUseResult":${report},`}"sourceToolAssistantUUID":"${use.uuid}"}`,
  );
  countMessage(shop, thread);
  shop.tally.toolPairs += 1;
  thread.tip = uuid;
  thread.leaf = uuid;
};

/** A response that calls tools, and their results. */
export const writeStep = (shop: Workshop, thread: Thread): void => {
  const { random } = shop;
  const calls = Array.from({ length: random.chance(0.18) ? random.between(2, 4) : 1 }, () => makeCall(random, shop.prose));
  const uses = writeReply(shop, thread, [...openingBlocks(shop), ...calls.map(({ name, input }) => ({ kind: 'use', name, input }) as const)]);
  writeResults(shop, thread, uses, calls);
};

export const openingBlocks = (shop: Workshop): Block[] => {
  const { random, prose } = shop;
  const blocks: Block[] = [];
  if (random.chance(0.25)) blocks.push({ kind: 'thinking', text: random.chance(0.3) ? '' : prose.body(random.spread(200, 1.1, 8000)) });
  if (random.chance(0.4)) blocks.push({ kind: 'text', text: prose.body(random.spread(60, 1, 6000)) });
  return blocks;
};

// Each result hangs on its own use, or all are chained one behind the other: both layouts are real.
const writeResults = (shop: Workshop, thread: Thread, uses: readonly OpenUse[], calls: readonly Call[]): void => {
  const isChained = shop.random.chance(0.3);
  uses.forEach((use, i) => {
    const call = calls[i];
    if (call === undefined) return;
    for (let left = shop.random.between(0, 4); left > 0; left -= 1) writeProgress(shop, thread, use.uuid, use.toolUseId, call.progress);
    const parent = isChained && i > 0 ? (thread.tip ?? use.uuid) : use.uuid;
    writeResult(shop, thread, parent, use, call.content, call.report);
  });
};

const makeUsage = (random: Random): Record<(typeof TOKENS)[number], number> => {
  const written = random.spread(900, 1.1, 90_000);
  const isLongLived = random.chance(0.2);
  return {
    input: random.between(2, 60),
    output: random.spread(240, 1, 32_000) + 2,
    cacheWrite5m: isLongLived ? 0 : written,
    cacheWrite1h: isLongLived ? written : 0,
    cacheRead: random.between(8000, 160_000),
  };
};

const TOKENS = ['input', 'output', 'cacheWrite5m', 'cacheWrite1h', 'cacheRead'] as const;
const SIGNATURE = 'EqQBCkgIBhABGAIiQL0n5q9vJr7Xw2hVtK8sYcF3dPzQ1uEoRmTgWbNaLkHxCjZyUfSi'.repeat(8);
