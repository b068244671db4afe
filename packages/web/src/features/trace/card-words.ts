import { parseRef, type NodeKind, type StringKind } from '@yarnboard/domain';
import { STRING_WORDS, wordOfString } from '@yarnboard/protocol';
import {
  BookMarked,
  Bot,
  FileCode,
  FileDigit,
  Flag,
  FolderTree,
  Globe,
  Image,
  KeyRound,
  Lightbulb,
  ListChecks,
  MessageSquare,
  MessagesSquare,
  MessageSquareQuote,
  NotebookPen,
  Play,
  Quote,
  Rocket,
  ScrollText,
  Sparkles,
  Swords,
  UserRound,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import { MARK_LOOKS } from '../../shared/mark-looks.ts';
import { inShort, nameOf, shortId } from '../../shared/names.ts';
import { referencePath, shortName } from '../../ui/reference.tsx';
import { placeOfMessage } from '../search/reference-place.ts';
import type { Bundle, TraceNode, TraceString } from './yarn-board.ts';

export type KindLook = { readonly icon: LucideIcon; readonly name: string };

export const KIND_LOOKS = {
  message: { icon: MessageSquare, name: 'Message' },
  record: { icon: ScrollText, name: 'Record' },
  call: { icon: Wrench, name: 'Tool call' },
  exchange: { icon: MessageSquareQuote, name: 'Exchange' },
  citation: { icon: Quote, name: 'Citation' },
  sidebar: { icon: MessagesSquare, name: 'Sidebar' },
  scratchpad: { icon: NotebookPen, name: 'Scratchpad' },
  finding: { icon: Lightbulb, name: 'Finding' },
  gold: { icon: Sparkles, name: 'GOLD' },
  media: { icon: Image, name: 'Media' },
  file: { icon: FileCode, name: 'File' },
  content: { icon: FileDigit, name: 'File version' },
  agent: { icon: UserRound, name: 'Participant' },
  session: { icon: FolderTree, name: 'Session' },
  'sub-agent': { icon: Bot, name: 'Sub-agent' },
  run: { icon: Play, name: 'Run' },
  launch: { icon: Rocket, name: 'Launch' },
  permission: { icon: KeyRound, name: 'Permission' },
  checkpoint: { icon: Flag, name: 'Checkpoint' },
  claim: { icon: ListChecks, name: 'Claim' },
  conflict: { icon: Swords, name: 'Conflict' },
  episode: { icon: BookMarked, name: 'Episode' },
  address: { icon: Globe, name: 'Web address' },
} as const satisfies Readonly<Record<NodeKind, KindLook>>;

/** The name people use, short where there is a short form. */
export const nameOfCard = ({ ref, kind }: Pick<TraceNode, 'ref' | 'kind'>): string => {
  if (kind === 'agent') return nameOf(ref);
  if (kind === 'session' || kind === 'record' || kind === 'sub-agent') return shortId(ref);
  return parseRef(ref).ok ? shortName(ref) : inShort(ref.split(/[/\\]/u).findLast((part) => part !== '') ?? ref, 40);
};

export const titleOfCard = (node: TraceNode): string =>
  node.title === null || node.title === '' ? (node.marks.includes('forgotten') ? 'Forgotten' : nameOfCard(node)) : inShort(node.title, 200);

/** A card's label for screen readers. */
export const spokenCard = (node: TraceNode, when: string): string =>
  [
    `${KIND_LOOKS[node.kind].name} ${nameOfCard(node)}`,
    ...node.marks.map((mark) => MARK_LOOKS[mark].word),
    ...(node.title === null || node.title === '' ? [] : [inShort(node.title, 120)]),
    ...(node.by === null ? [] : [`by ${nameOf(node.by)}`]),
    ...(when === '' ? [] : [when]),
  ].join(', ');

/** "cites", or from the other end "cited by". */
export const wordOfBundle = ({ end, kind }: Bundle): string => STRING_WORDS[kind][end === 'out' ? 'words' : 'back'];

/** Both ways, for a filter: "cites / cited by". */
export const wordsOfKind = (kind: StringKind): string => {
  const { words, back } = STRING_WORDS[kind];
  return words === back ? words : `${words} / ${back}`;
};

/** PAGE-233: a string as a sentence, read from one of its ends. */
export const sentenceOf = (string: TraceString, at: string, nameFor: (ref: string) => string): string => {
  const other = string.from === at ? string.to : string.from;
  return [
    `${nameFor(at)} ${wordOfString(string, at)} ${nameFor(other)}`,
    ...(string.note === null || string.note === '' ? [] : [inShort(string.note, 120)]),
    ...(string.how === 'said' ? [] : [string.how === 'derived' ? 'follows from the log' : 'likely, found by rules']),
    ...(string.by === null ? [] : [nameOf(string.by)]),
  ].join(' · ');
};

/** The page of the thing itself; null if it has none. */
export const placeOfCard = ({ ref, kind, uuid, context, marks }: TraceNode): string | null => {
  if (marks.includes('forgotten') || marks.includes('unknown')) return null;
  if (kind === 'session') return `/sessions/${encodeURIComponent(ref)}`;
  if (kind === 'record') return context === null ? null : placeOfMessage({ sessionId: context, agentId: null, ref: null, uuid: uuid ?? ref });
  return referencePath(ref);
};
