import { isDeepStrictEqual } from 'node:util';
import {
  assertNever,
  sidechainsOf,
  type Conversation,
  type ConversationItem,
  type Json,
  type JsonObject,
  type Node,
  type Session,
  type Sidechain,
} from '@yarnboard/transcript';
import type { SessionReading } from './session-reading.ts';

type UsedTool = Sidechain['calls'][number];

/** A conversation in the words that both ways of rebuilding it must agree on: without ids, times and turns of its items. */
export type Told = {
  readonly main: readonly object[];
  /** One for each call to a sub-agent, in order of calls: who made it, what it is for, and how it ended. */
  readonly calls: readonly {
    readonly call: string;
    readonly parent: string | null;
    readonly title: string | null;
    readonly agent: string | null;
    readonly status: string;
  }[];
  /** What the sub-agents said and did, those with several calls once, by their calls. */
  readonly sidechains: readonly { readonly calls: readonly string[]; readonly items: readonly object[] }[];
  /** The same for those that nobody called. */
  readonly orphans: readonly (readonly object[])[];
};

/**
 * The conversation as the transcript's own views tell it: threads and sidechains of the session, content from the records. Knows nothing of
 * envelopes, so that it can tell whether they are right.
 */
export const toldByTranscript = (reading: SessionReading): Told => {
  const { session } = reading;
  const order = new Map<string, number>();
  reading.order.forEach((uuid, i) => {
    if (!order.has(uuid)) order.set(uuid, i);
  });
  const inOrder = (nodes: readonly Node[]): readonly Node[] => [...nodes].sort((a, b) => (order.get(a.uuid) ?? 0) - (order.get(b.uuid) ?? 0));
  const tools = new Map<string, Record<string, unknown>>();
  const tell = (nodes: readonly Node[], isSide: boolean): readonly object[] =>
    inOrder(nodes).flatMap((node) => itemsOf(node, reading.valueOf(node), isSide));

  const itemsOf = (node: Node, value: JsonObject, isSide: boolean): readonly object[] => {
    const { entry, uuid } = node;
    const content = contentOf(value);
    switch (entry.role) {
      case 'prompt':
        if (isSide) return [{ kind: 'prompt', text: textsIn(content).join('\n') }];
        return content.flatMap((block, i): readonly object[] => {
          if (block['type'] === 'text') return block['text'] === '' || isOfEditor(block['text']) ? [] : [{ kind: 'user', text: block['text'] }];
          return fileIn(block, uuid, [i], null);
        });
      case 'reply':
        return replyItems(node, value, content);
      case 'synthetic':
        return value['isApiErrorMessage'] === true ? replyItems(node, value, content) : [];
      case 'result':
        return content.flatMap((block, i) => (block['type'] === 'tool_result' ? resultItems(uuid, block, i) : []));
      case 'boundary':
        return [{ kind: 'service', service: 'compaction' }];
      case 'command':
        return isSide ? [] : [{ kind: 'service', service: 'command' }];
      case 'attachment':
        return isSide || entry.more?.notice != null ? [] : queued(value);
      case 'summary':
      case 'meta':
      case 'output':
      case 'bash':
      case 'memory':
      case 'notice':
      case 'interruption':
      case 'progress':
      case 'system':
      case 'state':
        return [];
      default:
        return assertNever(entry.role);
    }
  };

  const replyItems = ({ entry, uuid }: Node, value: JsonObject, content: readonly JsonObject[]): readonly object[] => {
    const used = (id: string, name: unknown, args: unknown): readonly object[] => {
      if (tools.has(id)) return [];
      const tool: Record<string, unknown> = { kind: 'tool', call: id, name, args, result: null, isError: true, state: 'interrupted' };
      tools.set(id, tool);
      return [tool];
    };
    let at = 0;
    if (value['subtype'] === 'tool_use')
      return entry.uses.flatMap((use) => (use.call === null ? used(use.id, use.name, value['toolArguments'] ?? {}) : []));
    return content.flatMap((block, i): readonly object[] => {
      switch (textOf(block['type'])) {
        case 'text':
          return block['text'] === '' ? [] : [{ kind: 'text', text: block['text'] }];
        case 'thinking':
          return (block['thinking'] ?? '') === '' ? [] : [{ kind: 'thinking', text: block['thinking'] }];
        case 'redacted_thinking':
          return [{ kind: 'thinking', text: '[redacted]' }];
        case 'tool_use': {
          const use = entry.uses[at];
          at += 1;
          return use === undefined || use.call !== null ? [] : used(use.id, use.name, block['input'] ?? {});
        }
        case 'server_tool_use':
          return used(textOf(block['id']), block['name'], block['input'] ?? {});
        default:
          return textOf(block['type']).endsWith('_tool_result') ? resultItems(uuid, block, i) : fileIn(block, uuid, [i], null);
      }
    });
  };

  const resultItems = (uuid: string, block: JsonObject, at: number): readonly object[] => {
    const call = textOf(block['tool_use_id']);
    if (session.uses.get(call)?.use.call != null) return [];
    const items: object[] = [];
    let tool = tools.get(call);
    // A result may come without its call, or in a branch that was written again.
    if (tool === undefined) {
      tool = { kind: 'tool', call, name: null, args: null, state: 'interrupted' };
      tools.set(call, tool);
      items.push(tool);
    }
    if (tool['state'] === 'ended') return [];
    const { content } = block;
    const files: object[] = [];
    const result = !Array.isArray(content)
      ? (content ?? null)
      : (content as readonly Json[]).map((inner, i) => {
          const found = isObject(inner) ? fileIn(inner, uuid, [at, i], call) : [];
          files.push(...found);
          return found.length === 0 ? inner : { type: 'file', ref: `${uuid}/${at}/${i}` };
        });
    Object.assign(tool, { result, isError: block['is_error'] === true, state: 'ended' });
    return [...items, ...files];
  };

  const sidechains = sidechainsOf(session);
  const main = tell(session.main.nodes, false);
  const refusals = refusalsIn(reading);
  // What is only told by progress has no envelopes.
  const told = sidechains.map((sidechain) => ({
    sidechain,
    items: [
      ...tell(
        sidechain.nodes.filter(({ index }) => index !== -1),
        true,
      ),
      ...sidechain.calls.flatMap(({ use }) => refusals.get(use.id) ?? []),
    ],
  }));
  const withAgent = new Set(sidechains.flatMap(({ calls }) => calls.map(({ use }) => use.id)));
  const refusedOnly = [...refusals].filter(([call]) => !withAgent.has(call)).map(([call, refusal]) => ({ calls: [call], items: [refusal] }));
  const seen = (sidechain: Sidechain): readonly string[] => sidechain.calls.map(({ use }) => use.id);
  const strandOf = new Map(sidechains.flatMap((sidechain) => sidechain.nodes.map((node) => [node, sidechain] as const)));
  const bySidechain = (call: UsedTool): Sidechain | undefined => sidechains.find((sidechain) => sidechain.calls.includes(call));
  return {
    main,
    calls: session.calls
      .map((call) => ({
        call: call.use.id,
        // Of a parent with several calls the first stands for all.
        parent: parentName(strandOf.get(call.node)),
        title: call.use.call?.description ?? null,
        agent: call.use.call?.agent ?? null,
        status: statusOf(session, call, bySidechain(call)),
      }))
      .sort(byCall),
    sidechains: [
      ...told.filter(({ sidechain }) => sidechain.calls.length > 0).map(({ sidechain, items }) => ({ calls: seen(sidechain), items })),
      ...refusedOnly,
    ].sort(byCalls),
    orphans: told
      .filter(({ sidechain, items }) => sidechain.calls.length === 0 && items.length > 0)
      .map(({ items }) => items)
      .sort(byText),
  };
};

