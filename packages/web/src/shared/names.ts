import { cutText } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';

/** The name people use: AGENT-weaver is weaver. */
export const nameOf = (id: string): string => printableLine(id.replace(/^AGENT-/u, ''));

/** The first characters of a session's id, enough to distinguish it from others. */
export const shortId = (id: string): string => printableLine(id.length > 12 ? id.slice(0, 8) : id);

/** The path of a sidebar, by its SB-n, or by its id until it has one. */
export const pathOfSidebar = ({ ref, id }: { readonly ref: string; readonly id: string }): string => `/sidebars/${ref === '' ? id : ref}`;

/** The beginning of a text, as one line. A task may have 200,000 characters. */
export const inShort = (text: string, most = 240): string => {
  const line = printableLine(text.slice(0, most * 4));
  return line.length <= most ? line : `${cutText(line, most)}…`;
};
