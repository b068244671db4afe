import type { NodeMark } from '@yarnboard/domain';
import { Archive, CircleHelp, CircleX, Clock, EyeOff, History, Hourglass, Undo2, type LucideIcon } from 'lucide-react';
import type { Tone } from '../ui/badge.tsx';

type MarkLook = { readonly icon: LucideIcon; readonly word: string; readonly tone: Tone };

/** PAGE-234: the status of a thing, as a word and an icon. */
export const MARK_LOOKS = {
  provisional: { icon: Hourglass, word: 'provisional', tone: 'info' },
  pending: { icon: Clock, word: 'to review', tone: 'warn' },
  superseded: { icon: History, word: 'superseded', tone: 'warn' },
  rejected: { icon: CircleX, word: 'rejected', tone: 'bad' },
  failed: { icon: CircleX, word: 'failed', tone: 'bad' },
  archived: { icon: Archive, word: 'archived', tone: 'plain' },
  'taken-back': { icon: Undo2, word: 'taken back', tone: 'warn' },
  forgotten: { icon: EyeOff, word: 'forgotten', tone: 'plain' },
  unknown: { icon: CircleHelp, word: 'not found', tone: 'plain' },
} as const satisfies Readonly<Record<NodeMark, MarkLook>>;