/** ENV-55: why calls to sub-agents were refused, or failed. It is told with what they said and did, in whichever order the files are read: here it comes last. */
const refusalsIn = ({ session, valueOf }: SessionReading): ReadonlyMap<string, object> => {
  const found = new Map<string, object>();
  for (const { use } of session.calls) {
    const node = session.results.get(use.id)?.node;
    const block = node === undefined ? undefined : contentOf(valueOf(node)).find((one) => one['tool_use_id'] === use.id);
    const text = block?.['is_error'] === true ? firstText(block['content']) : '';
    if (text !== '') found.set(use.id, { kind: 'text', text });
  }
  return found;
};

/** The items with what says why a call was refused behind all others. */
const refusedLast = (items: readonly object[], refusal: object | undefined): readonly object[] => {
  const at = refusal === undefined ? -1 : items.findIndex((item) => isDeepStrictEqual(item, refusal));
  const last = items[at];
  return last === undefined ? items : [...items.slice(0, at), ...items.slice(at + 1), last];
};

const parentName = (parent: Sidechain | undefined): string | null => (parent === undefined ? null : (parent.calls[0]?.use.id ?? 'an orphan'));

// An answer ends a call; one that was cut off, or never came, was cancelled, unless a notification says how the agent ended.
const statusOf = (session: Session, { use }: UsedTool, sidechain: Sidechain | undefined): string => {
  const result = session.results.get(use.id)?.result;
  if (result?.answer === 'answer') return result.isError ? 'failed' : 'completed';
  const notices = [...session.evidence.values()].flatMap((known) => [...known.values()]);
  const isOfIt = ({ toolUseId, agentId }: (typeof notices)[number]): boolean =>
    toolUseId === null ? agentId === sidechain?.id || agentId === result?.agentId : toolUseId === use.id;
  const ended = notices.filter((notice) => notice.status !== null && isOfIt(notice));
  const [status] = ended.map((notice) => notice.status);
  if (result?.answer === 'void' || status === undefined) return 'cancelled';
  return status === 'completed' || status === 'failed' ? status : 'cancelled';
};

