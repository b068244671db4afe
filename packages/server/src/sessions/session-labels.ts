import { shownText, type Board, type SessionLabels } from '@yarnboard/domain';

type Labelled = Pick<Board, 'sessionLabels'>;

/** LABEL-4: the operator's name for a session replaces its title everywhere. */
export const namedAs = (board: Labelled, sessionId: string, title: string | null): string | null => board.sessionLabels.get(sessionId)?.name ?? title;

/** A session's view with the operator's labels. */
export const withLabels = <V extends { readonly sessionId: string; readonly title: string | null }>(board: Labelled, view: V) => {
  const labels = board.sessionLabels.get(view.sessionId);
  if (labels === undefined) return view;
  const { isPinned, isHidden, name, note, tags } = labels;
  return { ...view, title: name ?? view.title, labels: { pinned: isPinned, hidden: isHidden, name, note, tags } };
};

export type LabelWish = { readonly hidden: boolean; readonly pinned: boolean; readonly tag?: string | undefined };

/** LABEL-5: tells which sessions a list leaves out because of their labels. */
export const leftOutBy = (board: Labelled, { hidden, pinned, tag }: LabelWish): ((sessionId: string) => boolean) => {
  const plain = (text: string): string => shownText(text).toLowerCase();
  const wantedTag = tag === undefined ? null : plain(tag);
  const wanted = (of: SessionLabels | undefined): boolean =>
    (hidden || of?.isHidden !== true) &&
    (!pinned || of?.isPinned === true) &&
    (wantedTag === null || of?.tags.some((one) => plain(one) === wantedTag) === true);
  return (sessionId) => !wanted(board.sessionLabels.get(sessionId));
};
