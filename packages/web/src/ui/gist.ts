import { cutText } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';

/** PAGE-130: the beginning of a text as one line, without Markdown syntax. */
export const gistOf = (text: string, most: number): string => {
  // Removing syntax may shorten it; a text may have 200,000 characters.
  const line = printableLine(text.slice(0, most * 4).replaceAll(/```\w*|`|\*\*|^#{1,6} |^> /gmu, ''));
  return line.length <= most ? line : `${cutText(line, most)}…`;
};
