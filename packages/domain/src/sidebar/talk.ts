import { SYSTEM } from '../actors.ts';
import { agentIdOf } from '../agents/state.ts';
import { asParticipant, happen, happenIn, isShare, named, worded, working, type Decision, type Facts, type Deciders } from '../board/deciding.ts';
import { linked } from '../board/links.ts';
import { MOST_KEPT } from '../board/limits.ts';
import { isSomebody, knownAgents, knownRefs } from '../board/references.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import { isComingUp } from '../citations/state.ts';
import { cutText } from '../policies/cutting.ts';
import { findRefs, formatRef, parseRef, type NumberedType } from '../refs.ts';
import { ok, type Result } from '../result.ts';
import { disputants } from './relevance.ts';
import type { Dispute, Sidebar } from './state.ts';
import type { CommandOf, FamilyCommand, Happening } from '../messages/catalogue.ts';
import { BOARD_CONTEXT } from '../messages/values.ts';

/** TALK-1: messages are logged word for word; mentioned members are notified, and a matching waypoint is shown beside the message. */
const say = (board: Board, facts: Facts, command: CommandOf<'chat.say'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const content = worded('content', command.content);
  if (!content.ok) return content;
  const asked = knownRefs(board, facts, [...(command.citations ?? []), ...(command.media ?? [])]);
  if (!asked.ok) return asked;
  const stranger = command.media?.find((ref) => !isOf(ref, 'MEDIA'));
  if (stranger !== undefined) return reject('not-media', { asked: cutText(stranger, 100) });
  const reply = knownRefs(board, facts, command.inReplyTo === undefined ? [] : [command.inReplyTo]);
  if (!reply.ok) return reply;
  const [inReplyTo = null] = reply.value;
  if (inReplyTo !== null && !isOf(inReplyTo, 'MSG') && !isOf(inReplyTo, 'EXCH')) return reject('not-a-message', { ref: inReplyTo });
  if (!isShare(command.confidence)) return reject('not-a-share', { field: 'confidence', of: null });
  // An answer to a message elsewhere begins an exchange here.
  const exchange = inReplyTo !== null && facts.refs.get(inReplyTo)?.contextId === sidebar.contextId ? inReplyTo : null;
  // An unknown reference in the text is only a word.
  const written = findRefs(content.value).map(({ ref }) => formatRef(ref));
  const real = [...new Set(written)].filter((ref) => knownRefs(board, facts, [ref]).ok);
  const media = asked.value.filter((ref) => ref.startsWith('MEDIA-'));
  const uuid = facts.newId();
  const citations = [...new Set([...asked.value.filter((ref) => !ref.startsWith('MEDIA-')), ...real])].slice(0, MOST_CITED);
  const role = facts.actor.type === 'human' ? 'user' : facts.actor.type === 'agent' ? 'assistant' : 'system';
  return ok([
    happenIn(
      facts,
      sidebar,
      'chat.message',
      { content: content.value, role, citations, media, confidence: command.confidence ?? null, inReplyTo, exchange },
      { uuid },
    ),
    ...mentions(board, facts, sidebar, content.value, uuid),
    ...surface(board, facts, sidebar, { content: content.value, about: uuid, citations }),
  ]);
};

const mentions = (board: Board, facts: Facts, sidebar: Sidebar, content: string, about: string): readonly Happening[] => {
  const targets = mentionedIn(content).filter((id) => id !== facts.actor.id && isSomebody(board, id));
  if (targets.length === 0) return [];
  const message = cutText(content, MOST_NOTICE);
  return [happenIn(facts, sidebar, 'mention.routed', { targets, message, contextRefs: [named(sidebar)], priority: sidebar.priority, about })];
};