/** The same of what envelopes told. `callOf` gives the call of a sub-agent that has one. */
export const toldByEnvelopes = (conversation: Conversation, reading: SessionReading, callOf: (subagent: string) => string | undefined): Told => {
  const known = sidechainsOf(reading.session);
  const refusals = refusalsIn(reading);
  const firstOf = (call: string): string => known.find((sidechain) => sidechain.calls.some(({ use }) => use.id === call))?.calls[0]?.use.id ?? call;
  const items = (told: readonly ConversationItem[]): readonly object[] => told.filter(({ kind }) => kind !== 'subagent').map(bare);
  const called = conversation.sidechains.flatMap((one) => {
    const call = callOf(one.subagent);
    return call === undefined || one.isOrphan ? [] : [{ ...one, call, items: refusedLast(items(one.items), refusals.get(call)) }];
  });
  const whole = new Map<string, { calls: string[]; items: object[] }>();
  for (const one of called) {
    const home = known.find((sidechain) => sidechain.calls.some(({ use }) => use.id === one.call));
    if (home === undefined && one.items.length === 0) continue; // a call whose agent left nothing
    const group = whole.get(firstOf(one.call)) ?? { calls: [], items: [] };
    group.calls.push(one.call);
    group.items.push(...one.items);
    whole.set(firstOf(one.call), group);
  }
  return {
    main: items(conversation.main),
    calls: called
      .map(({ call, parent, title, agent, status }) => {
        const above = parent === null ? null : callOf(parent);
        return { call, parent: above === undefined ? 'an orphan' : above === null ? null : firstOf(above), title, agent, status };
      })
      .sort(byCall),
    sidechains: [...whole.values()].sort(byCalls),
    orphans: conversation.sidechains
      .filter((one) => callOf(one.subagent) === undefined || one.isOrphan)
      .map((one) => items(one.items))
      .filter((told) => told.length > 0)
      .sort(byText),
  };
};

const bare = ({ id: _id, time: _time, turn: _turn, ...item }: ConversationItem): object => {
  if (item.kind === 'service') return { kind: item.kind, service: item.service };
  if (item.kind === 'file') return { kind: item.kind, ref: item.ref, mimeType: item.mimeType, call: item.call };
  return item;
};

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

const contentOf = (value: JsonObject): readonly JsonObject[] => {
  const message = value['message'];
  const content = isObject(message) ? message['content'] : (message ?? value['content']);
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly Json[]).filter((block) => isObject(block)) : [];
};

const textsIn = (content: readonly JsonObject[]): readonly string[] =>
  content.flatMap((block) => (block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : []));

/** ENTRY-7: what an editor puts in front of a prompt is not anybody's words. */
const isOfEditor = (text: Json | undefined): boolean => /^<(ide_\w+)>[\s\S]*<\/\1>\s*$/u.test(textOf(text));

const firstText = (content: Json | undefined): string =>
  typeof content === 'string' ? content : (textsIn(contentOf({ content: content ?? null }))[0] ?? '');

const queued = (value: JsonObject): readonly object[] => {
  const attachment = value['attachment'];
  if (!isObject(attachment) || attachment['type'] !== 'queued_command' || attachment['commandMode'] !== 'prompt' || attachment['isMeta'] === true)
    return [];
  const { prompt } = attachment;
  const text = typeof prompt === 'string' ? prompt : textsIn(contentOf({ content: prompt ?? null }))[0];
  return text === undefined || text === '' ? [] : [{ kind: 'user', text }];
};

// Names and sizes are the business of whoever makes them; here it counts that the file is told, where, and of what kind.
const fileIn = (block: JsonObject, uuid: string, path: readonly number[], call: string | null): readonly object[] => {
  if (block['type'] !== 'image' && block['type'] !== 'document') return [];
  const source = block['source'];
  const mimeType = isObject(source) ? source['media_type'] : undefined;
  return [{ kind: 'file', ref: `${uuid}/${path.join('/')}`, mimeType, call }];
};

const byCall = (a: { readonly call: string }, b: { readonly call: string }): number => (a.call < b.call ? -1 : 1);
const byCalls = (a: { readonly calls: readonly string[] }, b: { readonly calls: readonly string[] }): number =>
  (a.calls[0] ?? '') < (b.calls[0] ?? '') ? -1 : 1;
const byText = (a: readonly object[], b: readonly object[]): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