/** TALK-3: `@name`, not within a word, an address or code. */
export const mentionedIn = (content: string): readonly string[] => {
  const prose = content.replaceAll(/```[^]*?(?:```|$)|`[^`\n]*`/gu, ' ');
  return [...new Set([...prose.matchAll(/(?<![\w@./-])@([A-Za-z0-9_](?:[\w.-]{0,126}\w)?)/gu)].map(([, name = '']) => agentIdOf(name)))].slice(
    0,
    MOST_TARGETS,
  );
};

/** GOLD-7: shown once in a conversation, when somebody speaks, finds something or begins to work; and not to anyone who already cites it. */
export const surface = (
  board: Board,
  facts: Facts,
  sidebar: Pick<Sidebar, 'id' | 'contextId' | 'golds'>,
  { content, about, citations }: Said,
): readonly Happening[] => {
  const shown = new Set([...linked(board, 'surfaced', sidebar.contextId), ...sidebar.golds]);
  return facts
    .surfacings(content)
    .filter(({ gold }) => {
      const known = board.golds.get(gold);
      return known !== undefined && isComingUp(known) && !shown.has(gold) && !citations.includes(known.ref);
    })
    .slice(0, MOST_SURFACED)
    .map(({ gold, score, condition }) => happenIn({ ...facts, actor: SYSTEM }, sidebar, 'gold.surfaced', { gold, score, condition, about }));
};

type Said = { readonly content: string; readonly about: string; readonly citations: readonly string[] };

const routeMention = (board: Board, facts: Facts, command: CommandOf<'mention.route'>): Decision => {
  const found = command.sidebar === undefined ? null : asParticipant(board, command.sidebar, facts.actor);
  if (found !== null && !found.ok) return found;
  const message = worded('message', command.message);
  if (!message.ok) return message;
  if (command.targets.length === 0 || command.targets.length > MOST_TARGETS)
    return reject('too-many-or-none', { field: 'targets', most: MOST_TARGETS });
  const targets = knownAgents(board, command.targets);
  if (!targets.ok) return targets;
  const contextRefs = knownRefs(board, facts, command.contextRefs ?? []);
  if (!contextRefs.ok) return contextRefs;
  const contextId = found?.value.contextId ?? BOARD_CONTEXT;
  const priority = command.priority ?? found?.value.priority ?? 'NORMAL';
  return ok([
    happen(facts, 'mention.routed', contextId, {
      targets: targets.value,
      message: message.value,
      contextRefs: contextRefs.value,
      priority,
      about: null,
    }),
  ]);
};

/** MEM-7: every participant rates which inherited exchanges matter; if two disagree, they are asked to discuss it. */
const scoreRelevance = (board: Board, facts: Facts, command: CommandOf<'relevance.score'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const wanted = Object.entries(command.scores);
  if (wanted.length === 0) return reject('empty', { field: 'scores' });
  const off = wanted.find(([, score]) => !isShare(score));
  if (off !== undefined) return reject('not-a-share', { field: 'scores', of: cutText(off[0], 100) });
  const exchanges = inherited(
    facts,
    sidebar,
    wanted.map(([exchange]) => exchange),
  );
  if (!exchanges.ok) return exchanges;
  const scores = Object.fromEntries(exchanges.value.map((exchange, at) => [exchange, wanted[at]?.[1] ?? 0]));
  const added = Object.keys(scores).filter((exchange) => sidebar.relevance[exchange] === undefined);
  if (Object.keys(sidebar.relevance).length + added.length > MOST_KEPT)
    return reject('full', { where: named(sidebar), most: MOST_KEPT, of: 'scores' });
  const uuid = facts.newId();
  const after = Object.entries(scores).map(([exchange, score]) => {
    const agents = disputants({ ...sidebar.relevance[exchange], [facts.actor.id]: score });
    return { exchange, agents };
  });
  const disputed = after.filter(({ exchange, agents }) => agents.length > 0 && !sidebar.disputes.some((dispute) => dispute.exchange === exchange));
  return ok([happenIn(facts, sidebar, 'relevance.scored', { scores }, { uuid }), ...disputesOver(facts, sidebar, disputed)]);
};

const disputesOver = (asked: Facts, sidebar: Sidebar, disputed: readonly Pick<Dispute, 'exchange' | 'agents'>[]): readonly Happening[] => {
  if (disputed.length === 0) return [];
  const facts = { ...asked, actor: SYSTEM };
  const exchanges = disputed.map(({ exchange }) => exchange);
  const names = [...new Set(disputed.flatMap(({ agents }) => agents))].map(atName).join(' and ');
  const list = exchanges.length > MOST_NAMED ? `${exchanges.slice(0, MOST_NAMED).join(', ')} and more` : exchanges.join(', ');
  return [
    ...disputed.map(({ exchange, agents }) => happenIn(facts, sidebar, 'relevance.disputed', { exchange, agents })),
    discussion(
      facts,
      sidebar,
      `${names} disagree about how much ${list} matters for this task. Please discuss it here.`,
      exchanges.slice(0, MOST_CITED),
    ),
  ];
};

export const atName = (agent: string): string => `@${agent.replace(/^AGENT-/u, '')}`;

/** Yarnboard's own message in a sidebar when it asks people and agents to talk. */
export const discussion = (facts: Pick<Facts, 'newId'>, sidebar: Pick<Sidebar, 'id'>, content: string, citations: readonly string[]): Happening =>
  happenIn({ newId: facts.newId, actor: SYSTEM }, sidebar, 'chat.message', {
    content,
    role: 'system',
    citations,
    media: [],
    confidence: null,
    inReplyTo: null,
    exchange: null,
  });

/** The exchanges in printed form, each inherited by the sidebar. */
const inherited = (facts: Facts, sidebar: Sidebar, texts: readonly string[]): Result<readonly string[], Rejection> => {
  const exchanges: string[] = [];
  for (const text of texts) {
    const read = parseRef(text);
    if (!read.ok || !isOf(text, 'EXCH') || !facts.isInherited(sidebar, text)) {
      return reject('not-inherited', { sidebar: named(sidebar), asked: cutText(text, 100) });
    }
    exchanges.push(formatRef(read.value));
  }
  return ok(exchanges);
};

const isOf = (text: string, type: NumberedType): boolean => {
  const read = parseRef(text);
  return read.ok && read.value.kind === 'numbered' && read.value.type === type;
};

/** MEM-10: exchanges can be added to the focus, or removed, by hand. */
const changeFocus = (board: Board, facts: Facts, command: CommandOf<'focus.change'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const add = inherited(facts, sidebar, command.add ?? []);
  if (!add.ok) return add;
  const remove = inherited(facts, sidebar, command.remove ?? []);
  if (!remove.ok) return remove;
  if (add.value.length + remove.value.length === 0) return reject('nothing-to-change', { in: 'focus' });
  const both = add.value.find((exchange) => remove.value.includes(exchange));
  if (both !== undefined) return reject('added-and-removed', { ref: both });
  if (sidebar.pinned.length + sidebar.unpinned.length + add.value.length + remove.value.length > MOST_KEPT)
    return reject('full', { where: named(sidebar), most: MOST_KEPT, of: 'focus' });
  return ok([happenIn(facts, sidebar, 'focus.changed', { add: add.value, remove: remove.value })]);
};

const MOST_CITED = 200;
const MOST_NOTICE = 500;
const MOST_TARGETS = 50;
const MOST_SURFACED = 3;
const MOST_NAMED = 20;

export const talkCommands = {
  'chat.say': say,
  'mention.route': routeMention,
  'relevance.score': scoreRelevance,
  'focus.change': changeFocus,
} satisfies Deciders<FamilyCommand<'talk'>>;
